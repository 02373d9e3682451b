package io.cutwater.state.repartition;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.bulk.BulkRun;
import io.cutwater.state.bulk.PlacedInput;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.VertexSlots;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.parts.ThreadExchange;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongToIntFunction;
import java.util.function.Predicate;

/**
 * A graph in memory that grows, with a placement that moves change: what the job does with a stream and with the moves
 * of a plan, for tests and measurements.
 */
public final class PlacedGraph {
    private static final long SEED = Algorithms.DEFAULT_SEED;

    private final PartitioningKind kind;
    private final String algorithm;
    private final Path folder;
    private final EdgeBatch edges = new EdgeBatch(1 << 16);
    private Placement placement;
    private int partitions;

    private final PlacedEdges placed = (source, target, weight, timestamp, key, place) -> {
        edges.add(source, target);
        edges.setPlace(edges.size() - 1, place);
    };

    /** An edge, or one end of it, on a partition. */
    private record OnPartition(long source, long target, int partition) {}

    /**
     * A graph without an edge.
     *
     * @param algorithm that places edges live
     * @param folder for scratch files
     */
    public PlacedGraph(PartitioningKind kind, String algorithm, int partitions, Path folder) {
        this.kind = kind;
        this.algorithm = algorithm;
        this.partitions = partitions;
        this.folder = folder;
        placement = placement();
    }

    private Placement placement() {
        PartitionerOptions options = live(partitions);
        Algorithm ofStream = Algorithms.of(options);
        return ofStream.placement(
                options, new VertexTable(ofStream.layout(options)), new PartitionLoads(partitions), null);
    }

    private PartitionerOptions live(int partitionCount) {
        return new PartitionerOptions(kind, algorithm, partitionCount, SEED, PassMode.LIVE, Map.of());
    }

    /** Places edges {@code from} to {@code to} − 1 of a graph live. */
    public void live(EdgeBatch graph, int from, int to) {
        EdgeBatch batch = new EdgeBatch();
        for (int i = from; i < to; i++) {
            batch.addFrom(graph, i);
            if (batch.size() == EdgeBatch.DEFAULT_CAPACITY || i + 1 == to) {
                placement.accept(batch, placed);
                batch.clear();
            }
        }
    }

    /** Places the edges that wait. */
    public void placeHeld() {
        placement.placeHeld(placed);
    }

    /** Places edges {@code from} to {@code to} − 1 of a graph in bulk. */
    public void bulk(EdgeBatch graph, int from, int to) throws IOException, InterruptedException {
        EdgeBatch part = new EdgeBatch(Math.max(1, to - from));
        for (int i = from; i < to; i++) {
            part.addFrom(graph, i);
        }
        PartitionerOptions options =
                new PartitionerOptions(kind, "cutwater", partitions, SEED, PassMode.BULK, Map.of());
        try (TemporaryFolder scratch = TemporaryFolder.in(folder, "bulk");
                BulkRun run = BulkRun.create(new BulkRequest(options, null), scratch.path())) {
            run.add(part);
            run.place(BulkProgress.NONE);
            try (PlacedInput places = run.places(0)) {
                places.fill(part);
            }
        }
        edges.addAll(part);
    }

    /** Plans a re-partitioning and carries it out if wanted; later edges are placed live after it. */
    public RepartitionPlan repartition(int after, double budget, Predicate<RepartitionPlan> isMade)
            throws IOException, InterruptedException {
        return repartition(after, budget, isMade, 1);
    }

    /**
     * Plans a re-partitioning in parts, each with the edges of the vertices of some buckets, and carries it out if
     * wanted.
     */
    public RepartitionPlan repartition(int after, double budget, Predicate<RepartitionPlan> isMade, int parts)
            throws IOException, InterruptedException {
        RepartitionRequest request = new RepartitionRequest(live(after), partitions, budget);
        RepartitionRun[] runs = new RepartitionRun[parts];
        try (TemporaryFolder scratch = TemporaryFolder.in(folder, "run")) {
            try {
                RepartitionPlan plan = plan(request, scratch.path(), runs);
                if (isMade.test(plan)) {
                    for (RepartitionRun run : runs) {
                        try (Moves moves = run.moves()) {
                            move(moves);
                        }
                    }
                    partitions = after;
                    EdgeBatch held = placement.heldEdges();
                    placement = placement();
                    EdgeBatch copy = new EdgeBatch(Math.max(1, edges.size()));
                    copy.addAll(edges);
                    placement.accept(copy, (source, target, weight, timestamp, key, partition) -> {});
                    if (!held.isEmpty()) {
                        placement.accept(held, placed);
                    }
                }
                return plan;
            } finally {
                for (RepartitionRun run : runs) {
                    if (run != null) {
                        run.close();
                    }
                }
            }
        }
    }

