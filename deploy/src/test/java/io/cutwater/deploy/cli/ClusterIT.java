package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.kafka.client.ShardTopicReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The live job on a cluster of real processes, from start to stop, with a process killed on the way. */
class ClusterIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int EDGES_PER_FILE = 60_000;
    private static final int K = 8;

    @TempDir
    private Path folder;

    private String dir = "";
    private String servers = "";
    private final List<String> ingested = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(11);

    @BeforeEach
    void startCluster() throws IOException {
        dir = folder.resolve("cluster").toString();
        int[] ports = freePorts(4);
        JsonNode started = json(
                "cluster start --broker-port %d --controller-port %d --flink-port %d --jobmanager-port %d --timeout 5m"
                        .formatted(ports[0], ports[1], ports[2], ports[3]));
        assertThat(started.path("started").asInt()).isEqualTo(3);
        servers = started.path("bootstrapServers").asText();
    }

    @AfterEach
    void stopCluster() {
        run("cluster stop");
    }

    @Test
    @Timeout(600)
    void everyEdgeIsInOneShardOnceWhateverIsKilledStoppedAndResumed() throws Exception {
        assertThat(run("cluster start").out()).contains("runs already");
        Path first = graph("first");
        json("ingest --event-format batch --edges " + first);
        JsonNode job = json("submit --event-format batch --checkpoint-interval 500ms --partitions " + K);
        assertThat(job.path("maxParallelism").asInt()).isEqualTo(128);
        awaitEdges(EDGES_PER_FILE);

        Path second = graph("second");
        CompletableFuture<JsonNode> ingest =
                CompletableFuture.supplyAsync(() -> json("ingest --event-format batch --rate 15000 --edges " + second));
        await().atMost(PATIENCE).until(() -> shards().size() > EDGES_PER_FILE);
        ProcessHandle taskManager = ProcessHandle.of(pid("taskmanager-1")).orElseThrow();
        assertThat(taskManager.destroyForcibly()).isTrue();
        taskManager.onExit().join();
        assertThat(json("cluster status").path("healthy").asBoolean()).isFalse();
        assertThat(json("cluster start --timeout 5m").path("started").asInt()).isEqualTo(1);
        assertThat(json("cluster status").path("healthy").asBoolean()).isTrue();
        assertThat(ingest.get().path("edges").asInt()).isEqualTo(EDGES_PER_FILE);
        awaitEdges(2 * EDGES_PER_FILE);
        assertThat(onlyRunningJob().path("restores").asInt()).isPositive();

        String savepoint = json("stop").path("savepoint").asText();
        assertThat(Path.of(URI.create(savepoint)).resolve("_metadata")).exists();
        json("ingest --event-format batch --edges " + graph("third"));
        assertThat(run("submit --partitions " + K).sentence()).contains("topic shards holds the shards of another job");
        JsonNode resumed = json("resume --parallelism 2 " + job.path("job").asText());
        assertThat(resumed.path("topology").asText()).isEqualTo("distributed");
        assertThat(resumed.path("restoredFrom").asText()).isEqualTo(savepoint);
        awaitEdges(3 * EDGES_PER_FILE);
        assertThatTheStatusIsWhatARecountSays();

        json("stop");
        json("ingest --event-format batch --edges " + graph("fourth"));
        assertThat(run("resume --topology fused --parallelism 1").sentence()).contains("was spread out");
        assertThat(json("resume --parallelism 1 --assigners 2")
                        .path("assigners")
                        .asInt())
                .isEqualTo(2);
        awaitEdges(4 * EDGES_PER_FILE);
        assertThat(shards().stream().map(Placed::edge).sorted().toList())
                .isEqualTo(ingested.stream().sorted().toList());
        assertThatTheStatusIsWhatARecountSays();
        JsonNode ended = json("cluster stop");
        assertThat(ended.path("processes")).allMatch(end -> end.asText().equals("stopped"));
        assertThat(json("cluster status", 1).path("running").asBoolean()).isFalse();
    }

    private void assertThatTheStatusIsWhatARecountSays() {
        Map<String, Integer> replicas = new HashMap<>();
        long[] edges = new long[K];
        for (Placed placed : shards()) {
            for (String vertex : placed.edge().split(" ", -1)) {
                replicas.merge(vertex, 1 << placed.shard(), (a, b) -> a | b);
            }
            edges[placed.shard()]++;
        }
        double sum = replicas.values().stream().mapToInt(Integer::bitCount).sum();
        double balance = (double) Arrays.stream(edges).max().orElseThrow() * K / ingested.size();
        // With several assigners replicas are known when they have come round the loop, a checkpoint after the edges.
        await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            JsonNode status = onlyRunningJob();
            assertThat(status.path("edges").asLong()).isEqualTo(ingested.size());
            assertThat(status.path("vertices").asInt()).isEqualTo(replicas.size());
            assertThat(status.path("replicationFactor").asDouble()).isEqualTo(sum / replicas.size());
            assertThat(status.path("edgeBalance").asDouble()).isEqualTo(balance);
        });
    }

    private record Placed(int shard, String edge) {}

    private List<Placed> shards() {
        List<Placed> placed = new ArrayList<>();
        new ShardTopicReader(servers, Map.of()).readAll("shards", (shard, edges) -> {
            for (int i = 0; i < edges.size(); i++) {
                placed.add(new Placed(shard, edges.source(i) + " " + edges.target(i)));
            }
        });
        return placed;
    }

    private void awaitEdges(int count) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(shards()).hasSizeGreaterThanOrEqualTo(count));
        assertThat(shards()).hasSize(count);
    }

    private JsonNode onlyRunningJob() {
        List<JsonNode> running = new ArrayList<>();
        for (JsonNode job : json("status").path("jobs")) {
            if (job.path("state").asText().equals("RUNNING")) {
                running.add(job);
            }
        }
        assertThat(running).hasSize(1);
        return running.get(0);
    }

    private long pid(String process) {
        for (JsonNode entry : json("cluster status").path("processes")) {
            if (entry.path("name").asText().equals(process)) {
                return entry.path("pid").asLong();
            }
        }
        throw new AssertionError("no process " + process);
    }

    /** A file of random edges, which are remembered. */
    private Path graph(String name) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < EDGES_PER_FILE; i++) {
            lines.add(random.nextInt(20_000) + " " + (Long.MIN_VALUE + random.nextInt(20_000)));
        }
        ingested.addAll(lines);
        return Files.write(folder.resolve(name + ".txt"), lines);
    }

    private CommandLineRun run(String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
        words.addAll(words.get(0).equals("ingest") ? List.of("--bootstrap-servers", servers) : List.of("--dir", dir));
        return CommandLineRun.of(words.toArray(String[]::new));
    }

    private JsonNode json(String line) {
        return json(line, line.equals("cluster status") ? -1 : 0);
    }

    /** @param exitCode that it must end with; -1 for any */
    private JsonNode json(String line, int exitCode) {
        CommandLineRun run = run(line + " --json");
        if (exitCode >= 0) {
            assertThat(run.exitCode()).as(line + ": " + run.err()).isEqualTo(exitCode);
        }
        try {
            return JSON.readTree(run.out());
        } catch (IOException e) {
            throw new AssertionError(line + ": " + run.out(), e);
        }
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
