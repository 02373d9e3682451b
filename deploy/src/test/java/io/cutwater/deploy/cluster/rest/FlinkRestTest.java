package io.cutwater.deploy.cluster.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.deploy.cluster.rest.JobProgress.Kind;
import io.cutwater.flink.client.FlinkAddress;
import io.cutwater.flink.client.FlinkCredentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FlinkRestTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String JOB = "d93fd8ce5a1223ebc25a761c1e59c74d";

    private final List<Duration> sleeps = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private FlinkEndpoint endpoint;
    private FlinkRest flink;

    @BeforeEach
    void startEndpoint() throws IOException {
        endpoint = new FlinkEndpoint();
        flink = new FlinkRest(FlinkAddress.parse(endpoint.address()), FlinkCredentials.NONE, sleeps::add);
    }

    private void answer(String path, String... inTurn) {
        endpoint.answer(path, inTurn);
    }

    private static String job(String state, String... tasks) {
        return "{\"state\":\"%s\",\"vertices\":[%s]}"
                .formatted(
                        state,
                        Arrays.stream(tasks)
                                .map("{\"status\":\"%s\"}"::formatted)
                                .collect(Collectors.joining(",")));
    }

    private static String savepoint(String content) {
        return "{\"status\":{\"id\":\"COMPLETED\"},\"operation\":{%s}}".formatted(content);
    }

    @AfterEach
    void stopEndpoint() {
        endpoint.close();
    }

    @ParameterizedTest
    @CsvSource({
        "RUNNING,  7, 5, checkpoint",
        "RUNNING,  5, 7, savepoint",
        "FAILED,   7, 5, checkpoint",
        // A checkpoint that completes while the job ends is removed with it.
        "FINISHED, 7, 5, savepoint",
        "FINISHED, 5, 7, savepoint",
    })
    void theLatestStateIsOneThatIsStillThere(String state, int checkpoint, int savepoint, String expected)
            throws IOException {
        answer("/jobs/" + JOB, "{\"state\":\"%s\"}".formatted(state));
        answer("/jobs/" + JOB + "/checkpoints", """
                {"latest": {"completed": {"id": %d, "external_path": "checkpoint"},
                            "savepoint": {"id": %d, "external_path": "savepoint"}}}""".formatted(checkpoint, savepoint));
        assertThat(flink.latestState(JOB)).isEqualTo(expected);
    }

    @Test
    void theMetricsOfASourceAreThoseOfOurGroup() throws IOException {
        answer("/jobs/" + JOB, """
                {"vertices": [{"id": "a", "name": "Source: bulk passes"}, {"id": "b", "name": "assign edges"}]}""");
        // The endpoint here does not look at the query; Flink gives the value only to those who ask for the metric.
        answer("/jobs/" + JOB + "/vertices/a/metrics", """
                [{"id": "0.Source__bulk.cutwater.bulkStage"}, {"id": "0.Source__bulk.numRecordsOut"}]""", """
                [{"id": "0.Source__bulk.cutwater.bulkStage", "value": "reading"}]""");

        assertThat(flink.sourceMetrics(JOB, Set.of("bulkStage", "bulkShare", "numRecordsOut")))
                .isEqualTo(Map.of("bulkStage", "reading"));
    }

    @Test
    void aJobWithoutACheckpointHasNoState() throws IOException {
        answer("/jobs/" + JOB, "{\"state\":\"RUNNING\"}");
        answer("/jobs/" + JOB + "/checkpoints", "{\"latest\": {\"completed\": null, \"savepoint\": null}}");
        assertThat(flink.latestState(JOB)).isNull();
    }

    @Test
    void theEndOfAJobIsReadOnceItsStatisticsAreFinal() throws IOException {
        answer("/jobs/" + JOB, "{\"state\":\"FINISHED\",\"end-time\":10000,\"now\":11500}");
        answer("/jobs/" + JOB + "/checkpoints", "{\"latest\": {\"savepoint\": {\"id\": 5, \"external_path\": \"s\"}}}");

        assertThat(flink.latestState(JOB)).isEqualTo("s");
        assertThat(sleeps).containsExactly(Duration.ofMillis(2500));
    }

    @Test
    void aJobIsStoppedWhenAllOfItsTasksRun() throws IOException {
        answer(
                "/jobs/" + JOB,
                job("RESTARTING"),
                job("RUNNING", "RUNNING", "INITIALIZING"),
                job("RUNNING", "RUNNING", "RUNNING"),
                job("RUNNING", "RUNNING", "FINISHED"),
                job("FINISHED", "FINISHED", "FINISHED"));
        answer("/jobs/" + JOB + "/stop", "{\"request-id\":\"t\"}");
        answer(
                "/jobs/" + JOB + "/savepoints/t",
                "{\"status\":{\"id\":\"IN_PROGRESS\"}}",
                savepoint("\"location\":\"file:/s\""));

        assertThat(flink.stop(JOB, null, PATIENCE, told::add)).isEqualTo("file:/s");
        assertThat(sleeps).hasSize(4);
    }

    @Test
    void aSavepointThatADyingTaskHasSpoiltIsMadeAgain() throws IOException {
        answer("/jobs/" + JOB, job("RUNNING", "RUNNING"), job("RUNNING", "RUNNING"), job("FINISHED", "FINISHED"));
        answer("/jobs/" + JOB + "/stop", "{\"request-id\":\"t\"}", "{\"request-id\":\"u\"}");
        answer("/jobs/" + JOB + "/savepoints/t", savepoint("\"failure-cause\":{\"class\":\"c\"}"));
        answer("/jobs/" + JOB + "/savepoints/u", savepoint("\"location\":\"file:/s\""));

        assertThat(flink.stop(JOB, null, PATIENCE, told::add)).isEqualTo("file:/s");
    }

    @Test
    void aSavepointThatFailsAgainAndAgainIsSaid() {
        answer("/jobs/" + JOB, job("RUNNING", "RUNNING"));
        answer("/jobs/" + JOB + "/stop", "{\"request-id\":\"t\"}");
        answer(
                "/jobs/" + JOB + "/savepoints/t",
                savepoint("\"failure-cause\":{\"class\":\"c\",\"stack-trace\":\"the disk is full\\n at …\"}"));

        assertThatThrownBy(() -> flink.stop(JOB, null, PATIENCE, told::add))
                .hasMessage("the savepoint of job %s has failed, and the job continues: the disk is full", JOB);
    }

    @Test
    void aDescriptionThatAClockSetBackKeepsInTheCacheIsNotTheStateOfAJob() throws IOException {
        answer("/jobs/" + JOB, job("RUNNING", "RUNNING"));
        answer("/jobs/" + JOB + "/status", "{\"status\":\"RUNNING\"}", "{\"status\":\"FINISHED\"}");
        answer("/jobs/" + JOB + "/stop", "{\"request-id\":\"t\"}");
        answer("/jobs/" + JOB + "/savepoints/t", savepoint("\"location\":\"file:/s\""));
        answer("/jobs/" + JOB + "/checkpoints", "{\"latest\": {\"completed\": {\"id\": 7, \"external_path\": \"c\"}}}");

        assertThat(flink.stop(JOB, null, PATIENCE, told::add)).isEqualTo("file:/s");
        assertThatThrownBy(() -> flink.latestState(JOB))
                .hasMessageContaining("is FINISHED, but Flink still describes it as RUNNING")
                .hasMessageContaining("--from");
    }

    @Test
    void aJobThatHasEndedIsNotStopped() {
        answer("/jobs/" + JOB, job("FAILED", "FAILED"));

        assertThatThrownBy(() -> flink.stop(JOB, null, PATIENCE, told::add))
                .hasMessageContaining("has ended already, it is FAILED; ./cutwater resume " + JOB);
    }

    @Test
    void aJobThatDoesNotComeToRunIsSaidWhenTheTimeIsOver() {
        answer("/jobs/" + JOB, job("RESTARTING", "CANCELED"));
        noSlots();

        assertThatThrownBy(() -> flink.stop(JOB, null, Duration.ZERO, told::add))
                .hasMessageContaining("is RESTARTING and not all of its tasks have run within 0 s")
                .hasMessageContaining("(waiting for slots: it needs 1, and the cluster has 0 in all, 0 of them free)");
    }

    private void noSlots() {
        answer("/jobs/" + JOB + "/checkpoints", "{\"latest\": {\"completed\": {\"latest_ack_timestamp\": 100}}}");
        answer("/jobs/" + JOB + "/exceptions", """
                {"exceptionHistory": {"truncated": false, "entries": [
                  {"timestamp": 300, "stacktrace": "x.JobException: no\\nCaused by: x.NoResourceAvailableException: none"},
                  {"timestamp": 200, "stacktrace": "x.NoResourceAvailableException: none"},
                  {"timestamp": 150, "stacktrace": "x.TimeoutException: Heartbeat of TaskManager timed out"}]}}""");
        answer("/overview", "{\"taskmanagers\": 0, \"slots-total\": 0, \"slots-available\": 0}");
        answer("/jobmanager/config", "[]");
    }

    @Test
    void attemptsToGetSlotsAreNoRestarts() throws IOException {
        answer("/jobs/" + JOB, job("RESTARTING", "SCHEDULED"));
        noSlots();
        JobProgress progress = flink.progress(JOB, PATIENCE);
        assertThat(progress.kind()).isEqualTo(Kind.WAITS_FOR_SLOTS);
        assertThat(progress.restarts()).isEqualTo(1);
        assertThat(progress.isAtLeast()).isFalse();
    }

    @ParameterizedTest(name = "{0}, checkpoint at {1}, last failure at {2}: {3}")
    @CsvSource({
        "RUNNING,  1000, 900,  RUNS,     ''",
        "RUNNING,  800,  900,  RESTARTS, 'no checkpoint has completed since it was restarted 99 s ago, after: it is full'",
        "CREATED,  800,  900,  RESTARTS, 'it is being restarted, after: it is full'",
        "CREATED,  1000, 900,  STARTS,   ''",
        "RUNNING,  1000, 100,  STALLS,   no checkpoint has completed for 99 s: it is late",
    })
    void aJobWithoutACheckpointSinceItsLastFailureMakesNoProgress(
            String task, long checkpoint, long failure, Kind kind, String reason) throws IOException {
        long now = kind == Kind.RUNS ? checkpoint + 5 : 100_000;
        answer("/jobs/" + JOB, """
                {"state": "RUNNING", "now": %d, "timestamps": {"RUNNING": 950},
                 "vertices": [{"status": "%s", "parallelism": 1}]}""".formatted(now, task));
        answer("/jobs/" + JOB + "/checkpoints", """
                {"latest": {"completed": {"latest_ack_timestamp": %d},
                            "failed": {"failure_message": "it is late"}}}""".formatted(checkpoint));
        answer("/jobs/" + JOB + "/exceptions", """
                {"exceptionHistory": {"entries": [{"timestamp": %d, "stacktrace":
                 "a.B: x\\n\\tat a.C\\nCaused by: a.D: it is full\\n\\tat io.cutwater.E\\nCaused by: a.F: y"}]}}""".formatted(failure));
        answer("/overview", "{\"taskmanagers\": 1, \"slots-total\": 1, \"slots-available\": 0}");
        answer("/jobmanager/config", "[]");
        JobProgress progress = flink.progress(JOB, Duration.ofSeconds(60));
        assertThat(progress.kind()).isEqualTo(kind);
        assertThat(progress.reason()).isEqualTo(reason);
    }

    @Test
    void aJobThatIsForgottenMeanwhileIsLeftOut() throws IOException {
        answer(
                "/jobs/overview",
                "{\"jobs\":[{\"jid\":\"%s\",\"name\":\"cutwater live edges\"}]}".formatted(JOB),
                "{\"jobs\":[]}");

        assertThat(flink.jobs("cutwater")).isEmpty();
    }

    @Test
    void anUnknownJobIsASentence() {
        assertThatThrownBy(() -> flink.latestState(JOB))
                .isInstanceOf(FlinkException.class)
                .hasMessageContaining("knows no job " + JOB);
    }

    @Test
    void aProcessThatDiesDuringTheTlsHandshakeIsNotTakenForOneThatIsNotTrusted() throws Exception {
        try (ServerSocket dying = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread death = new Thread(() -> {
                try (Socket connection = dying.accept()) {
                    connection.getInputStream().readNBytes(100);
                    dying.close(); // nobody answers another attempt
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            death.start();
            FlinkRest secure = new FlinkRest(
                    FlinkAddress.parse("https://127.0.0.1:" + dying.getLocalPort()), FlinkCredentials.NONE);
            assertThatThrownBy(secure::version)
                    .isInstanceOf(FlinkException.class)
                    .hasMessageMatching(".*closed the connection.*|no Flink cluster answers.*");
            death.join();
        }
    }
}
