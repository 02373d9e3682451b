package io.cutwater.deploy.cluster.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobStatesTest {
    private static final String ID = "0123456789abcdef0123456789abcdef";
    private static final String BEFORE = "file:/before";
    private static final int MAGIC = 0x4960672d;

    @TempDir
    private Path folder;

    private JobRecord job;

    @BeforeEach
    void createRecord() throws IOException {
        job = new JobRecord(
                ID, "h:1", Map.of("partitions", "8"), uri("checkpoints"), uri("savepoints"), null, null, null, null);
        Files.createDirectories(checkpoint("shared"));
        Files.createDirectories(folder.resolve("savepoints"));
    }

    private String uri(String name) {
        return folder.resolve(name).toUri().toString();
    }

    private Path checkpoint(String name) {
        return folder.resolve("checkpoints").resolve(ID).resolve(name);
    }

    private Path savepoint(String name) {
        return folder.resolve("savepoints").resolve(name);
    }

    private static void complete(Path state, long number) throws IOException {
        Files.createDirectories(state);
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(state.resolve("_metadata")))) {
            out.writeInt(MAGIC);
            out.writeInt(6);
            out.writeLong(number);
        }
    }

    private JobRecord resumed(JobRecord record) {
        return new JobRecord(
                ID, "h:1", Map.of(), record.checkpoints(), record.savepoints(), BEFORE, record.savepoint(), null, null);
    }

    @Test
    void withoutAnyStateThereIsNothingToGoOnFrom() throws IOException {
        assertThat(JobStates.last(job)).isNull();
    }

    @Test
    void theLastCompleteCheckpointWins() throws IOException {
        complete(checkpoint("chk-9"), 9);
        complete(checkpoint("chk-10"), 10);
        Files.createDirectories(checkpoint("chk-11"));

        assertThat(JobStates.last(job)).endsWith("/chk-10/");
    }

    @Test
    void theSavepointOfAStopIsLaterThanEveryCheckpoint() throws IOException {
        complete(checkpoint("chk-9"), 9);

        assertThat(JobStates.last(job.withSavepoint("file:/savepoint"))).isEqualTo("file:/savepoint");
    }

    @Test
    void aSavepointThatNobodyWasToldOfWinsOverTheCheckpointBefore() throws IOException {
        complete(checkpoint("chk-9"), 9);
        complete(savepoint("savepoint-012345-aaaaaaaaaaaa"), 10);
        complete(savepoint("savepoint-fedcba-aaaaaaaaaaaa"), 99);
        Files.createDirectories(savepoint("savepoint-012345-bbbbbbbbbbbb"));

        assertThat(JobStates.last(job)).endsWith("/savepoint-012345-aaaaaaaaaaaa/");
    }

    @Test
    void aCheckpointBehindASavepointWins() throws IOException {
        complete(savepoint("savepoint-012345-aaaaaaaaaaaa"), 10);
        complete(checkpoint("chk-11"), 11);

        assertThat(JobStates.last(job)).endsWith("/chk-11/");
    }

    @Test
    void aJobWithoutACheckpointOfItsOwnGoesOnWhereItBegan() throws IOException {
        assertThat(JobStates.last(resumed(job))).isEqualTo(BEFORE);
    }

    @Test
    void whatCannotBeReadFromHereIsNotTakenForNothing() throws IOException {
        JobRecord elsewhere =
                new JobRecord(ID, "h:1", Map.of(), "s3://bucket/checkpoints", null, BEFORE, null, null, null);
        JobRecord unmounted = new JobRecord(ID, "h:1", Map.of(), uri("unmounted"), null, BEFORE, null, null, null);

        assertThat(JobStates.last(elsewhere)).isNull();
        assertThat(JobStates.last(unmounted)).isNull();
    }

    @Test
    void aFileThatIsNotFlinksIsSaid() throws IOException {
        Files.createDirectories(checkpoint("chk-1"));
        Files.writeString(checkpoint("chk-1").resolve("_metadata"), "this is no metadata of Flink");

        assertThatThrownBy(() -> JobStates.last(job)).hasMessageContaining("give --from");
    }
}
