package io.cutwater.deploy.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.deploy.cluster.ClusterSettings;
import io.cutwater.kafka.replay.ShardReader;
import io.cutwater.kafka.run.CommittedEnds;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.testkit.CommandRun;
import io.cutwater.testkit.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import javax.net.ssl.HttpsURLConnection;

/** A cluster of real processes, driven by command lines as a user does, and all edges that were put into it. */
final class ClusterFixture implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(4);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Comparator<Edge> ORDER =
            Comparator.comparingLong(Edge::source).thenComparingLong(Edge::target);
    private static final int VERTICES = 20_000;
    private static final String SHARDS = "shards";
    /** Dead processes and new metrics are noticed sooner than a user's cluster needs to. */
    private static final List<String> SETTINGS = List.of(
            "heartbeat.interval=1000",
            "heartbeat.timeout=8000",
            "cluster.registration.error-delay=500ms",
            "restart-strategy.fixed-delay.delay=300ms",
            "metrics.fetcher.update-interval=1000");

    private final Path folder;
    private final String dir;
    private final String servers;
    private final String flink;
    private final SplittableRandom random = new SplittableRandom(11);
    private final List<Edge> ingested = new ArrayList<>();
    private final Map<Integer, Long> counted = new HashMap<>();
    private int committed;

    private record Edge(long source, long target) {}

    private record Placed(int shard, Edge edge) {}

    /** @param options more of {@code cluster start} */
    ClusterFixture(Path folder, String options) throws IOException {
        this.folder = folder;
        dir = folder.resolve("cluster").toString();
        Path configuration = Files.createDirectories(Path.of(dir, "conf"));
        List<String> settings = new ArrayList<>(SETTINGS);
        if (options.contains("--otel")) {
            settings.add("metrics.reporter.otel.interval=1 s");
        }
        Files.write(configuration.resolve("flink.properties"), settings);
        int[] ports = FreePorts.find(4);
        String metrics = options.contains("--metrics-ports") ? "" : " --metrics-ports none";
        JsonNode started = json(
                "cluster start --broker-port %d --controller-port %d --flink-port %d --jobmanager-port %d --timeout 5m"
                                .formatted(ports[0], ports[1], ports[2], ports[3])
                        + metrics
                        + (options.isEmpty() ? "" : " " + options));
        assertThat(started.path("started").asInt())
                .isEqualTo(2 + started.path("taskManagers").asInt() + (options.contains("--prometheus") ? 1 : 0));
        servers = started.path("bootstrapServers").asText();
        flink = started.path("flink").asText();
    }

    @Override
    public void close() {
        run("cluster stop");
    }

    String servers() {
        return servers;
    }

    /** Stops the processes, each of which must end in good order. */
    void stop() {
        assertThat(json("cluster stop").path("processes"))
                .allMatch(end -> end.asText().equals("stopped"));
        assertThat(health().path("running").asBoolean()).isFalse();
    }

    /** {@code host:port} of Flink's REST endpoint. */
    String flink() {
        return flink;
    }

    Path dir() {
        return Path.of(dir);
    }

    /** Number of edges in all files that were made so far. */
    synchronized int edges() {
        return ingested.size();
    }

    /** A file of random edges, which are remembered. */
    synchronized Path graph(String name, int edges) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < edges; i++) {
            Edge edge = new Edge(random.nextInt(VERTICES), Long.MIN_VALUE + random.nextInt(VERTICES));
            ingested.add(edge);
            lines.add(edge.source() + " " + edge.target());
        }
        return Files.write(folder.resolve(name + ".txt"), lines);
    }

    /** Runs a command line on this cluster. */
    CommandRun run(String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
        words.addAll(words.get(0).equals("ingest") ? List.of("--bootstrap-servers", servers) : List.of("--dir", dir));
        return CommandRun.of(Cutwater::run, words.toArray(String[]::new));
    }

    /** Runs a command line that must succeed, and reads what it prints. */
    JsonNode json(String line) {
        CommandRun run = run(line + " --json");
        assertThat(run.exitCode()).as(line + ": " + run.err()).isZero();
        return read(run);
    }

    /** The cluster's health, good or bad. */
    JsonNode health() {
        return read(run("cluster status --json"));
    }

    private static JsonNode read(CommandRun run) {
        try {
            return JSON.readTree(run.out());
        } catch (IOException e) {
            throw new AssertionError(run.toString(), e);
        }
    }

    /** kill -9. */
    void kill(String process) {
        JsonNode file;
        try {
            file = JSON.readTree(Path.of(dir, "pids", process + ".json").toFile());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        ProcessHandle handle = ProcessHandle.of(file.path("pid").asLong()).orElseThrow();
        assertThat(handle.destroyForcibly()).isTrue();
        handle.onExit().join();
    }

    /** The metadata of the savepoints that are complete. */
    List<Path> savepoints() throws IOException {
        return metadata(Path.of(dir, "savepoints"));
    }

    /** The metadata of a job's checkpoints that are complete. */
    List<Path> checkpoints(String job) throws IOException {
        Path checkpoints = Path.of(dir, "checkpoints", job);
        return Files.exists(checkpoints) ? metadata(checkpoints) : List.of();
    }

    private static List<Path> metadata(Path states) throws IOException {
        try (Stream<Path> files = Files.walk(states, 2)) {
            return files.filter(file -> file.endsWith("_metadata")).toList();
        }
    }

    /** The one job that has not ended, as the status shows it, once it runs. */
    JsonNode runningJob() {
        List<JsonNode> running = new ArrayList<>();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            running.clear();
            for (JsonNode job : json("status").path("jobs")) {
                if (job.path("state").asText().equals("RUNNING")) {
                    running.add(job);
                }
            }
            assertThat(running).hasSize(1);
        });
        return running.get(0);
    }

    /** Returns the sum of a metric over the tasks of a job's vertex table, as Flink fetched it last. */
    long vertexTableMetric(String job, String name) {
        JsonNode vertices = ask("/jobs/" + job).path("vertices");
        for (JsonNode vertex : vertices) {
            if (vertex.path("name").asText().startsWith("vertex table")) {
                return ask("/jobs/%s/vertices/%s/subtasks/metrics?agg=sum&get=vertex_table.cutwater.%s"
                                .formatted(job, vertex.path("id").asText(), name))
                        .path(0)
                        .path("sum")
                        .asLong();
            }
        }
        throw new AssertionError("no vertex table in " + vertices);
    }

    /** Waits until the table of a job says what others have written to the topic of its loop. */
    void awaitPollution(String job, int malformed) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            assertThat(vertexTableMetric(job, "malformedUpdates")).isEqualTo(malformed);
            assertThat(vertexTableMetric(job, "staleUpdates")).isPositive();
            assertThat(vertexTableMetric(job, "duplicateUpdates")).isPositive();
        });
    }

    /** Waits until the ports for Prometheus answer with the metrics of the job. */
    void awaitMetrics(PrometheusPorts ports) {
        assertThat(health().path("metricsPorts").asText()).isEqualTo(ports.range());
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            String scraped = String.join("", ports.scrape());
            assertThat(PrometheusPorts.value(scraped, "cutwater_edges")).isEqualTo(edges());
            assertThat(PrometheusPorts.value(scraped, "cutwater_replication_factor"))
                    .isBetween(1.0, 8.0);
            assertThat(PrometheusPorts.value(scraped, "cutwater_cache_hit_rate"))
                    .isBetween(0.0, 1.0);
            assertThat(PrometheusPorts.value(scraped, "rocksdb_total_sst_files_size"))
                    .isPositive();
        });
    }

    private JsonNode ask(String path) {
        try {
            HttpsURLConnection connection = (HttpsURLConnection)
                    URI.create("https://" + flink + path).toURL().openConnection();
            connection.setSSLSocketFactory(
                    ClusterSettings.credentials(Path.of(dir)).sslContext().getSocketFactory());
            return JSON.readTree(connection.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until more edges are committed than now. */
    void awaitProgress() {
        int before = committedEdges();
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .ignoreException(BrokerException.class)
                .until(() -> committedEdges() > before);
    }

    /** Waits until as many edges are committed as the files have that were made so far; more is wrong at once. */
    void awaitAllEdges() {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .ignoreException(BrokerException.class)
                .until(() -> committedEdges() >= edges());
        assertThat(committedEdges()).isEqualTo(edges());
    }

    /** Returns the number of committed edges; reads only what was committed since the last call. */
    synchronized int committedEdges() {
        int[] change = new int[1];
        try (TopicAdmin admin = TopicAdmin.connect(servers, Map.of())) {
            Map<Integer, Long> ends = new CommittedEnds(servers, Map.of(), new Topics("")).ofShards(admin);
            new ShardTopicReader(servers, Map.of())
                    .read(
                            SHARDS,
                            counted,
                            ends,
                            (shard, header, edges) ->
                                    change[0] += header.kind().change().isEntering() ? edges.size() : -edges.size());
            counted.putAll(ends);
        }
        committed += change[0];
        return committed;
    }

    /**
     * Counts again from the topic of shards alone: each edge is there once, and the status says what this count says.
     */
    void assertThatEveryEdgeIsThereOnceAndTheStatusTellsIt() {
        List<Placed> shards = shards();
        assertThat(shards.stream().map(Placed::edge).sorted(ORDER).toList())
                .isEqualTo(ingested.stream().sorted(ORDER).toList());
        int k = runningJob().path("partitions").asInt();
        Map<Long, Long> replicas = new HashMap<>();
        long[] load = new long[k];
        for (Placed placed : shards) {
            replicas.merge(placed.edge().source(), 1L << placed.shard(), (a, b) -> a | b);
            replicas.merge(placed.edge().target(), 1L << placed.shard(), (a, b) -> a | b);
            load[placed.shard()]++;
        }
        double sum = replicas.values().stream().mapToInt(Long::bitCount).sum();
        double balance = (double) Arrays.stream(load).max().orElseThrow() * k / edges();
        // With several assigners replicas are known when they have come round the loop, a checkpoint after the edges.
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            JsonNode status = runningJob();
            assertThat(status.path("edges").asLong()).isEqualTo(edges());
            assertThat(status.path("vertices").asInt()).isEqualTo(replicas.size());
            assertThat(status.path("replicationFactor").asDouble()).isEqualTo(sum / replicas.size());
            assertThat(status.path("edgeBalance").asDouble()).isEqualTo(balance);
        });
    }

    private List<Placed> shards() {
        List<Placed> placed = new ArrayList<>();
        shardReader()
                .readAll(shard -> shard.edges().forEach(edges -> {
                    for (int i = 0; i < edges.size(); i++) {
                        placed.add(new Placed(shard.shard(), new Edge(edges.source(i), edges.target(i))));
                    }
                }));
        return placed;
    }

    private ShardReader shardReader() {
        return new ShardReader(servers, Map.of(), SHARDS);
    }
}
