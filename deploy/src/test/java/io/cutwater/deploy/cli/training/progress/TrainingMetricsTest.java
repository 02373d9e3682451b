package io.cutwater.deploy.cli.training.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.ShardSize;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.torch.DeviceMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TrainingMetricsTest {
    private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
    private static final InetSocketAddress FREE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Test
    void answersWithTheLastRound() throws Exception {
        try (TrainingMetrics metrics = TrainingMetrics.serve(FREE, DeviceMemory.of("cpu"), true)) {
            assertThat(get(metrics)).contains("cutwater_train_edges_total 0.0").doesNotContain("cutwater_train_loss");
            AccuracyCounts counts = new AccuracyCounts();
            counts.right()[VertexSplit.VAL.ordinal()] = 3;
            counts.total()[VertexSplit.VAL.ordinal()] = 4;
            counts.right()[VertexSplit.TEST.ordinal()] = 1;
            counts.total()[VertexSplit.TEST.ordinal()] = 2;
            metrics.shardMissing(1, 0, "away");
            ShardCut first = new ShardCut(2, List.of(5L, 6L), List.of(9L));
            ShardCut second = new ShardCut(3, List.of(8L, 7L), List.of(9L));
            metrics.roundDone(new RoundReport(
                    1,
                    2,
                    new EpochReport(5, 10, 7, 1000, 400, 100, 40, 0),
                    counts,
                    1,
                    1,
                    64,
                    new Traffic(10, 20, 30, 40, 50, 60, 70, 80),
                    new Locality(20, 19, 400, 300),
                    0.5,
                    first,
                    new ShardSize(30, 70)));
            metrics.roundDone(new RoundReport(
                    2,
                    4,
                    new EpochReport(5, 10, 5, 1000, 400, 100, 40, 0),
                    counts,
                    1,
                    0,
                    128,
                    new Traffic(1, 2, 3, 4, 5, 6, 7, 8),
                    new Locality(20, 19, 400, 300),
                    0.25,
                    second,
                    new ShardSize(40, 90)));
            assertThat(value(get(metrics), "device_memory_bytes"))
                    .isPositive()
                    .isLessThan(value(get(metrics), "device_memory_limit_bytes"));
            assertThat(get(metrics).lines().filter(line -> !line.startsWith("#") && !line.contains("_memory_")))
                    .containsExactlyInAnyOrder(
                            "cutwater_train_exchange_sent_bytes_total{direction=\"forward\"} 11.0",
                            "cutwater_train_exchange_avoided_bytes_total{direction=\"forward\"} 22.0",
                            "cutwater_train_exchange_sent_bytes_total{direction=\"backward\"} 33.0",
                            "cutwater_train_exchange_avoided_bytes_total{direction=\"backward\"} 44.0",
                            "cutwater_train_exchange_sent_bytes_total{direction=\"other\"} 55.0",
                            "cutwater_train_exchange_sent_bytes_total{direction=\"batch\"} 66.0",
                            "cutwater_train_exchange_avoided_bytes_total{direction=\"batch\"} 77.0",
                            "cutwater_train_mapped_bytes_total 88.0",
                            "cutwater_train_round 2.0",
                            "cutwater_train_epoch 4.0",
                            "cutwater_train_loss 0.5",
                            "cutwater_train_validation_accuracy 0.75",
                            "cutwater_train_test_accuracy 0.5",
                            "cutwater_train_seconds_total 0.75",
                            "cutwater_train_edges_total 2000.0",
                            "cutwater_train_seeds_total 20.0",
                            "cutwater_train_waiting_share 0.25",
                            "cutwater_train_batch_waiting_share 0.1",
                            "cutwater_train_averaged_bytes_total 128.0",
                            "cutwater_train_missing_shards_total 1.0",
                            "cutwater_train_shards 3.0",
                            "cutwater_train_graph_vertices 40.0",
                            "cutwater_train_graph_edges 90.0",
                            "cutwater_train_merges_total 1.0",
                            "cutwater_train_topic_offset 15.0",
                            "cutwater_train_local_seed_share 0.95",
                            "cutwater_train_local_row_share 0.75");
            assertThat(namesOfTheDashboard()).hasSizeGreaterThan(6);
            for (String name : namesOfTheDashboard()) {
                assertThat(get(metrics)).containsPattern("(?m)^" + name + "[{ ]");
            }
            assertThat(promtool(get(metrics))).isEmpty();
            assertThat(get(metrics)).contains("# TYPE cutwater_train_edges_total counter");
            assertThat(documented())
                    .containsExactlyInAnyOrderElementsOf(get(metrics)
                            .lines()
                            .filter(line -> line.startsWith("# TYPE "))
                            .map(line -> line.substring("# TYPE cutwater_train_".length()))
                            .toList());
        }
    }

    @Test
    void aWorkerAnswersWithItsMemoryAlone() throws Exception {
        try (TrainingMetrics metrics = TrainingMetrics.serve(FREE, DeviceMemory.of("cpu"), false)) {
            assertThat(get(metrics).lines().filter(line -> line.startsWith("# TYPE ")))
                    .containsExactlyInAnyOrder(
                            "# TYPE cutwater_train_device_memory_bytes gauge",
                            "# TYPE cutwater_train_device_memory_limit_bytes gauge");
            assertThat(promtool(get(metrics))).isEmpty();
        }
    }

    private static List<String> namesOfTheDashboard() throws IOException {
        return Pattern.compile("cutwater_train_\\w+")
                .matcher(Files.readString(Path.of("grafana/cutwater-training.json")))
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
    }

    private static double value(String metrics, String ofCpu) {
        return metrics.lines()
                .filter(line -> line.startsWith("cutwater_train_" + ofCpu + "{device=\"cpu\"} "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .sum();
    }

    /** Returns the names and types in the reference page's table. */
    private static List<String> documented() throws IOException {
        String page = Files.readString(Path.of("docs/reference/metrics.md"));
        return page.substring(page.indexOf("## Training"))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .flatMap(line -> Pattern.compile("`(\\w+)`")
                        .matcher(line.split("\\|", -1)[1])
                        .results()
                        .map(name -> name.group(1) + " " + line.split("\\|", -1)[2].strip()))
                .toList();
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (TrainingMetrics metrics = TrainingMetrics.serve(FREE, List.of(), true)) {
            assertThatThrownBy(() -> TrainingMetrics.serve(metrics.address(), List.of(), true))
                    .hasMessageStartingWith("--metrics: cannot listen on ")
                    .hasMessageEndingWith("choose another port");
        }
    }

    /** What promtool finds wrong with names, types and help texts; nothing where it is not installed. */
    private static String promtool(String metrics) throws IOException, InterruptedException {
        if (!Files.isExecutable(PROMTOOL)) {
            return "";
        }
        Process check = new ProcessBuilder(PROMTOOL.toString(), "check", "metrics")
                .redirectErrorStream(true)
                .start();
        try (OutputStream input = check.getOutputStream()) {
            input.write(metrics.getBytes(StandardCharsets.UTF_8));
        }
        String findings = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return check.waitFor() == 0 ? findings : findings + "exit code " + check.exitValue();
    }

    private static String get(TrainingMetrics metrics) throws Exception {
        URI uri = URI.create(
                "http://127.0.0.1:%d/metrics".formatted(metrics.address().getPort()));
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
