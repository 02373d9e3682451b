package io.cutwater.state.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.algorithm.cutwater.CutwaterBulkOptions;
import io.cutwater.state.algorithm.cutwater.CutwaterBulkPartitioner;
import io.cutwater.state.algorithm.sigma.SigmaBulkPartitioner;
import io.cutwater.state.algorithm.sigma.SigmaOptions;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.rule.VertexPlacement;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A bulk run on disk places as the same rule does over a graph in memory. */
class BulkRunInMemoryTest {
    @TempDir
    Path folder;

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.cutwater.state.bulk.BulkRunTest#requests")
    void placesAreThoseOfTheGraphInMemory(BulkRequest request) throws Exception {
        for (long seed = 0; seed < 12; seed++) {
            EdgeBatch edges = RandomGraphs.graph(seed);
            assertThat(BulkRunTest.places(BulkRunTest.place(request, edges, folder)))
                    .as("seed %d", seed)
                    .isEqualTo(placesInMemory(request, edges));
        }
    }

    @Test
    void placesOfARealGraphAreThoseOfTheGraphInMemory() throws Exception {
        EdgeBatch edges = SharedGraph.read("data/amazon-computers/edges.txt.gz");
        for (BulkRequest request : List.of(
                BulkRunTest.request(PartitioningKind.EDGE, "cutwater", 32, null),
                BulkRunTest.request(PartitioningKind.VERTEX, "cutwater", 8, null),
                BulkRunTest.request(PartitioningKind.VERTEX, "spring", 8, null))) {
            assertPlacedAsInMemory(request, edges);
        }
    }

    /** In the order of time, a vertex comes back late: the edges of a vertex lie far apart on disk. */
    @Test
    void placesOfAGraphInTheOrderOfTimeAreThoseOfTheGraphInMemory() throws Exception {
        assertPlacedAsInMemory(
                BulkRunTest.request(PartitioningKind.EDGE, "cutwater", 32, null),
                SharedGraph.read("data/cit-hepph/edges.time.txt.gz"));
    }

    private void assertPlacedAsInMemory(BulkRequest request, EdgeBatch edges) throws Exception {
        assertThat(BulkRunTest.places(BulkRunTest.place(request, edges, folder)))
                .as("%s", request)
                .isEqualTo(placesInMemory(request, edges));
    }

    private static int[] placesInMemory(BulkRequest request, EdgeBatch edges) {
        AdjacencyGraph graph = AdjacencyGraph.sorted(edges);
        PartitionerOptions options = request.options();
        int k = options.partitionCount();
        if (options.algorithm().equals("sigma-edge")) {
            int[] partitions = new int[edges.size()];
            Arrays.fill(partitions, EdgePlaces.NONE);
            SigmaBulkPartitioner.place(graph, k, SigmaOptions.of(options), EdgePlaces.of(partitions));
            return onePartitionEach(partitions);
        }
        if (request.options().kind() == PartitioningKind.EDGE) {
            return onePartitionEach(
                    CutwaterBulkPartitioner.place(graph, new CutwaterBulkOptions(k, 1.05, options.seed())));
        }
        GraphSize size = new GraphSize(graph.vertexCount(), graph.edgeCount());
        VertexPlacement owners = VertexPassRunner.place(graph, Algorithms.vertexPartitioner(options, size), k);
        return IntStream.range(0, edges.size())
                .map(i -> Place.of(owners.partition(graph.source(i)), owners.partition(graph.target(i))))
                .toArray();
    }

    private static int[] onePartitionEach(int[] partitions) {
        return IntStream.of(partitions).map(partition -> Place.of(partition)).toArray();
    }
}
