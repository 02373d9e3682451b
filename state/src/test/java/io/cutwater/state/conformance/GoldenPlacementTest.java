package io.cutwater.state.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.bulk.BulkRun;
import io.cutwater.state.bulk.PlacedInput;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.repartition.Moves;
import io.cutwater.state.repartition.RepartitionRequest;
import io.cutwater.state.repartition.RepartitionRun;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.store.MapAdjacencyStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pins the placements of every algorithm, and the state that its checkpoints hold, on small generated graphs. A digest
 * that changes means that the same input gives other shards, or that the state of a running job no longer restores.
 */
class GoldenPlacementTest {
    private static final String GOLDEN = "/golden-placements.properties";
    private static final int MEMORY = 1 << 16;

    @TempDir
    private Path folder;

    /** One placement that is pinned; {@code way} tells how the graph is read. */
    private record Subject(String way, PartitionerOptions options) {
        @Override
        public String toString() {
            return "%s-%s-%s-k%d-%s"
                    .formatted(
                            options.kind().label(),
                            way,
                            options.algorithm(),
                            options.partitionCount(),
                            String.join("+", options.settings().values()));
        }
    }

    static Stream<Subject> subjects() {
        List<Subject> subjects = new ArrayList<>();
        for (String name : Algorithms.names(PartitioningKind.EDGE)) {
            for (int k : new int[] {4, 70}) {
                if (name.equals("sigma-edge")) {
                    subjects.add(subject(
                            PartitioningKind.EDGE, "passes", name, k, PassMode.BULK, "clustering", "edge-stream"));
                } else if (!name.equals("cutwater")) {
                    subjects.add(subject(PartitioningKind.EDGE, "passes", name, k, PassMode.BULK));
                }
                if (Algorithms.get(PartitioningKind.EDGE, name).runs(PassMode.LIVE)) {
                    subjects.add(subject(PartitioningKind.EDGE, "live", name, k, PassMode.LIVE));
                    subjects.add(subject(PartitioningKind.EDGE, "kept", name, k, PassMode.LIVE));
                }
            }
        }
        subjects.add(subject(PartitioningKind.EDGE, "live", "cutwater", 5, PassMode.LIVE, "window", "40"));
        subjects.add(subject(PartitioningKind.EDGE, "live", "cutwater", 6, PassMode.LIVE, "buffer", "400"));
        subjects.add(subject(PartitioningKind.EDGE, "kept", "cutwater", 6, PassMode.LIVE, "buffer", "400"));
        subjects.add(subject(PartitioningKind.EDGE, "live", "sigma-edge", 5, PassMode.LIVE, "clustering", "none"));
        subjects.add(subject(PartitioningKind.EDGE, "passes", "sigma-edge", 5, PassMode.BULK, "clustering", "none"));
        for (String name : Algorithms.names(PartitioningKind.VERTEX, PassMode.LIVE)) {
            for (int k : new int[] {4, 70}) {
                subjects.add(subject(PartitioningKind.VERTEX, "live", name, k, PassMode.LIVE));
                subjects.add(subject(PartitioningKind.VERTEX, "kept", name, k, PassMode.LIVE));
            }
        }
        subjects.add(subject(PartitioningKind.VERTEX, "live", "cutwater", 5, PassMode.LIVE, "window", "40"));
        subjects.add(subject(PartitioningKind.VERTEX, "live", "cutwater", 6, PassMode.LIVE, "buffer", "400"));
        subjects.add(subject(PartitioningKind.VERTEX, "kept", "cutwater", 6, PassMode.LIVE, "buffer", "400"));
        for (PartitioningKind kind : PartitioningKind.values()) {
            for (String name : placedAsGraph(kind)) {
                subjects.add(subject(kind, "bulk", name, 4, PassMode.BULK));
                subjects.add(subject(kind, "bulk", name, 70, PassMode.BULK));
                subjects.add(subject(kind, "training", name, 6, PassMode.BULK));
            }
            subjects.add(subject(kind, "moves", "cutwater", 6, PassMode.LIVE));
        }
        return subjects.stream();
    }

    private static List<String> placedAsGraph(PartitioningKind kind) {
        return kind == PartitioningKind.EDGE ? List.of("cutwater", "sigma-edge") : Algorithms.names(kind);
    }

    private static Subject subject(
            PartitioningKind kind, String way, String algorithm, int k, PassMode mode, String... settings) {
        Map<String, String> set = settings.length == 0 ? Map.of() : Map.of(settings[0], settings[1]);
        return new Subject(way, new PartitionerOptions(kind, algorithm, k, 3L * k, mode, set));
    }

