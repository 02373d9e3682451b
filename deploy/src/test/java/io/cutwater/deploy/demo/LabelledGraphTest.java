package io.cutwater.deploy.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.VertexSplit;
import io.cutwater.state.graph.EdgeBatch;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelledGraphTest {
    private static final int EDGES = 40_000;

    private interface Row {
        float[] of(long vertex);
    }

    /** Sums the rows of the neighbours of each vertex. */
    private static Map<Long, float[]> neighbourSums(EdgeBatch edges, Row row) {
        Map<Long, float[]> sums = new HashMap<>();
        for (int i = 0; i < edges.size(); i++) {
            add(row.of(edges.source(i)), sums, edges.target(i));
            add(row.of(edges.target(i)), sums, edges.source(i));
        }
        return sums;
    }

    private static void add(float[] row, Map<Long, float[]> sums, long vertex) {
        float[] sum = sums.computeIfAbsent(vertex, key -> new float[LabelledGraph.FEATURES]);
        for (int i = 0; i < sum.length; i++) {
            sum[i] += row[i];
        }
    }

    private static float[] features(LabelledGraph graph, long vertex) {
        float[] features = new float[LabelledGraph.FEATURES];
        graph.features(vertex, features);
        return features;
    }

    /** The likeliest class: all classes' features are of the same length, and noise is the same in each direction. */
    private static int told(LabelledGraph graph, float[] features) {
        int best = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int label = 0; label < LabelledGraph.CLASSES; label++) {
            float[] expected = graph.featuresOfClass(label);
            double product = 0;
            for (int i = 0; i < features.length; i++) {
                product += features[i] * expected[i];
            }
            if (product > most) {
                most = product;
                best = label;
            }
        }
        return best;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void neighboursUpToTwoStepsAwayTellAClassThatAVertexAloneDoesNot(long seed) {
        LabelledGraph graph = new LabelledGraph(seed);
        EdgeBatch edges = new EdgeBatch();
        graph.fill(edges, EDGES);
        Map<Long, float[]> near = neighbourSums(edges, vertex -> features(graph, vertex));
        Map<Long, float[]> far = neighbourSums(edges, near::get);

        assertThat(shareTold(graph, far.keySet(), vertex -> features(graph, vertex)))
                .isBetween(0.3, 0.5);
        assertThat(shareTold(graph, far.keySet(), far::get)).isGreaterThan(0.7);
    }

    private static double shareTold(LabelledGraph graph, Set<Long> vertices, Row row) {
        return (double) vertices.stream()
                        .filter(vertex -> told(graph, row.of(vertex)) == graph.label(vertex))
                        .count()
                / vertices.size();
    }

    @Test
    void oneVertexOfTenIsTrainedOnAndOneValidated() {
        LabelledGraph graph = new LabelledGraph(5);
        Map<VertexSplit, Integer> counts = new EnumMap<>(VertexSplit.class);
        for (long vertex = 0; vertex < 20_000; vertex++) {
            counts.merge(graph.split(vertex), 1, Integer::sum);
        }
        assertThat(counts.get(VertexSplit.TRAIN)).isBetween(1_850, 2_150);
        assertThat(counts.get(VertexSplit.VAL)).isBetween(1_850, 2_150);
        assertThat(counts).doesNotContainKey(VertexSplit.NONE);
    }

    @Test
    void theSameSeedGivesTheSameGraphAndAnotherOneAnother() {
        assertThat(features(new LabelledGraph(7), 99)).isEqualTo(features(new LabelledGraph(7), 99));
        assertThat(features(new LabelledGraph(7), 99)).isNotEqualTo(features(new LabelledGraph(8), 99));
        assertThat(features(new LabelledGraph(7), 99)).isNotEqualTo(features(new LabelledGraph(7), 219));
    }
}
