package io.cutwater.deploy.cluster.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.topic.TopicIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobRecordsTest {
    private static final String ID = "0123456789abcdef0123456789abcdef";
    private static final String SUCCESSOR = "fedcba9876543210fedcba9876543210";

    @TempDir
    private Path folder;

    private JobRecords records;
    private JobRecord job;

    @BeforeEach
    void createRecord() {
        records = new JobRecords(folder.resolve("jobs"));
        String checkpoints = folder.resolve("checkpoints").toUri().toString();
        job = new JobRecord(
                ID,
                "h:1",
                Map.of("partitions", "8"),
                checkpoints,
                null,
                null,
                null,
                null,
                Map.of("edges", new TopicIdentity("cluster", "topic")));
    }

    @Test
    void aRecordIsFoundAsItWasWritten() throws IOException {
        records.write(job);

        assertThat(records.find(ID)).isEqualTo(job);
        assertThat(records.find(SUCCESSOR)).isNull();
        assertThat(records.find("../cluster")).isNull();
    }

    @Test
    void aRecordOfAnEarlierBuildKnowsNoTopics() throws IOException {
        Files.createDirectories(folder.resolve("jobs"));
        Files.writeString(
                folder.resolve("jobs").resolve(ID + ".json"),
                "{\"id\":\"%s\",\"flink\":\"h:1\",\"options\":{\"partitions\":\"8\"},\"checkpoints\":null,\"savepoints\":null,\"restoredFrom\":null,\"savepoint\":null,\"resumedAs\":null}"
                        .formatted(ID));

        assertThat(records.find(ID))
                .isEqualTo(new JobRecord(ID, "h:1", Map.of("partitions", "8"), null, null, null, null, null, null));
    }

    @Test
    void recordsAreTheirOwnersAlone() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        records.write(job);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
    }

    @Test
    void aJobThatGoesOnAsAnotherIsNotTheLatest() throws IOException {
        records.write(job.withSuccessor(SUCCESSOR));
        JobRecord next = new JobRecord(SUCCESSOR, "h:1", job.options(), null, null, "s", null, null, null);
        records.write(next);

        assertThat(records.latest()).containsExactly(next);
    }
}
