package io.cutwater.deploy.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutwater.testkit.CommandRun;
import io.cutwater.testkit.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The live job on a cluster of real processes, from start to stop, with its metrics, with one task and with more, while
 * edges stream in and others write to the topic of its loop. Profile {@code campaign} runs it; in the usual run
 * {@link UserPartitionerIT} stops a job of one task and goes on in several.
 */
@Tag("campaign")
class RescaleIT {
    private static final int EDGES_PER_FILE = 2_000;
    private static final int EDGES_PER_SECOND = 1_000;
    private static final long SEED = 5;

    @TempDir
    private Path folder;

    private final PrometheusPorts metrics = PrometheusPorts.choose();

    private PrometheusServer prometheus;

    private ClusterFixture cluster;

    @BeforeEach
    void startCluster() throws IOException {
        prometheus = new PrometheusServer(FreePorts.find(1)[0]);
        String options = "--metrics-ports " + metrics.range();
        cluster = new ClusterFixture(
                folder, PrometheusServer.isInstalled() ? options + " --prometheus " + prometheus.port() : options);
    }

    @AfterEach
    void stopCluster() {
        cluster.close();
    }

    @Test
    @Timeout(900)
    void everyEdgeIsThereOnceHoweverTheJobIsRescaledAndItsLoopPolluted() throws Exception {
        assertThat(cluster.run("cluster start").out()).contains("is already running");
        cluster.json("ingest --event-format batch --edges " + cluster.graph("before", EDGES_PER_FILE));
        JsonNode job =
                cluster.json("submit --event-format batch --algorithm hdrf --set solo=1000 --checkpoint-interval 500ms"
                        + " --partitions 8");
        assertThat(job.path("maxParallelism").asInt()).isEqualTo(128);
        cluster.awaitAllEdges();
        cluster.awaitMetrics(metrics);
        Set<String> unknown = prometheusKnowsWhatDashboardsAndRulesUse();
        System.out.printf("pollution with seed %d%n", SEED);
        try (LoopPollution pollution = new LoopPollution(cluster.servers(), SEED)) {
            rescaleUnderLoad("--parallelism 2 --assigners 2", pollution);
            rescaleUnderLoad("--parallelism 1 --assigners 1", pollution);
        }
        assertThat(prometheus.without(unknown))
                .as("metrics of rules that neither one task nor several have")
                .isEmpty();
        CommandRun refused = cluster.run("repartition --replan");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("is refused: the job keeps no edges; ");
        assertThat(folder.resolve("cluster/logs/taskmanager-1.log"))
                .content()
                .contains("skipped a malformed vertex update in topic vertex-updates, topic partition ");
        tellsThatNoTaskManagerLives();
        if (PrometheusServer.isInstalled()) {
            prometheusFindsATaskManagerThatIsAdded();
        }
        cluster.stop();
    }

    private void prometheusFindsATaskManagerThatIsAdded() {
        cluster.json("cluster start --task-managers 2 --timeout 5m");
        await().atMost(ClusterFixture.PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() ->
                        assertThat(prometheus.without(List.of("sum(up) == 3"))).isEmpty());
    }

    /** Returns the metrics of the rules that this job does not have: it has one task. */
    private Set<String> prometheusKnowsWhatDashboardsAndRulesUse() throws Exception {
        if (!PrometheusServer.isInstalled()) {
            return Set.of();
        }
        for (String process : metrics.scrape()) {
            assertThat(PrometheusServer.complaints(process)).isEmpty();
        }
        List<String> expressions = new ArrayList<>(PrometheusServer.expressions("cutwater-job.json"));
        expressions.addAll(PrometheusServer.expressions("cutwater-quality.json"));
        assertThat(expressions).hasSizeGreaterThan(15);
        await().atMost(ClusterFixture.PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(prometheus.without(expressions)).isEmpty());
        Set<String> unknown = new TreeSet<>(prometheus.without(PrometheusServer.metricsOfRules(false)));
        assertThat(unknown).allMatch(name -> name.contains("unconfirmed"));
        return unknown;
    }

    private void tellsThatNoTaskManagerLives() {
        cluster.kill("taskmanager-1");
        await().atMost(ClusterFixture.PATIENCE)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> cluster.run("status").out().contains("waiting for slots: 0 of 1 TaskManagers"));
        assertThat(cluster.run("status").exitCode()).isEqualTo(1);
        CommandRun submitted = cluster.run("submit --partitions 8 --topic-prefix other-");
        assertThat(submitted.exitCode()).isEqualTo(1);
        assertThat(submitted.sentence()).contains("the job needs 1 task slot, ", "has 0 free of 0;");
        CommandRun stop = cluster.run("stop --timeout 6s");
        assertThat(stop.exitCode()).isEqualTo(1);
        assertThat(stop.err()).contains("cutwater: waiting: job ", "(waiting for slots: it needs ");
        cluster.json("cluster start --timeout 5m");
        await().atMost(ClusterFixture.PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> {
                    JsonNode job = cluster.runningJob();
                    assertThat(job.path("progress").asText()).isEqualTo("runs");
                    assertThat(job.path("restarts").asInt())
                            .as("of %s restores", job.path("restores"))
                            .isEqualTo(1);
                });
    }

    private void rescaleUnderLoad(String spread, LoopPollution pollution) {
        // Goes on until all is rescaled and polluted, however slow that is.
        Load load = new Load();
        cluster.awaitProgress();
        JsonNode stopped = cluster.json("stop");
        String savepoint = stopped.path("savepoint").asText();
        assertThat(Path.of(URI.create(savepoint)).resolve("_metadata")).exists();
        assertThat(cluster.run("submit --partitions 8").sentence())
                .contains("topic shards holds the shards of another job");
        JsonNode resumed =
                cluster.json("resume " + spread + " " + stopped.path("job").asText());
        assertThat(resumed.path("topology").asText()).isEqualTo("distributed");
        assertThat(resumed.path("restoredFrom").asText()).isEqualTo(savepoint);
        cluster.awaitProgress();

        String job = resumed.path("job").asText();
        int malformed = pollution.pollute();
        cluster.awaitProgress();
        load.end();
        cluster.awaitAllEdges();
        cluster.assertThatEveryEdgeIsThereOnceAndTheStatusTellsIt();
        cluster.awaitPollution(job, malformed);
        assertThat(cluster.runningJob().path("restores").asInt())
                .as("from the savepoint, and never after that")
                .isEqualTo(1);
    }

    /** Ingests one file after the other until it is told to end. */
    private final class Load {
        private final AtomicBoolean isEnough = new AtomicBoolean();
        private final CompletableFuture<Void> ingests = CompletableFuture.runAsync(this::run);

        private void run() {
            while (!isEnough.get()) {
                try {
                    cluster.json("ingest --event-format batch --rate %d --edges %s"
                            .formatted(EDGES_PER_SECOND, cluster.graph("load-" + cluster.edges(), EDGES_PER_FILE)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        void end() {
            isEnough.set(true);
            ingests.join();
        }
    }
}
