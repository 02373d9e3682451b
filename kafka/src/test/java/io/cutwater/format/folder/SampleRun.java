package io.cutwater.format.folder;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.partition.PartitioningKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A random graph with a partition for every edge, or with an owner for every vertex, as a job would stage it, in plain
 * collections to compare with.
 */
public final class SampleRun {
    static final double WEIGHT_SHARE = 0.7;

    /** An edge as the sample keeps it; {@code NaN} and {@code Long.MIN_VALUE} for no weight and no timestamp. */
    public record Edge(long source, long target, double weight, long timestamp) {}

    public final PartitioningKind kind;
    public final int shardCount;
    public final List<Edge> input = new ArrayList<>();
    public final List<List<Edge>> shards = new ArrayList<>();
    public final Map<Long, Integer> owners = new HashMap<>();
    public final TreeMap<Long, TreeSet<Integer>> replicas = new TreeMap<>();
    final Map<Long, Long> degrees = new HashMap<>();
    final List<RejectedRecord> deadLetters = new ArrayList<>();
    private final SplittableRandom random;

    public SampleRun(long seed, int shardCount, int edges, int vertices, boolean hasWeights, boolean hasTimestamps) {
        this(PartitioningKind.EDGE, seed, shardCount, edges, vertices, hasWeights, hasTimestamps);
    }

    public SampleRun(
            PartitioningKind kind,
            long seed,
            int shardCount,
            int edges,
            int vertices,
            boolean hasWeights,
            boolean hasTimestamps) {
        this.kind = kind;
        this.shardCount = shardCount;
        random = new SplittableRandom(seed);
        for (int shard = 0; shard < shardCount; shard++) {
            shards.add(new ArrayList<>());
        }
        for (int i = 0; i < edges; i++) {
            long source = id(random.nextInt(vertices));
            long target = random.nextInt(20) == 0 ? source : id(random.nextInt(vertices));
            double weight = hasWeights && random.nextDouble() < WEIGHT_SHARE ? weight() : Double.NaN;
            long timestamp =
                    hasTimestamps && random.nextBoolean() ? random.nextLong(-5, 2_000_000_000L) : Long.MIN_VALUE;
            Edge edge = new Edge(source, target, weight, timestamp);
            if (kind == PartitioningKind.EDGE) {
                add(random.nextInt(shardCount), edge);
            } else {
                owners.computeIfAbsent(source, v -> random.nextInt(shardCount));
                owners.computeIfAbsent(target, v -> random.nextInt(shardCount));
                add(edge);
            }
        }
    }

    private static long id(int number) {
        return switch (number % 4) {
            case 0 -> number;
            case 1 -> -number;
            case 2 -> Long.MIN_VALUE + number / 4;
            default -> Long.MAX_VALUE - number / 4;
        };
    }

