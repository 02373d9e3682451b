package io.cutwater.deploy.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.testkit.CommandRun;
import io.cutwater.testkit.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Prometheus that scrapes a training answers every expression of its dashboard, and has the metrics of its alerts.
 */
class TrainingDashboardIT {
    private static final int VERTICES = 400;
    private static final int CLASSES = 4;
    private static final long SEED = 17;

    @TempDir
    private Path folder;

    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    @Timeout(300)
    void everyExpressionReturnsSeries() throws Exception {
        assumeTrue(PrometheusServer.isInstalled(), "Prometheus is not installed");
        partition();
        int[] ports = FreePorts.find(2);
        Process server = PrometheusServer.scraping("127.0.0.1:" + ports[0], ports[1], folder);
        Thread training = new Thread(() -> run("train --shards %s --epochs 1000000 --patience 1000000 --metrics %d"
                .formatted(folder.resolve("shards"), ports[0])));
        training.start();
        try {
            PrometheusServer prometheus = new PrometheusServer(ports[1]);
            List<String> expressions = PrometheusServer.expressions("cutwater-training.json");
            assertThat(expressions).hasSizeGreaterThan(10);
            Set<String> ofRules = PrometheusServer.metricsOfRules(true);
            // A training from files has no topic; TrainingMetricsTest has one that reads a topic.
            assertThat(ofRules.remove("cutwater_train_topic_offset")).isTrue();
            assertThat(ofRules).hasSizeGreaterThan(2);
            expressions.addAll(ofRules);
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(500))
                    .ignoreExceptionsMatching(java.net.ConnectException.class::isInstance)
                    .untilAsserted(
                            () -> assertThat(prometheus.without(expressions)).isEmpty());
        } finally {
            training.interrupt();
            server.destroy();
            training.join();
            server.waitFor();
        }
    }

    /** Vertices of a class are neighbours, and have a feature in common. */
    private void partition() throws Exception {
        List<String> edges = new ArrayList<>();
        List<String> features = new ArrayList<>();
        List<String> split = new ArrayList<>();
        for (int vertex = 0; vertex < VERTICES; vertex++) {
            for (int neighbour = 0; neighbour < 5; neighbour++) {
                edges.add(vertex + " " + (vertex + CLASSES * random.nextInt(VERTICES)) % VERTICES);
            }
            features.add("%d %d:1.0".formatted(vertex % CLASSES, vertex % CLASSES + 1));
            split.add(List.of("train", "val", "test").get(vertex % 3));
        }
        Path file = Files.write(folder.resolve("edges.txt"), edges);
        Path svm = Files.write(folder.resolve("features.svm"), features);
        Path splits = Files.write(folder.resolve("split.txt"), split);
        assertThat(run("partition --edges %s --partitions 2 --algorithm hdrf --features %s --split %s --out %s"
                                .formatted(file, svm, splits, folder.resolve("shards")))
                        .exitCode())
                .isZero();
    }

    private static CommandRun run(String line) {
        return CommandRun.of(Cutwater::run, line.split(" "));
    }
}
