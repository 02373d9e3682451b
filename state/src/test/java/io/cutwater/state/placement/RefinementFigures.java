package io.cutwater.state.placement;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.bulk.BulkRun;
import io.cutwater.state.bulk.PlacedInput;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.state.store.MapAdjacencyStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints the table of refinement of {@code deploy/docs/reference/benchmarks-buffers.md}. */
final class RefinementFigures {
    static final double SHARE = 0.1;
    static final PlacedEdges UNREAD = new PlacedEdges() {
        @Override
        public void placed(long source, long target, double weight, long timestamp, long key, int place) {}

        @Override
        public void changed(
                ShardChange change,
                long source,
                long target,
                double weight,
                long timestamp,
                long key,
                int shard,
                int place) {}
    };

    private RefinementFigures() {}

    /** A graph that doubles: its first half is placed in bulk, the other one live, with or without refinement. */
    public static void main(String... args) throws Exception {
        for (String file : List.of("cit-hepph/edges.time.txt.gz", "sx-mathoverflow/edges.time.txt.gz")) {
            EdgeBatch graph = SharedGraph.read("data/" + file);
            for (PartitioningKind kind : PartitioningKind.values()) {
                for (int k : new int[] {8, 32}) {
                    Placement fresh = recorded(kind, k, Map.of());
                    fresh.accept(bulk(kind, k, graph, graph.size()), UNREAD);
                    double bulk = print(file, k, "bulk", fresh, Double.NaN, graph.size());
                    EdgeBatch half = bulk(kind, k, graph, graph.size() / 2);
                    for (Map<String, String> setting :
                            List.of(Map.<String, String>of(), Map.of("buffer", Integer.toString(graph.size() / 50)))) {
                        for (double share : new double[] {0, SHARE}) {
                            Placement placement = recorded(kind, k, setting);
                            if (share > 0) {
                                placement.refine(share);
                            }
                            placement.accept(half, UNREAD);
                            live(placement, graph, half.size());
                            print(file, k, setting + ", refine " + share, placement, bulk, graph.size() - half.size());
                        }
                    }
                }
            }
        }
    }

    /** Returns a placement that keeps its edges in memory. */
    static Placement recorded(PartitioningKind kind, int k, Map<String, String> settings) {
        PartitionerOptions options =
                new PartitionerOptions(kind, "cutwater", k, Algorithms.DEFAULT_SEED, PassMode.LIVE, settings);
        Algorithm algorithm = Algorithms.of(options);
        MapAdjacencyStore store = new MapAdjacencyStore();
        return algorithm.placement(
                options,
                new VertexTable(algorithm.layout(options).withCounts()),
                new PartitionLoads(k),
                kind == PartitioningKind.EDGE
                        ? StoredEdges.ofEdges(store, 1 << 20)
                        : StoredEdges.ofVertices(store, 1 << 20));
    }

    /** Returns the first edges of a graph with their places. */
    private static EdgeBatch bulk(PartitioningKind kind, int k, EdgeBatch graph, int edges) throws Exception {
        EdgeBatch part = new EdgeBatch(edges);
        for (int i = 0; i < edges; i++) {
            part.addFrom(graph, i);
        }
        PartitionerOptions options =
                new PartitionerOptions(kind, "cutwater", k, Algorithms.DEFAULT_SEED, PassMode.BULK, Map.of());
        try (TemporaryFolder scratch = TemporaryFolder.create();
                BulkRun run = BulkRun.create(new BulkRequest(options, null), scratch.path())) {
            run.add(part);
            run.place(BulkProgress.NONE);
            try (PlacedInput places = run.places(0)) {
                places.fill(part);
            }
        }
        return part;
    }

    private static void live(Placement placement, EdgeBatch graph, int from) {
        EdgeBatch batch = new EdgeBatch();
        for (int i = from; i < graph.size(); i++) {
            batch.addFrom(graph, i);
            if (batch.size() == EdgeBatch.DEFAULT_CAPACITY || i + 1 == graph.size()) {
                placement.accept(batch, UNREAD);
                batch.clear();
            }
        }
        placement.placeHeld(UNREAD);
    }

    private static double print(String file, int k, String what, Placement placement, double bulk, int growth) {
        Quality quality = placement.quality(0);
        double value = quality.edgeCutRatio().orElse(quality.replicationFactor());
        System.out.printf(
                Locale.ROOT,
                "%s, k %d, %s: %s %.3f, %.3f of bulk, load balance %.3f, vertex balance %.2f, moved %.3f of the growth%n",
                file,
                k,
                what,
                quality.edgeCutRatio().isPresent() ? "cut" : "RF",
                value,
                value / bulk,
                quality.loadBalance(),
                quality.vertexBalance(),
                (double) placement.refinedEdges() / growth);
        return value;
    }
}
