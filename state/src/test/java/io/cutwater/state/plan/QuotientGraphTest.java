package io.cutwater.state.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class QuotientGraphTest {
    @Test
    void countsEdgesBetweenClustersAndNoneWithin() {
        QuotientGraphBuilder builder = new QuotientGraphBuilder(3);
        builder.addVertex(0, 5);
        builder.addVertex(0, 2);
        builder.addVertex(2, 1);
        builder.addEdge(0, 2);
        builder.addEdge(2, 0);
        builder.addEdge(0, 0);
        builder.addEdge(1, 2);
        QuotientGraph graph = builder.build();
        assertThat(graph.sizes()).containsExactly(2, 0, 1);
        assertThat(graph.volumes()).containsExactly(7, 0, 1);
        assertThat(graph.offsets()).containsExactly(0, 1, 2, 4);
        assertThat(graph.targets()).containsExactly(2, 2, 0, 1);
        assertThat(graph.weights()).containsExactly(2, 1, 2, 1);
        assertThat(graph.cut(new int[] {0, 0, 1})).isEqualTo(3);
        assertThat(graph.weight(2)).isEqualTo(3);
        assertThat(graph.isThinned()).isFalse();
    }

    @Test
    void hasTheWeightsOfAMapOfPairs() {
        for (long seed = 0; seed < 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int clusterCount = random.nextInt(1, 300);
            QuotientGraph graph = random(clusterCount, 5000, seed, new TreeMap<>());
            Map<Long, Long> pairs = new TreeMap<>();
            random(clusterCount, 5000, seed, pairs);
            assertThat(pairsOf(graph)).as("seed %d", seed).isEqualTo(pairs);
        }
    }

    @Test
    void aLimitedGraphForgetsLightPairsAndKeepsHeavyOnes() {
        QuotientGraphBuilder builder = new QuotientGraphBuilder(2000, 100);
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            builder.addEdge(i % 20, 20 + i % 20); // 20 heavy pairs
            builder.addEdge(40 + random.nextInt(980), 1020 + random.nextInt(980));
        }
        QuotientGraph graph = builder.build();
        assertThat(graph.isThinned()).isTrue();
        Map<Long, Long> pairs = pairsOf(graph);
        assertThat(pairs).hasSizeLessThanOrEqualTo(100);
        for (long heavy = 0; heavy < 20; heavy++) {
            assertThat(pairs).containsEntry(heavy << 32 | 20 + heavy, 1000L);
        }
    }

    @Test
    void aLimitedGraphOfEquallyHeavyPairsStartsAnew() {
        QuotientGraphBuilder builder = new QuotientGraphBuilder(40, 10);
        for (int i = 0; i < 20; i++) {
            for (int edge = 0; edge < 5000; edge++) {
                builder.addEdge(i, 20 + i);
            }
        }
        assertThat(pairsOf(builder.build())).hasSize(10).containsEntry(19L << 32 | 39, 5000L);
    }

    @Test
    void groupsAndPartsHaveTheWeightsThatTheirClustersHave() {
        for (long seed = 0; seed < 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int clusterCount = random.nextInt(4, 200);
            QuotientGraph graph = random(clusterCount, 2000, seed, new TreeMap<>());
            int[] groups = new int[clusterCount];
            for (int c = 0; c < clusterCount; c++) {
                groups[c] = c < 4 ? c : random.nextInt(4);
            }
            QuotientGraph grouped = graph.grouped(groups);
            assertThat(grouped.clusterCount()).isEqualTo(4);
            assertThat(grouped.totalSize()).isEqualTo(graph.totalSize());
            assertThat(grouped.totalVolume()).isEqualTo(graph.totalVolume());
            assertThat(grouped.cut(new int[] {0, 1, 2, 3})).as("seed %d", seed).isEqualTo(graph.cut(groups));

            int[] clusters = random.ints(0, clusterCount).distinct().limit(3).toArray();
            QuotientGraph part = graph.between(clusters);
            Map<Long, Long> whole = pairsOf(graph);
            pairsOf(part).forEach((pair, weight) -> {
                long one = clusters[(int) (pair >> 32)];
                long other = clusters[pair.intValue()];
                assertThat(whole).containsEntry(Math.min(one, other) << 32 | Math.max(one, other), weight);
            });
            assertThat(part.sizes()[1]).isEqualTo(graph.sizes()[clusters[1]]);
        }
    }

    @Test
    void refusesColumnsThatDoNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QuotientGraph(
                        new long[2], new long[1], new long[2], new int[3], new int[0], new long[0], false))
                .withMessage(
                        "a quotient graph of 2 clusters has 1 volumes, 2 counts of training vertices and 3 offsets");
    }

    static QuotientGraph random(int clusterCount, int edges, long seed, Map<Long, Long> pairs) {
        SplittableRandom random = new SplittableRandom(seed);
        QuotientGraphBuilder builder = new QuotientGraphBuilder(clusterCount);
        for (int c = 0; c < clusterCount; c++) {
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                builder.addVertex(c, random.nextInt(20));
            }
        }
        for (int i = 0; i < edges; i++) {
            int one = random.nextInt(clusterCount);
            int other = random.nextInt(clusterCount);
            builder.addEdge(one, other);
            if (one != other) {
                pairs.merge((long) Math.min(one, other) << 32 | Math.max(one, other), 1L, Long::sum);
            }
        }
        return builder.build();
    }

    private static Map<Long, Long> pairsOf(QuotientGraph graph) {
        Map<Long, Long> pairs = new TreeMap<>();
        for (int c = 0; c < graph.clusterCount(); c++) {
            for (int i = graph.offsets()[c]; i < graph.offsets()[c + 1]; i++) {
                int target = graph.targets()[i];
                assertThat(target).isNotEqualTo(c);
                long pair = (long) Math.min(c, target) << 32 | Math.max(c, target);
                Long before = pairs.put(pair, graph.weights()[i]);
                assertThat(before == null || before == graph.weights()[i]).isTrue(); // both lists say the same
            }
        }
        return pairs;
    }
}