    /** R-MAT with 512 ids, and a graph of communities that shares some of them. */
    private static EdgeBatch graph() {
        EdgeBatch graph = new EdgeBatch();
        SyntheticGraph.rmat(9, 7).fill(graph, 1500);
        SyntheticGraph.growingCommunities(12, 7).fill(graph, 1500);
        for (int i = 0; i < graph.size(); i++) {
            graph.setTimestamp(i, i);
        }
        return graph;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void placesAndStateAreThoseOfBefore(Subject subject) throws Exception {
        assertThat(digest(subject)).isEqualTo(golden().getProperty(subject.toString()));
    }

    @Test
    void everyPinnedPlacementIsStillChecked() throws IOException {
        assertThat(subjects().map(Subject::toString))
                .containsExactlyInAnyOrderElementsOf(golden().stringPropertyNames());
    }

    private static Properties golden() throws IOException {
        Properties golden = new Properties();
        try (InputStream in = GoldenPlacementTest.class.getResourceAsStream(GOLDEN)) {
            golden.load(in);
        }
        return golden;
    }

    private String digest(Subject subject) throws Exception {
        return switch (subject.way()) {
            case "bulk" -> bulk(subject.options());
            case "training" -> bulk(subject.options().withTraining(training()));
            case "moves" -> moves(subject.options());
            default -> stream(subject);
        };
    }

    private static TrainingVertices training() {
        return new TrainingVertices(
                LongStream.range(0, 512).filter(v -> v % 5 == 0).toArray(), 0.1);
    }

    private String bulk(PartitionerOptions options) throws Exception {
        EdgeBatch graph = graph();
        try (BulkRun run = BulkRun.create(new BulkRequest(options, null), folder)) {
            run.add(graph);
            run.place(BulkProgress.NONE);
            try (PlacedInput places = run.places(0)) {
                places.fill(graph);
            }
        }
        PlacementDigest digest = new PlacementDigest(options.kind());
        digest.add(graph);
        return digest.hex();
    }

    private String moves(PartitionerOptions options) throws Exception {
        PartitioningKind kind = options.kind();
        EdgeBatch graph = graph();
        PartitionerOptions before = new PartitionerOptions(kind, "cutwater", 5, 1, PassMode.BULK, Map.of());
        try (BulkRun run = BulkRun.create(new BulkRequest(before, null), folder.resolve("before"))) {
            run.add(graph);
            run.place(BulkProgress.NONE);
            try (PlacedInput places = run.places(0)) {
                places.fill(graph);
            }
        }
        PlacementDigest digest = new PlacementDigest(kind);
        for (double budget : new double[] {0.05, 1}) {
            RepartitionRequest request = new RepartitionRequest(options, 5, budget);
            try (RepartitionRun run = RepartitionRun.create(request, folder.resolve("run"))) {
                run.add(graph);
                run.plan(BulkProgress.NONE);
                try (Moves moves = run.moves()) {
                    while (moves.next()) {
                        digest.add(moves.source(), moves.target(), moves.from(), moves.to());
                    }
                }
            }
        }
        return digest.hex();
    }

    private static String stream(Subject subject) {
        boolean isKept = subject.way().equals("kept");
        PartitionerOptions options = subject.options();
        GoldenStream stream = new GoldenStream(graph(), subject.options().kind());
        if (subject.options().kind() == PartitioningKind.VERTEX) {
            VertexLayout layout =
                    Algorithms.get(PartitioningKind.VERTEX, options.algorithm()).layout(options);
            KeptEdges kept = isKept ? StoredEdges.ofVertices(new MapAdjacencyStore(), MEMORY) : null;
            PartitionLoads loads = new PartitionLoads(options.partitionCount());
            stream.open(isKept ? layout.withCounts() : layout, loads);
            stream.read(new Placement(Algorithms.vertexRule(options), stream.vertices(), loads, kept), 0, true);
        } else {
            EdgePartitioner partitioner = Algorithms.edgePartitioner(options);
            VertexLayout layout = partitioner.layout(options.partitionCount());
            KeptEdges kept = isKept ? StoredEdges.ofEdges(new MapAdjacencyStore(), MEMORY) : null;
            PartitionLoads loads = new PartitionLoads(options.partitionCount());
            stream.open(isKept ? layout.withCounts() : layout, loads);
            stream.read(
                    new Placement(partitioner, stream.vertices(), loads, kept), partitioner.preparationPasses(), false);
        }
        return stream.digest().hex();
    }
}
