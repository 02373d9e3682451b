package io.cutwater.state.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.disk.places.PlacesFile;
import io.cutwater.state.edges.DistinctEdges;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.graph.NetEdges;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.graph.VertexPass;
import io.cutwater.state.scratch.ScratchFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiskGraphTest {
    private static final ReadProgress UNSEEN = (pass, share) -> {};

    @TempDir
    Path folder;

    private DiskGraph graph(EdgeBatch edges, @Nullable DuplicateRule dedupe, int maxInts) throws IOException {
        try (DiskGraphBuilder builder = new DiskGraphBuilder(new ScratchFolder(folder), dedupe, maxInts)) {
            builder.add(edges);
            return builder.build(UNSEEN);
        }
    }

    /** Memory for 2 to 2000 numbers: every edge dealt out a few times, or all sorted at once. */
    @ParameterizedTest
    @ValueSource(ints = {2, 13, 50, 2000})
    void isTheGraphInMemoryWithVerticesInAscendingOrder(int maxInts) throws IOException {
        for (long seed = 0; seed < 40; seed++) {
            EdgeBatch edges = RandomGraphs.graph(seed);
            assertSame(graph(edges, null, maxInts), AdjacencyGraph.sorted(edges), "seed " + seed);
            new ScratchFolder(folder).clear();
            assertThat(folder).isEmptyDirectory();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 50, 2000})
    void keepsTheFirstOfEqualEdges(int maxInts) throws IOException {
        for (DuplicateRule rule : DuplicateRule.values()) {
            for (long seed = 0; seed < 20; seed++) {
                EdgeBatch edges = RandomGraphs.graph(seed);
                DiskGraph graph = graph(edges, rule, maxInts);
                EdgeBatch distinct = new EdgeBatch();
                try (RowMarks marks = graph.marks()) {
                    for (int i = 0; i < edges.size(); i++) {
                        if (marks.next() == RowMarks.KEPT) {
                            distinct.addFrom(edges, i);
                        }
                    }
                }
                EdgeBatch expected = DistinctEdges.inMemory(rule).of(edges);
                assertThat(Arrays.copyOf(distinct.sources(), distinct.size()))
                        .as("%s, seed %d", rule, seed)
                        .isEqualTo(Arrays.copyOf(expected.sources(), expected.size()));
                assertSame(graph, AdjacencyGraph.sorted(expected), rule + ", seed " + seed);
                assertThat(graph.inputEdges()).isEqualTo(edges.size());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 50, 2000})
    void isTheGraphOfTheEdgesThatAreLeft(int maxInts) throws IOException {
        for (DuplicateRule rule : new DuplicateRule[] {null, DuplicateRule.DIRECTED, DuplicateRule.UNDIRECTED}) {
            for (long seed = 0; seed < 6; seed++) {
                EdgeBatch rows = NetEdges.sequence(seed);
                NetEdges net = new NetEdges(rows, rule);
                DiskGraph graph = graph(rows, rule, maxInts);
                assertSame(graph, AdjacencyGraph.sorted(net.of(rows)), rule + ", seed " + seed);
                assertThat(graph.inputEdges()).isEqualTo(rows.size());
                assertThat(graph.unknownRemovals()).isEqualTo(net.unknownRemovals());
            }
        }
    }

    @Test
    void anInputOfWhichNothingIsLeftIsAnEmptyGraph() throws IOException {
        EdgeBatch rows = new EdgeBatch();
        rows.add(1, 1);
        rows.add(1, 1);
        rows.setRemoval(1);
        DiskGraph graph = graph(rows, null, 2000);
        assertThat(graph.vertexCount()).isZero();
        assertThat(graph.edgeCount()).isZero();
    }

    @Test
    void aVertexOfHugeDegreeHasAllItsNeighboursInTheirOrder() throws IOException {
        EdgeBatch edges = new EdgeBatch();
        for (int leaf = 0; leaf < 200_000; leaf++) {
            edges.add(leaf % 2 == 0 ? -1 : leaf, leaf % 2 == 0 ? leaf : -1);
        }
        assertSame(graph(edges, null, 1000), AdjacencyGraph.sorted(edges), "star");
    }

    @Test
    void isTheSameWithDealingAndWithoutOnARealGraph() throws IOException {
        EdgeBatch edges = SharedGraph.read("data/amazon-computers/edges.rnd.txt.gz");
        assertSame(graph(edges, null, 20_000), AdjacencyGraph.sorted(edges), "amazon-computers");
    }

    @Test
    void aPassOfAnInterruptedThreadStops() throws IOException {
        EdgeBatch edges = RandomGraphs.graph(3);
        DiskGraph graph = graph(edges, null, 1000);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> graph.vertices().next())
                    .isInstanceOf(UncheckedIOException.class)
                    .hasCauseInstanceOf(ClosedByInterruptException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void tellsHowFarAPassIs() throws IOException {
        List<String> told = new ArrayList<>();
        try (DiskGraphBuilder builder = new DiskGraphBuilder(new ScratchFolder(folder), null, 50)) {
            builder.add(RandomGraphs.graph(3));
            DiskGraph graph = builder.build((pass, share) -> told.add(pass + " " + share));
            try (EdgePass edges = graph.edges()) {
                while (edges.next()) {
                    assertThat(edges.source()).isNotNegative();
                }
            }
        }
        assertThat(told)
                .contains("number vertices 1.0", "group neighbours 1.0", "pass 1, edges 1.0")
                .doesNotContain("pass 2, edges 1.0");
    }

    @Test
    void aFullFolderIsNamedWithWhatIsMissing() throws IOException {
        ScratchFolder scratch = new ScratchFolder(folder);
        scratch.need(3L << 60);
        assertThatThrownBy(() -> scratch.checkRoom(2L << 60))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the scratch folder " + folder + " is full: ")
                .hasMessageContaining("about " + ((3L << 40) + 1) + " MB in all");
    }

    private static void assertSame(BoundedGraph actual, AdjacencyGraph expected, String what) {
        assertThat(actual.vertexCount()).as(what).isEqualTo(expected.vertexCount());
        assertThat(actual.edgeCount()).as(what).isEqualTo(expected.edgeCount());
        try (EdgePass edges = actual.edges()) {
            for (int i = 0; i < expected.edgeCount(); i++) {
                assertThat(edges.next()).as(what).isTrue();
                assertThat(edges.source()).as(what).isEqualTo(expected.source(i));
                assertThat(edges.target()).as(what).isEqualTo(expected.target(i));
            }
            assertThat(edges.next()).as(what).isFalse();
        }
        try (VertexPass vertices = actual.vertices()) {
            for (int v = 0; v < expected.vertexCount(); v++) {
                assertThat(vertices.next()).as(what).isTrue();
                assertThat(vertices.vertex()).as(what).isEqualTo(v);
                assertThat(actual.vertex(v)).as(what).isEqualTo(expected.vertex(v));
                assertThat(actual.degree(v)).as(what).isEqualTo(expected.degree(v));
                int[] neighbours = Arrays.copyOfRange(vertices.neighbours(), vertices.from(), vertices.to());
                assertThat(neighbours)
                        .as(what)
                        .isEqualTo(
                                Arrays.copyOfRange(expected.neighbours(), expected.offset(v), expected.offset(v + 1)));
            }
            assertThat(vertices.next()).as(what).isFalse();
        }
    }

    @Test
    void placesAreReadBackAndRewrittenPassAfterPass() throws IOException {
        int edges = 150_000; // three windows
        int[] expected = new int[edges];
        try (PlacesFile file = new PlacesFile(new ScratchFolder(folder), "places")) {
            try (EdgePlaces.Pass pass = file.pass()) {
                for (int i = 0; i < edges; i++) {
                    assertThat(pass.next()).isEqualTo(EdgePlaces.NONE);
                    expected[i] = i % 3 == 0 && (i >> 16) != 0 ? i % 4096 : EdgePlaces.NONE;
                    if (expected[i] != EdgePlaces.NONE) {
                        pass.set(expected[i]);
                    }
                }
            }
            try (EdgePlaces.Pass pass = file.pass()) {
                for (int i = 0; i < edges; i++) {
                    assertThat(pass.next()).isEqualTo(expected[i]);
                    if (i == 70_000) {
                        pass.set(4095);
                        expected[i] = 4095;
                    }
                }
            }
            try (EdgePlaces.Pass pass = file.pass()) {
                int[] actual = IntStream.range(0, edges).map(i -> pass.next()).toArray();
                assertThat(actual).isEqualTo(expected);
            }
        }
    }
}