    private RepartitionPlan plan(RepartitionRequest request, Path scratch, RepartitionRun[] runs)
            throws IOException, InterruptedException {
        if (runs.length == 1) {
            runs[0] = RepartitionRun.create(request, scratch.resolve("0"));
            runs[0].add(edges);
            return runs[0].plan(BulkProgress.NONE);
        }
        LongToIntFunction owner = vertex -> Hashing.bucket(vertex, runs.length);
        return ThreadExchange.run(runs.length, exchange -> {
                    int part = exchange.part();
                    Path folderOfPart = scratch.resolve(Integer.toString(part));
                    runs[part] = RepartitionRun.create(request, folderOfPart, exchange, owner);
                    runs[part].add(edgesOf(part, owner));
                    for (int i = 0; i < edges.size() && kind.hasOwners(); i++) {
                        own(runs[part], edges.source(i), Place.ofSource(edges.place(i)), part, owner);
                        own(runs[part], edges.target(i), Place.ofTarget(edges.place(i)), part, owner);
                    }
                    return runs[part].plan(BulkProgress.NONE);
                })
                .get(0);
    }

    private static void own(RepartitionRun run, long vertex, int place, int part, LongToIntFunction owner)
            throws IOException {
        if (owner.applyAsInt(vertex) == part) {
            run.own(vertex, place);
        }
    }

    private EdgeBatch edgesOf(int part, LongToIntFunction owner) {
        EdgeBatch own = new EdgeBatch();
        for (int i = 0; i < edges.size(); i++) {
            if (owner.applyAsInt(edges.source(i)) == part) {
                own.addFrom(edges, i);
            }
        }
        return own;
    }

    private void move(Moves moves) throws IOException {
        Map<OnPartition, Deque<Integer>> places = new HashMap<>();
        Map<Long, Integer> owners = new HashMap<>();
        while (moves.next()) {
            if (kind.hasOwners()) {
                owners.put(moves.source(), moves.to());
            } else {
                places.computeIfAbsent(
                                new OnPartition(moves.source(), moves.target(), moves.from()),
                                place -> new ArrayDeque<>())
                        .add(moves.to());
            }
        }
        for (int i = 0; i < edges.size(); i++) {
            int place = edges.place(i);
            if (kind.hasOwners()) {
                edges.setPlace(
                        i,
                        Place.of(
                                owners.getOrDefault(edges.source(i), Place.ofSource(place)),
                                owners.getOrDefault(edges.target(i), Place.ofTarget(place))));
            } else {
                Deque<Integer> to =
                        places.get(new OnPartition(edges.source(i), edges.target(i), Place.ofSource(place)));
                if (to != null && !to.isEmpty()) {
                    edges.setPlace(i, Place.of(to.poll()));
                }
            }
        }
    }

    /** k. */
    int partitions() {
        return partitions;
    }

    /** Returns the quality of the placement by a recount. */
    public Quality quality() {
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        if (kind.hasOwners()) {
            return Quality.of(graph, owners(graph), partitions);
        }
        VertexSlots slots = new VertexSlots(graph.vertexCount());
        BitSet replicas = new BitSet(); // of slot and partition
        long[] edgeCounts = new long[partitions];
        long[] vertexCounts = new long[partitions];
        for (int i = 0; i < edges.size(); i++) {
            int partition = Place.ofSource(edges.place(i));
            edgeCounts[partition]++;
            for (long vertex : new long[] {edges.source(i), edges.target(i)}) {
                int replica = slots.slot(vertex) * partitions + partition;
                vertexCounts[partition] += replicas.get(replica) ? 0 : 1;
                replicas.set(replica);
            }
        }
        return Quality.of(new PartitionLoads(edgeCounts, vertexCounts, graph.vertexCount()), 0);
    }

    private int[] owners(AdjacencyGraph graph) {
        Map<Long, Integer> owners = new HashMap<>();
        for (int i = 0; i < edges.size(); i++) {
            owners.put(edges.source(i), Place.ofSource(edges.place(i)));
            owners.put(edges.target(i), Place.ofTarget(edges.place(i)));
        }
        int[] of = new int[graph.vertexCount()];
        for (int v = 0; v < of.length; v++) {
            of[v] = owners.getOrDefault(graph.vertex(v), 0); // every vertex has an edge, and so an owner
        }
        return of;
    }
}
