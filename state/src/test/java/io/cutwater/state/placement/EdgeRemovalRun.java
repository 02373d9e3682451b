package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.algorithm.TextbookMultigraph;
import io.cutwater.state.algorithm.TextbookMultigraph.Copy;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.joint.JointPartitioner;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.rule.BufferedPartitioner;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.rule.RunningCap;
import io.cutwater.state.store.MapAdjacencyStore;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A job of an edge partitioning at random: an edge is on one partition, a vertex where its edges are. */
final class EdgeRemovalRun implements PlacedEdges {
    private static final double IMBALANCE = 0.05;

    private final String algorithm;
    final SplittableRandom random;
    /** Cutwater with a buffer whose edges are placed together; a name of these tests only. */
    static final String JOINT = "cutwater, joint";

    /** Cutwater that moves edges to better places; a name of these tests only. */
    static final String REFINED = "cutwater, refined";

    private final boolean isCapped;
    final TextbookMultigraph textbook = new TextbookMultigraph();
    final MapVertexStore store = new MapVertexStore();
    final MapAdjacencyStore adjacency = new MapAdjacencyStore();
    private final Map<Long, Map<Integer, Long>> counts = new HashMap<>();
    private final Map<Long, Integer> masters = new HashMap<>();
    final Map<Long, VertexRow> book = new HashMap<>();
    private final long maxBytes;
    private final int appendCounts;
    private final String window;
    private final boolean isTogether;
    int k;
    private int open;
    VertexTable vertices;
    PartitionLoads loads;
    Placement assigner;
    private boolean isLive;
    private long unknownRemovals;
    private int evictedFrom;

    private record VertexRow(int master, List<Integer> replicas) {}

    EdgeRemovalRun(String algorithm, long seed, boolean hasSmallCache) {
        this.algorithm = algorithm;
        random = new SplittableRandom(seed);
        isCapped = algorithm.equals("cutwater") || algorithm.equals("sigma-edge");
        maxBytes = hasSmallCache ? 1 : Long.MAX_VALUE;
        appendCounts = random.nextBoolean() ? 0 : 64;
        window = seed % 4 == 3 ? "1000" : "20"; // the former has every chain of edges that wait long
        isTogether = seed % 3 > 0;
        k = random.nextInt(1, 70);
        loads = new PartitionLoads(k);
        begin(0);
    }

    private void begin(long vertexCount) {
        Map<String, String> settings = switch (algorithm) {
            case "cutwater" -> Map.of("window", window);
            case JOINT -> Map.of("buffer", window);
            case REFINED -> Map.of(isTogether ? "buffer" : "window", window);
            default -> Map.of();
        };
        String name = algorithm.replaceFirst(",.*", "");
        EdgePartitioner partitioner =
                Algorithms.edgePartitioner(PartitionerOptions.ofEdges(name, k, 7, PassMode.LIVE, settings));
        VertexLayout layout = partitioner.layout(k).withCounts();
        vertices = new VertexTable(layout, store, maxBytes, vertexCount, this::tell);
        KeptEdges kept = StoredEdges.ofEdgesByBothEnds(adjacency, appendCounts);
        EdgePartitioner checked = partitioner instanceof BufferedPartitioner || partitioner instanceof JointPartitioner
                ? partitioner
                : new CheckedPartitioner(
                        partitioner,
                        () -> Arrays.copyOf(loads.edges(), open),
                        () -> Arrays.copyOf(loads.vertices(), open));
        assigner = new Placement(checked, vertices, loads, kept);
        if (algorithm.equals(REFINED)) {
            assigner.refine(0.5, 20);
        }
        open = k;
    }

    private void tell(VertexTable table, int slot, boolean isMoved) {
        VertexBatch row = new VertexBatch();
        table.appendTo(row, slot);
        List<Integer> replicas = new ArrayList<>();
        for (int i = 0; i < row.replicaCount(0); i++) {
            replicas.add(row.replicas()[i]);
        }
        if (replicas.isEmpty()) {
            book.remove(row.vertex(0));
        } else {
            book.put(row.vertex(0), new VertexRow(row.master(0), replicas));
        }
    }

    void accept(EdgeBatch batch) {
        textbook.stream(batch);
        isLive = !batch.hasPlaces();
        assigner.accept(batch, this);
    }

    @Override
    public void placed(long source, long target, double weight, long timestamp, long key, int place) {
        int partition = Place.ofSource(place);
        assertThat(place).isEqualTo(Place.of(partition));
        if (isLive) {
            assertThat(partition).isLessThan(open);
            long[] edges = loads.edges();
            edges[partition]--; // as it was before
            long total = Stream.iterate(0, p -> p + 1)
                    .limit(open)
                    .mapToLong(p -> edges[p])
                    .sum();
            if (isCapped) {
                double imbalance = algorithm.equals("cutwater") ? IMBALANCE : 0.1;
                assertThat((double) edges[partition]).isLessThan(RunningCap.of((double) total / open, imbalance));
            }
        }
        textbook.placed(source, target, weight, timestamp, key, place);
        count(source, partition, 1);
        count(target, partition, 1);
    }

    @Override
    public void changed(
            ShardChange change,
            long source,
            long target,
            double weight,
            long timestamp,
            long key,
            int shard,
            int owners) {
        textbook.changed(change, source, target, weight, timestamp, key, shard, owners);
        assertThat(owners).isEqualTo(Place.of(shard));
        switch (change) {
            case REMOVE -> {
                count(source, shard, -1);
                count(target, shard, -1);
            }
            case EVICT -> evictedFrom = shard;
            case ADOPT -> {
                // A vertex that moves with its only edge is never nowhere.
                count(source, shard, 1);
                count(target, shard, 1);
                count(source, evictedFrom, -1);
                count(target, evictedFrom, -1);
            }
            default -> throw new AssertionError(change);
        }
    }

