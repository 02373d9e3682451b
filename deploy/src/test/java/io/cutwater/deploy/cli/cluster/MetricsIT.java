package io.cutwater.deploy.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.CommandLineRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus would read of a job on a cluster of real processes. */
class MetricsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int EDGES = 20_000;
    private static final int PORTS = 8;

    @TempDir
    private Path folder;

    @AfterEach
    void stopCluster() {
        run("cluster", "stop");
    }

    @Test
    @Timeout(600)
    void thePrometheusPortsAnswerWithTheMetricsOfTheJob() throws Exception {
        int[] ports = freePorts(5);
        String range = ports[4] + "-" + (ports[4] + PORTS - 1);
        JsonNode started = json(
                "cluster",
                "start",
                "--broker-port=" + ports[0],
                "--controller-port=" + ports[1],
                "--flink-port=" + ports[2],
                "--jobmanager-port=" + ports[3],
                "--metrics-ports=" + range,
                "--timeout=5m");
        assertThat(json("cluster", "status").path("metricsPorts").asText()).isEqualTo(range);
        String servers = started.path("bootstrapServers").asText();
        SplittableRandom random = new SplittableRandom(23);
        List<String> edges = new ArrayList<>();
        for (int i = 0; i < EDGES; i++) {
            edges.add(random.nextInt(5_000) + " " + -random.nextInt(5_000));
        }
        Path file = Files.write(folder.resolve("edges.txt"), edges);
        CommandLineRun ingest = CommandLineRun.of("ingest", "--edges", file.toString(), "--bootstrap-servers", servers);
        assertThat(ingest.exitCode()).as(ingest.err()).isZero();
        json("submit", "--checkpoint-interval=1s", "--partitions=4");

        await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            String metrics = scrape(ports[4]);
            assertThat(value(metrics, "cutwater_edges")).isEqualTo(EDGES);
            assertThat(value(metrics, "cutwater_replicationFactor")).isBetween(1.0, 4.0);
            assertThat(value(metrics, "cutwater_cacheHitRate")).isBetween(0.0, 1.0);
            assertThat(value(metrics, "rocksdb_total_sst_files_size")).isPositive();
        });
    }

    /** What all Flink processes say. The reporter of each takes one port of the range, and skips those in use. */
    private static String scrape(int first) throws IOException, InterruptedException {
        StringBuilder all = new StringBuilder();
        for (int port = first; port < first + PORTS; port++) {
            try {
                HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                        .timeout(Duration.ofSeconds(5))
                        .build();
                all.append(HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.ofString())
                        .body());
            } catch (IOException e) {
                // Nobody there, or somebody who speaks another language.
            }
        }
        return all.toString();
    }

    private static double value(String metrics, String name) {
        Matcher sample =
                Pattern.compile("(?m)^flink_\\w*" + name + "\\{[^}]*} (\\S+)$").matcher(metrics);
        assertThat(sample.find()).as(name).isTrue();
        return Double.parseDouble(sample.group(1));
    }

    private CommandLineRun run(String... line) {
        List<String> words = new ArrayList<>(List.of(line));
        words.add("--dir=" + folder.resolve("cluster"));
        words.add("--json");
        return CommandLineRun.of(words.toArray(String[]::new));
    }

    private JsonNode json(String... line) throws IOException {
        CommandLineRun run = run(line);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return JSON.readTree(run.out());
    }

    private static int[] freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }
}
