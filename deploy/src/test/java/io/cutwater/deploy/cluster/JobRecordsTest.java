package io.cutwater.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        job = new JobRecord(ID, "h:1", Map.of("partitions", "8"), checkpoints, null, null, null);
    }

    @Test
    void aRecordIsFoundAsItWasWritten() throws IOException {
        records.write(job);

        assertThat(records.find(ID)).isEqualTo(job);
        assertThat(records.find(SUCCESSOR)).isNull();
        assertThat(records.find("../cluster")).isNull();
    }

    @Test
    void aJobThatGoesOnAsAnotherIsNotTheLatest() throws IOException {
        records.write(job.withSuccessor(SUCCESSOR));
        JobRecord next = new JobRecord(SUCCESSOR, "h:1", job.options(), null, "s", null, null);
        records.write(next);

        assertThat(records.latest()).containsExactly(next);
    }

    @Test
    void withoutAnyStateThereIsNothingToGoOnFrom() throws IOException {
        assertThat(JobRecords.lastState(job)).isNull();
    }

    @Test
    void theLastCompleteCheckpointWins() throws IOException {
        checkpoint("chk-9", true);
        checkpoint("chk-10", true);
        checkpoint("chk-11", false);

        assertThat(JobRecords.lastState(job)).endsWith("/chk-10/");
    }

    @Test
    void theSavepointOfAStopIsLaterThanEveryCheckpoint() throws IOException {
        checkpoint("chk-9", true);

        assertThat(JobRecords.lastState(job.withSavepoint("file:/savepoint"))).isEqualTo("file:/savepoint");
    }

    @Test
    void aJobWithoutACheckpointOfItsOwnGoesOnWhereItBegan() throws IOException {
        JobRecord resumed = new JobRecord(ID, "h:1", Map.of(), job.checkpoints(), "file:/before", null, null);
        JobRecord elsewhere = new JobRecord(ID, "h:1", Map.of(), "s3://bucket/checkpoints", "s3://before", null, null);

        assertThat(JobRecords.lastState(resumed)).isEqualTo("file:/before");
        assertThat(JobRecords.lastState(elsewhere)).isEqualTo("s3://before");
    }

    private void checkpoint(String name, boolean isComplete) throws IOException {
        Path checkpoint = Files.createDirectories(
                folder.resolve("checkpoints").resolve(ID).resolve(name));
        if (isComplete) {
            Files.writeString(checkpoint.resolve("_metadata"), "state");
        }
    }
}
