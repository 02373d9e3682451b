package io.cutwater.state.passes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.cutwater.CutwaterBulkOptions;
import io.cutwater.state.algorithm.cutwater.CutwaterBulkPartitioner;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.TrainingVertices;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Masters of vertices that are trained on are spread over an edge placement. */
class TrainingMastersTest {
    /** The masters of a partition's training vertices, counted as the job puts them: where the first edge is. */
    private static long fullest(AdjacencyGraph graph, int[] partitions, TrainingVertices training, int k) {
        long[] masters = new long[k];
        BitSet seen = new BitSet();
        for (int i = 0; i < partitions.length; i++) {
            for (int v : new int[] {graph.source(i), graph.target(i)}) {
                if (!seen.get(v)) {
                    seen.set(v);
                    masters[partitions[i]] += training.contains(graph.vertex(v)) ? 1 : 0;
                }
            }
        }
        return Arrays.stream(masters).max().orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 12})
    void bothCapsHoldOnAnyGraph(int k) {
        int checked = 0;
        for (long seed = 0; seed < 60; seed++) {
            AdjacencyGraph graph = AdjacencyGraph.of(RandomGraphs.graph(seed));
            SplittableRandom random = new SplittableRandom(seed);
            long[] ids = IntStream.range(0, graph.vertexCount() / 2)
                    .filter(v -> random.nextInt(3) > 0)
                    .mapToLong(graph::vertex)
                    .toArray();
            TrainingVertices training = new TrainingVertices(ids, 0.2);
            CutwaterBulkOptions options = new CutwaterBulkOptions(k, seed).withTraining(training);
            int[] partitions = CutwaterBulkPartitioner.place(graph, options);
            assertThat(EdgePolishTest.fullest(partitions, k))
                    .as("edges, seed %d", seed)
                    .isLessThanOrEqualTo(options.maxEdges(graph.edgeCount()));
            // Two training vertices with one first edge cannot be parted, so that those of a small graph may not fit.
            long max = training.max(ids.length, k);
            if (max >= 4) {
                checked++;
                assertThat(fullest(graph, partitions, training, k))
                        .as("masters, seed %d", seed)
                        .isLessThanOrEqualTo(max < 8 ? max + 2 : max);
            }
        }
        assertThat(checked).isGreaterThan(10);
    }

    @ParameterizedTest
    @CsvSource({
        "edges.txt.gz, split.60-20-20.txt.gz, 8, 1.2, 1.03",
        "edges.txt.gz, split.60-20-20.txt.gz, 32, 1.2, 1.03",
        "edges.rnd.txt.gz, split.60-20-20.txt.gz, 32, 1.2, 1.035",
        "edges.txt.gz, split.shchur.txt.gz, 8, 1.5, 1.01",
        "edges.txt.gz, split.shchur.txt.gz, 32, 3, 1.01"
    })
    void onARealGraphTheCapHoldsAtASmallPrice(String edges, String split, int k, double before, double price)
            throws IOException {
        AdjacencyGraph graph = AdjacencyGraph.of(SharedGraph.read("data/amazon-computers/" + edges));
        TrainingVertices training =
                new TrainingVertices(SharedGraph.trainingVertices("data/amazon-computers/" + split), 0.1);
        int count = training.among(graph.vertexCount(), graph::vertex).cardinality();
        CutwaterBulkOptions options = new CutwaterBulkOptions(k, 1.05, 16);
        int[] without = CutwaterBulkPartitioner.place(graph, options);
        int[] with = CutwaterBulkPartitioner.place(graph, options.withTraining(training));
        double factor = (double) EdgePolishTest.replicas(graph, with) / EdgePolishTest.replicas(graph, without);
        assertThat((double) fullest(graph, without, training, k) * k / count).isGreaterThan(before);
        assertThat(fullest(graph, with, training, k)).isLessThanOrEqualTo(training.max(count, k));
        assertThat(EdgePolishTest.fullest(with, k)).isLessThanOrEqualTo(options.maxEdges(graph.edgeCount()));
        assertThat(factor).isLessThanOrEqualTo(price);
    }
}