    private void count(long vertex, int partition, int change) {
        Map<Integer, Long> at = counts.computeIfAbsent(vertex, v -> new TreeMap<>());
        long count = at.merge(partition, (long) change, Long::sum);
        masters.putIfAbsent(vertex, partition);
        if (count == 0) {
            at.remove(partition);
            if (masters.get(vertex) == partition) {
                masters.remove(vertex);
                at.entrySet().stream()
                        .max(Map.Entry.<Integer, Long>comparingByValue()
                                .thenComparing(Map.Entry.<Integer, Long>comparingByKey()
                                        .reversed()))
                        .ifPresent(most -> masters.put(vertex, most.getKey()));
            }
        }
        if (at.isEmpty()) {
            counts.remove(vertex);
        }
    }

    void moveSome() {
        List<Map.Entry<Integer, Copy>> entries = textbook.entries();
        for (int i = 0; i < 5 && !entries.isEmpty(); i++) {
            Map.Entry<Integer, Copy> entry = entries.remove(random.nextInt(entries.size()));
            move(entry.getKey(), entry.getValue(), random.nextInt(k));
        }
        assertThat(assigner.move(1, 999, 0, k - 1, this)).isZero();
    }

    private void move(int from, Copy copy, int to) {
        long moved = assigner.move(copy.edge().source(), copy.edge().target(), from, to, this);
        assertThat(moved).isEqualTo(from == to ? 0 : 1);
    }

    void restrict() {
        open = random.nextInt(1, k + 1);
        assigner.restrictTo(open);
    }

    /** Restarts like a job from a checkpoint, perhaps with another number of partitions. */
    void restart(int partitions) {
        if (partitions < k) {
            assigner.restrictTo(partitions);
            for (Map.Entry<Integer, Copy> entry : textbook.entries()) {
                if (entry.getKey() >= partitions) {
                    move(entry.getKey(), entry.getValue(), random.nextInt(partitions));
                }
            }
        }
        List<byte[]> snapshot = assigner.snapshot();
        EdgeBatch held = assigner.heldEdges();
        vertices.flush();
        unknownRemovals += assigner.unknownRemovals();
        loads = loads.resized(partitions);
        k = partitions;
        begin(vertices.vertexCount());
        assigner.restore(snapshot, held);
    }

    void check() {
        EdgeBatch held = assigner.heldEdges();
        textbook.assertHolds(held);
        assertThat(unknownRemovals + assigner.unknownRemovals()).isEqualTo(textbook.unknownRemovals());
        long[] edges = new long[k];
        textbook.entries().forEach(entry -> edges[entry.getKey()]++);
        assertThat(loads.edges()).isEqualTo(edges);
        long[] replicas = new long[k];
        counts.values().forEach(at -> at.keySet().forEach(p -> replicas[p]++));
        assertThat(loads.vertices()).isEqualTo(replicas);
        assertThat(loads.totalVertices()).isEqualTo(counts.size());
        Map<Long, Long> waiting = new HashMap<>();
        for (int i = 0; i < held.size(); i++) {
            waiting.merge(held.source(i), 1L, Long::sum);
            waiting.merge(held.target(i), 1L, Long::sum);
        }
        vertices.flush();
        assertThat(vertices.vertexCount()).isEqualTo(textbook.vertices().size()).isEqualTo(store.size());
        Map<Long, Map<Map.Entry<Integer, Copy>, Long>> placed = new HashMap<>();
        textbook.entries()
                .forEach(entry -> placed.computeIfAbsent(entry.getValue().edge().source(), v -> new HashMap<>())
                        .merge(entry, 1L, Long::sum));
        for (long vertex : textbook.vertices()) {
            check(vertex, waiting.getOrDefault(vertex, 0L), placed.getOrDefault(vertex, Map.of()));
        }
        Map<Long, VertexRow> expected = new LinkedHashMap<>();
        counts.forEach(
                (vertex, at) -> expected.put(vertex, new VertexRow(masters.get(vertex), List.copyOf(at.keySet()))));
        assertThat(book).isEqualTo(expected);
    }

    private void check(long vertex, long waiting, Map<Map.Entry<Integer, Copy>, Long> placed) {
        Map<Integer, Long> at = counts.getOrDefault(vertex, Map.of());
        int slot = vertices.slot(vertex);
        assertThat(vertices.degree(slot))
                .isEqualTo(waiting + at.values().stream().mapToLong(n -> n).sum());
        assertThat(vertices.replicaCount(slot)).isEqualTo(at.size());
        at.forEach((p, count) -> {
            assertThat(vertices.edgesAt(slot, p)).isEqualTo(count);
            assertThat(vertices.hasReplica(slot, p)).isEqualTo(p < open);
        });
        assertThat(vertices.master(slot)).isEqualTo(masters.getOrDefault(vertex, VertexTable.NO_MASTER));
        EdgeBatch kept = new EdgeBatch();
        assigner.keptEdges(vertex, kept);
        Map<Map.Entry<Integer, Copy>, Long> found = new HashMap<>();
        for (int i = 0; i < kept.size(); i++) {
            Copy copy = new Copy(
                    new TextbookMultigraph.Edge(kept.source(i), kept.target(i)),
                    kept.weight(i),
                    kept.timestamp(i),
                    kept.key(i),
                    kept.place(i));
            found.merge(Map.entry(Place.ofSource(kept.place(i)), copy), 1L, Long::sum);
        }
        assertThat(found).isEqualTo(placed);
    }
}
