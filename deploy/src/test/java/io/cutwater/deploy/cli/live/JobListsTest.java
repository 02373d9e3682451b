package io.cutwater.deploy.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.deploy.cluster.job.LiveJobs;
import io.cutwater.deploy.cluster.rest.FlinkEndpoint;
import io.cutwater.deploy.launch.ClusterParts;
import io.cutwater.flink.client.FlinkAddress;
import io.cutwater.flink.client.FlinkCredentials;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users see of several jobs. */
class JobListsTest {
    private static final String ENDED = "1".repeat(32);
    private static final String LATER = "2".repeat(32);
    private static final String EARLIER = "3".repeat(32);

    @TempDir
    private Path folder;

    private FlinkEndpoint flink;

    @BeforeEach
    void startEndpoint() throws IOException {
        flink = new FlinkEndpoint();
        flink.answer("/overview", "{\"taskmanagers\": 1, \"slots-total\": 2, \"slots-available\": 0}");
        flink.answer("/jobmanager/config", "[]");
    }

    @AfterEach
    void stopEndpoint() {
        flink.close();
    }

    /** Flink lists them in this order. */
    private void jobs(String... ids) {
        flink.answer(
                "/jobs/overview",
                Stream.of(ids)
                        .map(id -> "{\"jid\":\"%s\",\"name\":\"%s\"}".formatted(id, name(id)))
                        .collect(Collectors.joining(",", "{\"jobs\":[", "]}")));
        for (String id : ids) {
            flink.answer(
                    "/jobs/" + id,
                    "{\"state\":\"%s\",\"name\":\"%s\",\"start-time\":%d,\"now\":1000,\"timestamps\":{\"RUNNING\":900}}"
                            .formatted(
                                    id.equals(ENDED) ? "FINISHED" : "RUNNING",
                                    name(id),
                                    id.equals(EARLIER) ? 100 : 200));
            flink.answer("/jobs/" + id + "/config", "{}");
            flink.answer("/jobs/" + id + "/checkpoints", "{\"latest\":{\"completed\":{\"latest_ack_timestamp\":950}}}");
            flink.answer("/jobs/" + id + "/exceptions", "{\"exceptionHistory\":{\"entries\":[]}}");
        }
    }

    private static String name(String id) {
        return "cutwater live %c-edges".formatted(id.charAt(0));
    }

    private CommandRun run(String line) {
        return CommandRun.of(Cutwater::run, (line + " --flink " + flink.address() + " --dir " + folder).split(" ", -1));
    }

    @Test
    void statusListsJobsThatRunFirstAndThenByTheirStart() {
        jobs(ENDED, LATER, EARLIER);

        CommandRun status = run("status");

        assertThat(status.exitCode()).as(status.err()).isZero();
        assertThat(status.out().lines().map(line -> line.split(" +")[0])).containsExactly(EARLIER, LATER, ENDED);
        assertThat(status.out()).contains(EARLIER + "  RUNNING    cutwater live 3-edges,");
        assertThat(run("status --json").json().findValuesAsText("job")).containsExactly(EARLIER, LATER, ENDED);
    }

    @Test
    void stopNamesTheTopicsOfTheJobsBetweenWhichItCannotChoose() {
        jobs(ENDED, LATER, EARLIER);

        CommandRun stop = run("stop");

        assertThat(stop.exitCode()).isEqualTo(1);
        assertThat(stop.sentence())
                .isEqualTo("cutwater: there are 2 live jobs on the Flink cluster at %s; say which: %s (%s), %s (%s)"
                        .formatted(flink.address(), LATER, name(LATER), EARLIER, name(EARLIER)));
    }

    @Test
    void resumeContinuesTheOnlyJobThatDoesNotRunOrNamesTheTopicsOfAll() throws IOException {
        jobs(ENDED, LATER, EARLIER);
        record(LATER, "");
        record(EARLIER, "\"topic-prefix\":\"g-\",");

        LiveJobs jobs = new LiveJobs(FlinkAddress.parse(flink.address()), FlinkCredentials.NONE, folder);
        assertThatThrownBy(() -> jobs.resume(null, null, Map.of(), new ClusterParts(folder)))
                .hasMessage(
                        "all 2 jobs run already; to change one, stop it and then resume it:"
                                + " %s (topic edges), %s (topic g-edges)",
                        LATER, EARLIER);

        record(ENDED, "");
        assertThatThrownBy(() -> jobs.resume(null, null, Map.of(), new ClusterParts(folder)))
                .hasMessageStartingWith("--bootstrap-servers is missing"); // of the job that it has chosen

        record("9".repeat(32), "");
        assertThatThrownBy(() -> jobs.resume(null, null, Map.of(), new ClusterParts(folder)))
                .hasMessageStartingWith("there are 2 jobs to resume; say which: ");
    }

    private void record(String id, String option) throws IOException {
        Files.writeString(
                Files.createDirectories(folder.resolve("jobs")).resolve(id + ".json"),
                "{\"id\":\"%s\",\"flink\":\"h:1\",\"options\":{%s\"partitions\":\"8\"}}".formatted(id, option));
    }
}