    private double weight() {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextInt(1000);
            case 1 -> -0.0;
            case 2 -> random.nextDouble() * 1e-300;
            case 3 -> 1e300 * (random.nextDouble() - 0.5);
            default -> random.nextDouble();
        };
    }

    /** Adds an edge of an edge partitioning. */
    public void add(int shard, Edge edge) {
        input.add(edge);
        addTo(shard, edge);
        count(edge);
    }

    /** Adds an edge of a vertex partitioning, whose {@link #owners} are known. */
    public void add(Edge edge) {
        input.add(edge);
        for (int shard : new TreeSet<>(List.of(owners.get(edge.source()), owners.get(edge.target())))) {
            addTo(shard, edge);
        }
        count(edge);
    }

    private void addTo(int shard, Edge edge) {
        shards.get(shard).add(edge);
        replicas.computeIfAbsent(edge.source(), v -> new TreeSet<>()).add(shard);
        replicas.computeIfAbsent(edge.target(), v -> new TreeSet<>()).add(shard);
    }

    private void count(Edge edge) {
        degrees.merge(edge.source(), 1L, Long::sum);
        degrees.merge(edge.target(), 1L, Long::sum);
    }

    /** The master's partition, or the owner. */
    int home(long vertex) {
        if (kind == PartitioningKind.VERTEX) {
            return owners.get(vertex);
        }
        SortedSet<Integer> parts = replicas.get(vertex);
        return degrees.get(vertex) % 2 == 0 ? parts.first() : parts.last();
    }

    public RunDescription description() {
        return new RunDescription(
                "0.1.0",
                "hdrf",
                Map.of("lambda", "1.1", "imbalance", "0.05"),
                7,
                shardCount,
                List.of(
                        new RunInput.File("edges.txt", 12),
                        new RunInput.Topic("edges", List.of(new RunInput.Offsets(0, 5, 10)))));
    }

    /** Stages everything in random batches. */
    public void stage(Path folder, long cutSeed) throws IOException {
        SplittableRandom cuts = new SplittableRandom(cutSeed);
        try (FolderStaging staging = FolderStaging.create(folder, shardCount)) {
            for (Step step : steps(cuts)) {
                step.run(staging);
            }
            staging.flush();
        }
    }

    /** One call of {@code append}. */
    interface Step {
        void run(FolderStaging staging) throws IOException;
    }

    /** All calls of {@code append}, shards mixed, each shard's edges in their order, the vertices in any. */
    List<Step> steps(SplittableRandom cuts) {
        List<Step> steps = new ArrayList<>();
        int[] next = new int[shardCount];
        List<Integer> open = new ArrayList<>();
        for (int shard = 0; shard < shardCount; shard++) {
            if (!shards.get(shard).isEmpty()) {
                open.add(shard);
            }
        }
        while (!open.isEmpty()) {
            int at = cuts.nextInt(open.size());
            int shard = open.get(at);
            List<Edge> edges = shards.get(shard);
            int to = Math.min(edges.size(), next[shard] + 1 + cuts.nextInt(1 << cuts.nextInt(1, 12)));
            EdgeBatch batch = placed(edges.subList(next[shard], to));
            steps.add(staging -> staging.append(shard, batch));
            next[shard] = to;
            if (to == edges.size()) {
                open.remove(at);
            }
        }
        List<Long> vertices = new ArrayList<>(replicas.keySet());
        Collections.shuffle(vertices, new Random(cuts.nextLong()));
        for (int from = 0; from < vertices.size(); ) {
            int to = Math.min(vertices.size(), from + 1 + cuts.nextInt(500));
            VertexBatch batch = rows(vertices.subList(from, to));
            steps.add(staging -> staging.append(batch));
            from = to;
        }
        deadLetters.forEach(record -> steps.add(staging -> staging.append(record)));
        return steps;
    }

    /** One format for each seed, in turn. */
    public static TableFormat format(long seed) {
        return List.of(TableFormat.CSV, TableFormat.PARQUET, TableFormat.NPY).get((int) seed % 3);
    }

    public static EdgeBatch batch(List<Edge> edges) {
        EdgeBatch batch = new EdgeBatch();
        for (Edge edge : edges) {
            batch.add(edge.source(), edge.target(), edge.weight(), edge.timestamp());
        }
        return batch;
    }

    private EdgeBatch placed(List<Edge> edges) {
        EdgeBatch batch = batch(edges);
        for (int i = 0; i < batch.size() && kind == PartitioningKind.VERTEX; i++) {
            batch.setPlace(i, Place.of(owners.get(batch.source(i)), owners.get(batch.target(i))));
        }
        return batch;
    }

    private VertexBatch rows(List<Long> vertices) {
        VertexBatch batch = new VertexBatch();
        for (long vertex : vertices) {
            batch.add(vertex, degrees.get(vertex), home(vertex));
            replicas.get(vertex).forEach(batch::addReplica);
        }
        return batch;
    }

    /** Stages and completes the run in one go. */
    public Manifest write(Path dir, TableFormat format) throws IOException {
        try (OutputFolder folder = OutputFolder.open(dir, false)) {
            stage(folder.staging(), 1);
            return folder.complete(kind, description(), format, 0, () -> "{}".getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The shards of a folder as lists of edges. */
    static List<List<Edge>> read(ShardFolder folder) throws IOException {
        List<List<Edge>> shards = new ArrayList<>();
        for (int shard = 0; shard < folder.shardCount(); shard++) {
            shards.add(new ArrayList<>());
        }
        folder.readEdges((shard, batch) -> {
            for (int i = 0; i < batch.size(); i++) {
                shards.get(shard).add(new Edge(batch.source(i), batch.target(i), batch.weight(i), batch.timestamp(i)));
            }
        });
        return shards;
    }

    /** Every file below a folder with its bytes, by its path. */
    public static Map<String, byte[]> files(Path root) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                files.put(root.relativize(path).toString(), Files.readAllBytes(path));
            }
        }
        return files;
    }

    /** Returns what is in a folder. */
    static List<Path> entries(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }
}
