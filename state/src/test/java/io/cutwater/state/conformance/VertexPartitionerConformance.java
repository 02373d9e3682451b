package io.cutwater.state.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Laws of every vertex partitioner. A subclass tests them on small ugly graphs: hubs, self-loops, duplicates, vertices
 * without an edge, and more partitions than vertices. The seed of a failure is in the assertion's message.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class VertexPartitionerConformance {
    private static final int GRAPHS = 20;
    private static final int[] PARTITION_COUNTS = {1, 3, 7, 64, 300};

    /** Returns the partitioners under test; {@link #everyWayOf} returns the usual ones. */
    protected abstract Stream<PartitionerOptions> partitioners();

    /**
     * The vertices that a partition may have at most when so many have been placed on all of them together; infinite
     * for an algorithm that promises none.
     */
    protected double maxVertices(PartitionerOptions options, long placed) {
        return Double.POSITIVE_INFINITY;
    }

    /** Partitioners by name, without settings, for some k. */
    protected static Stream<PartitionerOptions> everyWayOf(String... names) {
        return Arrays.stream(names)
                .flatMap(name -> IntStream.of(PARTITION_COUNTS)
                        .mapToObj(k -> PartitionerOptions.ofVertices(name, k, 5, PassMode.BULK, Map.of())));
    }

    /** A random graph; every third with vertices that have no edge, before and among the others. */
    protected static AdjacencyGraph graph(long seed) {
        EdgeBatch edges = RandomGraphs.graph(seed);
        long[] alone =
                seed % 3 == 0 ? LongStream.range(1L << 40, (1L << 40) + 9).toArray() : new long[0];
        return AdjacencyGraph.of(alone, edges);
    }

    /** Places a graph with a new partitioner. */
    protected static VertexPlacement place(AdjacencyGraph graph, PartitionerOptions options) {
        return VertexPassRunner.place(graph, create(graph, options), options.partitionCount());
    }

    private static VertexPartitioner create(AdjacencyGraph graph, PartitionerOptions options) {
        return Algorithms.vertexPartitioner(options, new GraphSize(graph.vertexCount(), graph.edgeCount()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("partitioners")
    void everyVertexHasOnePlaceAndTheLoadsAreWhatARecountFinds(PartitionerOptions options) {
        for (long seed = 0; seed < GRAPHS; seed++) {
            AdjacencyGraph graph = graph(seed);
            VertexPlacement placement = place(graph, options);
            long[] vertices = new long[options.partitionCount()];
            long[] volumes = new long[options.partitionCount()];
            for (int v = 0; v < graph.vertexCount(); v++) {
                assertThat(placement.partition(v)).as("seed %d", seed).isBetween(0, options.partitionCount() - 1);
                vertices[placement.partition(v)]++;
                volumes[placement.partition(v)] += graph.degree(v);
            }
            for (int p = 0; p < vertices.length; p++) {
                assertThat(placement.vertices(p)).as("seed %d", seed).isEqualTo(vertices[p]);
                assertThat(placement.volume(p)).as("seed %d", seed).isEqualTo(volumes[p]);
            }
            assertThat(placement.totalVertices()).isEqualTo(graph.vertexCount());
            assertThat(placement.totalVolume()).isEqualTo(2L * graph.edgeCount());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("partitioners")
    void theSameSeedGivesTheSamePlaces(PartitionerOptions options) {
        for (long seed = 0; seed < 5; seed++) {
            AdjacencyGraph graph = graph(seed);
            assertThat(place(graph, options).partitions())
                    .as("seed %d", seed)
                    .isEqualTo(place(graph, options).partitions());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("partitioners")
    void selfLoopsDuplicatesAndVerySmallGraphsArePlaced(PartitionerOptions options) {
        long[][] graphs = {{}, {5, 5}, {5, 5, 5, 5, 5, 5}, {1, 2}, {1, 2, 2, 1, 1, 2, 1, 2}, {1, 1, 1, 2, 2, 2}};
        for (long[] ends : graphs) {
            EdgeBatch edges = new EdgeBatch();
            for (int i = 0; i < ends.length; i += 2) {
                edges.add(ends[i], ends[i + 1]);
            }
            for (long[] alone : new long[][] {{}, {9}}) {
                VertexPlacement placement = place(AdjacencyGraph.of(alone, edges), options);
                assertThat(placement.totalVertices()).as(Arrays.toString(ends)).isEqualTo(placement.vertexCount());
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("partitioners")
    void noPartitionHasMoreVerticesThanTheCap(PartitionerOptions options) {
        for (long seed = 0; seed < GRAPHS; seed++) {
            AdjacencyGraph graph = graph(seed);
            double cap = maxVertices(options, graph.vertexCount());
            if (cap < graph.vertexCount()) {
                VertexPlacement placement = place(graph, options);
                for (int p = 0; p < options.partitionCount(); p++) {
                    assertThat((double) placement.vertices(p))
                            .as("seed %d", seed)
                            .isLessThanOrEqualTo(cap);
                }
            }
        }
    }
}
