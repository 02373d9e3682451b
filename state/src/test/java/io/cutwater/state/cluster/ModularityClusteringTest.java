package io.cutwater.state.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.graph.SharedGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModularityClusteringTest {
    @Test
    void twoCliquesWithABridgeAreTwoClusters() {
        EdgeBatch edges = new EdgeBatch();
        for (int source = 0; source < 6; source++) {
            for (int target = source + 1; target < 6; target++) {
                edges.add(source, target);
                edges.add(10 + source, 10 + target);
            }
        }
        edges.add(0, 10);
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        int[] clusters = clusters(graph, 1000, 1000);
        for (int v = 0; v < graph.vertexCount(); v++) {
            assertThat(clusters[v]).isEqualTo(graph.vertex(v) < 10 ? clusters[0] : 1 - clusters[0]);
        }
    }

    @Test
    void clustersAreNumberedWithoutAGapInTheOrderOfTheirFirstVertices() {
        for (long seed = 0; seed < 50; seed++) {
            int[] clusters = clusters(AdjacencyGraph.of(RandomGraphs.graph(seed)), 1 << 20, 1 << 20);
            assertThat(Arrays.stream(clusters).distinct().toArray())
                    .as("seed %d", seed)
                    .isEqualTo(IntStream.range(
                                    0, (int) Arrays.stream(clusters).distinct().count())
                            .toArray());
        }
    }

    @Test
    void noClusterOfSeveralVerticesIsAboveACap() {
        for (long seed = 0; seed < 100; seed++) {
            AdjacencyGraph graph = AdjacencyGraph.of(RandomGraphs.graph(seed));
            long maxVolume = 3 + 5 * seed;
            int maxSize = 2 + (int) seed % 7;
            int[] clusters = clusters(graph, maxVolume, maxSize);
            for (int c : new HashSet<>(Arrays.stream(clusters).boxed().toList())) {
                int[] members = IntStream.range(0, clusters.length)
                        .filter(v -> clusters[v] == c)
                        .toArray();
                assertThat(members).as("seed %d", seed).hasSizeLessThanOrEqualTo(maxSize);
                if (members.length > 1) {
                    assertThat(Arrays.stream(members).mapToLong(graph::degree).sum())
                            .as("seed %d", seed)
                            .isLessThanOrEqualTo(maxVolume);
                }
            }
        }
    }

    @Test
    void clustersAsTheRuleWrittenDownSlowlyDoes() {
        for (long seed = 0; seed < 100; seed++) {
            AdjacencyGraph graph = AdjacencyGraph.of(RandomGraphs.graph(seed));
            long maxVolume = seed % 2 == 0 ? 1 << 20 : 10 + seed;
            int maxSize = seed % 3 == 0 ? 1 << 20 : 5 + (int) seed;
            assertThat(clusters(graph, maxVolume, maxSize))
                    .as("seed %d", seed)
                    .isEqualTo(new Slow(graph, maxVolume, maxSize).clusters());
        }
    }

    @ParameterizedTest
    @CsvSource({"amazon-computers, .60", "musae-facebook, .78", "coauthor-cs, .63"})
    void reachesTheModularityOfAGoodClusteringOn(String dataset, double least) {
        AdjacencyGraph graph = AdjacencyGraph.of(SharedGraph.read("data/" + dataset + "/edges.txt.gz"));
        int[] clusters = clusters(graph, Long.MAX_VALUE, Integer.MAX_VALUE);
        assertThat(modularity(graph, clusters)).isGreaterThanOrEqualTo(least);
    }

    private static int[] clusters(AdjacencyGraph graph, long maxVolume, int maxSize) {
        ModularityClustering clustering =
                new ModularityClustering(graph.vertexCount(), graph.edgeCount(), maxVolume, maxSize);
        do {
            for (int v = 0; v < graph.vertexCount(); v++) {
                clustering.add(v, graph.neighbours(), graph.offset(v), graph.offset(v + 1));
            }
        } while (clustering.endPass());
        return clustering.clusters();
    }

    private static double modularity(AdjacencyGraph graph, int[] clusters) {
        double m = graph.edgeCount();
        double inside = 0;
        double[] volumes = new double[clusters.length];
        for (int i = 0; i < graph.edgeCount(); i++) {
            inside += clusters[graph.source(i)] == clusters[graph.target(i)] ? 1 : 0;
        }
        for (int v = 0; v < clusters.length; v++) {
            volumes[clusters[v]] += graph.degree(v);
        }
        return inside / m - Arrays.stream(volumes).map(x -> x * x / (4 * m * m)).sum();
    }

    /** The three stages over sets of members, every sum taken anew; gains are m times those of the formulas. */
    private static final class Slow {
        private final AdjacencyGraph graph;
        private final long maxVolume;
        private final int maxSize;
        private final int[] cluster;
        private final List<Set<Integer>> members = new ArrayList<>();

        Slow(AdjacencyGraph graph, long maxVolume, int maxSize) {
            this.graph = graph;
            this.maxVolume = maxVolume;
            this.maxSize = maxSize;
            cluster = new int[graph.vertexCount()];
            Arrays.fill(cluster, -1);
        }

        int[] clusters() {
            int n = graph.vertexCount();
            double m = Math.max(1, graph.edgeCount());
            for (int v = 0; v < n; v++) {
                int best = -1;
                double bestGain = 0;
                for (int c : neighbouring(v)) {
                    double gain = edges(v, c) - graph.degree(v) / (2 * m) * volume(c);
                    if (gain > bestGain && hasRoom(c, v)) {
                        best = c;
                        bestGain = gain;
                    }
                }
                if (best < 0) {
                    best = members.size();
                    members.add(new HashSet<>());
                }
                cluster[v] = best;
                members.get(best).add(v);
            }
            Set<Integer> active = new HashSet<>(IntStream.range(0, n).boxed().toList());
            double total = 0;
            for (int pass = 1; pass < ModularityClustering.MAX_PASSES; pass++) {
                Set<Integer> next = new HashSet<>();
                double gained = 0;
                for (int v = 0; v < n; v++) {
                    gained += active.contains(v) ? move(v, m, next) : 0;
                }
                total += gained;
                active = next;
                if (active.isEmpty() || gained < 0.05 * total) {
                    break;
                }
            }
            List<Integer> order = new ArrayList<>(
                    new LinkedHashSet<>(Arrays.stream(cluster).boxed().toList()));
            return Arrays.stream(cluster).map(order::indexOf).toArray();
        }

        private double move(int v, double m, Set<Integer> next) {
            int own = cluster[v];
            double perVolume = graph.degree(v) / (2 * m);
            double base = -edges(v, own) - perVolume * (graph.degree(v) - volume(own));
            int best = own;
            double bestGain = 0;
            for (int c : neighbouring(v)) {
                double gain = base + edges(v, c) - perVolume * volume(c);
                if (c != own && gain > bestGain && hasRoom(c, v)) {
                    best = c;
                    bestGain = gain;
                }
            }
            if (best != own) {
                members.get(own).remove(v);
                members.get(best).add(v);
                cluster[v] = best;
                for (int i = graph.offset(v); i < graph.offset(v + 1); i++) {
                    next.add(graph.neighbours()[i]);
                }
            }
            return bestGain;
        }

        private Set<Integer> neighbouring(int v) {
            Set<Integer> clusters = new LinkedHashSet<>();
            for (int i = graph.offset(v); i < graph.offset(v + 1); i++) {
                int w = graph.neighbours()[i];
                if (w != v && cluster[w] >= 0) {
                    clusters.add(cluster[w]);
                }
            }
            return clusters;
        }

        private int edges(int v, int c) {
            int edges = 0;
            for (int i = graph.offset(v); i < graph.offset(v + 1); i++) {
                int w = graph.neighbours()[i];
                edges += w != v && cluster[w] == c ? 1 : 0;
            }
            return edges;
        }

        private long volume(int c) {
            return members.get(c).stream().mapToLong(graph::degree).sum();
        }

        private boolean hasRoom(int c, int v) {
            return volume(c) + graph.degree(v) <= maxVolume && members.get(c).size() < maxSize;
        }
    }
}
