package io.cutwater.state.repartition;

import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.bulk.BulkRun;
import io.cutwater.state.bulk.PlacedInput;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.OwnerPair;
import io.cutwater.state.partition.EdgeAssigner;
import io.cutwater.state.partition.EdgePartitioner;
import io.cutwater.state.partition.EdgePartitioners;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.PlacedEdges;
import io.cutwater.state.partition.StreamAssigner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import io.cutwater.state.vertex.LiveVertexAssigner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** A graph that grows, with a placement that moves change. */
final class PlacedGraph {
    static final long SEED = EdgePartitioners.DEFAULT_SEED;

    private final PartitioningKind kind;
    private final String algorithm;
    private final Path folder;
    private final EdgeBatch edges = new EdgeBatch(1 << 16);
    private EdgeBatch held = new EdgeBatch();
    private StreamAssigner assigner;
    private int partitions;

    private final PlacedEdges placed = new PlacedEdges() {
        @Override
        public void placed(long source, long target, double weight, long timestamp, int partition) {
            edges.add(source, target);
            edges.setPlace(edges.size() - 1, partition);
        }

        @Override
        public void placed(long source, long target, double weight, long timestamp, int ofSource, int ofTarget) {
            placed(source, target, weight, timestamp, OwnerPair.of(ofSource, ofTarget));
        }
    };

    private record Place(long source, long target, int partition) {}

    PlacedGraph(PartitioningKind kind, String algorithm, int partitions, Path folder) {
        this.kind = kind;
        this.algorithm = algorithm;
        this.partitions = partitions;
        this.folder = folder;
        assigner = assigner();
    }

    private StreamAssigner assigner() {
        PartitionerOptions options = new PartitionerOptions(algorithm, partitions, SEED);
        PartitionLoads loads = new PartitionLoads(partitions);
        if (kind == PartitioningKind.VERTEX) {
            return LiveVertexAssigner.of(options, new VertexTable(LiveVertexAssigner.layout(options)), loads);
        }
        EdgePartitioner partitioner = EdgePartitioners.create(options);
        return new EdgeAssigner(partitioner, new VertexTable(partitioner.layout(partitions)), loads);
    }

    EdgeBatch edges() {
        return edges;
    }

    /** Places edges {@code from} to {@code to} − 1 of a graph live. */
    void live(EdgeBatch graph, int from, int to) {
        EdgeBatch batch = new EdgeBatch();
        for (int i = from; i < to; i++) {
            batch.addFrom(graph, i);
            if (batch.size() == EdgeBatch.DEFAULT_CAPACITY || i + 1 == to) {
                assigner.accept(batch, placed);
                batch.clear();
            }
        }
    }

    void placeHeld() {
        assigner.placeHeld(placed);
    }

    /** Places edges {@code from} to {@code to} − 1 of a graph in bulk. */
    void bulk(EdgeBatch graph, int from, int to) throws IOException, InterruptedException {
        EdgeBatch part = new EdgeBatch(Math.max(1, to - from));
        for (int i = from; i < to; i++) {
            part.addFrom(graph, i);
        }
        PartitionerOptions options = new PartitionerOptions("cutwater", partitions, SEED, PassMode.BULK, Map.of());
        Path scratch = Files.createTempDirectory(folder, "bulk");
        try (BulkRun run = BulkRun.create(new BulkRequest(kind, options, null), scratch)) {
            run.add(part);
            run.place(BulkProgress.NONE);
            try (PlacedInput places = run.places(0)) {
                places.fill(part);
            }
        }
        edges.addAll(part);
    }

    /** Plans and makes a re-partitioning; then edges are placed live behind it again. */
    RepartitionPlan repartition(int after, double budget, boolean isMade) throws IOException, InterruptedException {
        RepartitionRequest request =
                new RepartitionRequest(kind, new PartitionerOptions(algorithm, after, SEED), partitions, budget);
        try (RepartitionRun run = RepartitionRun.create(request, Files.createTempDirectory(folder, "run"))) {
            run.add(edges);
            RepartitionPlan plan = run.plan(BulkProgress.NONE);
            if (isMade) {
                try (Moves moves = run.moves()) {
                    move(moves);
                }
                partitions = after;
                held = assigner.heldEdges();
                assigner = assigner();
                EdgeBatch copy = new EdgeBatch(Math.max(1, edges.size()));
                copy.addAll(edges);
                assigner.accept(copy, (source, target, weight, timestamp, partition) -> {});
                if (!held.isEmpty()) {
                    assigner.accept(held, placed);
                }
            }
            return plan;
        }
    }

    private void move(Moves moves) throws IOException {
        Map<Place, Deque<Integer>> places = new HashMap<>();
        Map<Long, Integer> owners = new HashMap<>();
        while (moves.next()) {
            if (kind == PartitioningKind.VERTEX) {
                owners.put(moves.source(), moves.to());
            } else {
                places.computeIfAbsent(
                                new Place(moves.source(), moves.target(), moves.from()), place -> new ArrayDeque<>())
                        .add(moves.to());
            }
        }
        for (int i = 0; i < edges.size(); i++) {
            int place = edges.place(i);
            if (kind == PartitioningKind.VERTEX) {
                edges.setPlace(
                        i,
                        OwnerPair.of(
                                owners.getOrDefault(edges.source(i), OwnerPair.ofSource(place)),
                                owners.getOrDefault(edges.target(i), OwnerPair.ofTarget(place))));
            } else {
                Deque<Integer> to = places.get(new Place(edges.source(i), edges.target(i), place));
                if (to != null && !to.isEmpty()) {
                    edges.setPlace(i, to.poll());
                }
            }
        }
    }

    /** Of what is placed: a recount. */
    Quality quality() throws IOException, InterruptedException {
        return repartition(partitions, Double.MIN_NORMAL, false).before();
    }
}
