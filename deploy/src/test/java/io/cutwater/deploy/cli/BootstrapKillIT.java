package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutwater.kafka.client.PlanTopics;
import io.cutwater.kafka.record.PlanStatus;
import io.cutwater.kafka.topic.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A history in bulk, then live, then into fewer partitions, on real processes that are killed. */
class BootstrapKillIT {
    private static final int HISTORY = 150_000;
    private static final int LIVE = 20_000;
    private static final String TASK_MANAGER = "taskmanager-1";
    private static final String JOB_MANAGER = "jobmanager";
    private static final long SEED = 3;

    @TempDir
    private static Path folder;

    private static ClusterFixture cluster;

    @BeforeAll
    static void startCluster() throws IOException {
        cluster = new ClusterFixture(folder, "--slots 1");
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @Test
    @Timeout(600)
    void everyEdgeIsThereOnceWhateverDiesAndResumeKeepsTheHistory() throws Exception {
        cluster.json("ingest --event-format batch --edges " + cluster.graph("history", HISTORY));
        JsonNode submitted = cluster.json("submit --event-format batch --checkpoint-interval 300ms --wait-limit 1s"
                + " --partitions 8 --bootstrap --keep-edges");
        String history = submitted.path("bootstrap").asText();
        assertThat(history).startsWith("0:0-");
        cluster.json("ingest --event-format batch --edges " + cluster.graph("while-it-is-placed", LIVE));

        int millis = new SplittableRandom(SEED).nextInt(3_000);
        TimeUnit.MILLISECONDS.sleep(millis);
        System.out.printf(
                "seed %d: TaskManager killed after %d ms, %s%n",
                SEED, millis, cluster.runningJob().path("stage"));
        cluster.kill(TASK_MANAGER);
        cluster.json("cluster start --timeout 5m");
        cluster.awaitAllEdges();
        await().atMost(ClusterFixture.PATIENCE)
                .until(() -> cluster.runningJob().path("stage").asText().equals("live"));
        assertThat(cluster.runningJob().path("algorithm").asText()).isEqualTo("cutwater");

        cluster.kill(JOB_MANAGER);
        cluster.json("cluster start --timeout 5m");
        JsonNode resumed = cluster.json("resume");
        assertThat(resumed.path("bootstrap").asText()).isEqualTo(history);
        cluster.json("ingest --event-format batch --edges " + cluster.graph("behind", LIVE));
        cluster.awaitAllEdges();
        cluster.assertThatEveryEdgeIsThereOnceAndTheStatusTellsIt();

        shrinkOverADeath();
        cluster.assertThatEveryEdgeIsThereOnceAndTheStatusTellsIt();
        assertThat(cluster.runningJob().path("partitions").asInt()).isEqualTo(5);
    }

    private static void shrinkOverADeath() throws Exception {
        String repartition = "repartition --partitions 5 --rate 20000/s --id shrink --json --timeout 5m --progress off";
        CompletableFuture<CommandLineRun> command = CompletableFuture.supplyAsync(() -> cluster.run(repartition));
        try (PlanTopics plans = new PlanTopics(cluster.servers(), Map.of(), new Topics(""))) {
            await().atMost(ClusterFixture.PATIENCE).until(() -> {
                plans.poll();
                PlanStatus status = plans.status("shrink");
                return status != null && status.edgesMoved() > 0;
            });
        }
        cluster.kill(TASK_MANAGER);
        cluster.json("cluster start --timeout 5m");
        CommandLineRun moved = command.get();
        System.out.println("the TaskManager was killed while edges moved: " + moved);
        assertThat(moved.exitCode()).as(moved.err()).isZero();
        assertThat(moved.out()).contains("\"state\" : \"done\"", "\"partitionsBefore\" : 8", "\"partitions\" : 5");
        // Done once: who asks again is told how it ended.
        assertThat(cluster.run(repartition).out()).isEqualTo(moved.out());
    }
}
