package io.cutwater.state.edges;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.store.EdgeStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class DistinctEdgesTest {
    private static final int SMALLEST_FILTER = 64;

    private record Pair(long source, long target) {}

    /** A store in a map that counts how often it is asked. */
    private static final class MapStore implements EdgeStore {
        final Map<Pair, Integer> passes = new HashMap<>();
        int reads;

        @Override
        public int read(long source, long target) {
            reads++;
            return passes.getOrDefault(new Pair(source, target), NEVER);
        }

        @Override
        public void write(long[] sources, long[] targets, int count, int pass) {
            for (int i = 0; i < count; i++) {
                passes.put(new Pair(sources[i], targets[i]), pass);
            }
        }
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 12);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsTheFirstOfEachInEveryPassWhateverIsInMemory(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DuplicateRule rule = DuplicateRule.values()[random.nextInt(2)];
        List<EdgeBatch> input = input(random);
        List<String> expected = distinct(input, rule);
        MapStore store = new MapStore();
        int latestLimit = 1 << random.nextInt(14);
        long filterBytes = 1L << random.nextInt(6, 16);
        DistinctEdges edges = DistinctEdges.over(store, rule, latestLimit, filterBytes, 0, 0);
        int size = input.stream().mapToInt(EdgeBatch::size).sum();
        for (int pass = 0; pass < 3; pass++) {
            assertThat(kept(edges, input, pass)).as("pass %d", pass).isEqualTo(expected);
            assertThat(edges.duplicates()).isEqualTo(size - expected.size());
        }
        assertThat(kept(DistinctEdges.inMemory(rule), input, 0)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void goesOnAfterARestoreFromWhatWasFlushed(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<EdgeBatch> input = input(random);
        MapStore store = new MapStore();
        DistinctEdges first = DistinctEdges.over(store, DuplicateRule.DIRECTED, 100, 1 << 12, 0, 0);
        List<String> kept = new ArrayList<>();
        int failsAt = random.nextInt(2 * input.size());
        for (int pass = 0; pass < 2; pass++) {
            for (EdgeBatch batch : input) {
                if (failsAt-- == 0) {
                    first.flush();
                    DistinctEdges second = DistinctEdges.over(
                            store, DuplicateRule.DIRECTED, 100, 1 << 12, first.pass(), first.duplicates());
                    store.passes.forEach((edge, seenIn) -> {
                        if (seenIn == second.pass()) {
                            second.restored(edge.source, edge.target);
                        }
                    });
                    first = second;
                }
                add(first.of(batch.setPass(pass)), kept);
            }
        }
        List<String> expected = distinct(input, DuplicateRule.DIRECTED);
        expected.addAll(List.copyOf(expected));
        assertThat(kept).isEqualTo(expected);
        assertThat(first.duplicates())
                .isEqualTo(input.stream().mapToInt(EdgeBatch::size).sum() - expected.size() / 2);
    }

    @ParameterizedTest
    @EnumSource
    void theRuleSaysWhetherTheDirectionCounts(DuplicateRule rule) {
        EdgeBatch batch = new EdgeBatch();
        batch.add(1, 2, 0.5, 7);
        batch.add(2, 1);
        batch.add(1, 2, 0.7, 8);
        batch.add(0, 0);
        batch.add(0, 0);
        EdgeBatch kept = DistinctEdges.inMemory(rule).of(batch);

        assertThat(kept.size()).isEqualTo(rule == DuplicateRule.DIRECTED ? 3 : 2);
        assertThat(kept.weight(0)).as("the first is kept").isEqualTo(0.5);
        assertThat(kept.timestamp(0)).isEqualTo(7);
        assertThat(DuplicateRule.of(rule.label())).isEqualTo(rule);
    }

    @Test
    void aBatchWithoutDuplicatesPassesAsItIsAndOthersKeepWhatWasRejected() {
        RejectedRecord rejected = new RejectedRecord("no edge", "f", -1, 3, null, new byte[0]);
        DistinctEdges edges = DistinctEdges.inMemory(DuplicateRule.DIRECTED);
        EdgeBatch batch = new EdgeBatch().setProgress(9);
        batch.add(1, 2);
        batch.reject(rejected);

        assertThat(edges.of(batch)).isSameAs(batch);
        EdgeBatch again = edges.of(batch);
        assertThat(again.isEmpty()).isTrue();
        assertThat(again.rejected()).containsExactly(rejected);
        assertThat(again.progress()).isEqualTo(9);
    }

    @Test
    void theStoreIsSeldomAskedAboutNewEdges() {
        MapStore store = new MapStore();
        DistinctEdges edges = DistinctEdges.over(store, DuplicateRule.DIRECTED, 1_000, 1 << 17, 0, 0);
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < 100_000; i++) {
            batch.add(i, -i);
        }
        edges.of(batch);

        assertThat(store.reads).isLessThan(2_000);
    }

    @Test
    void aFilterThatIsFullOnlyCostsReads() {
        MapStore store = new MapStore();
        DistinctEdges edges = DistinctEdges.over(store, DuplicateRule.DIRECTED, 10, SMALLEST_FILTER, 0, 0);
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < 20_000; i++) {
            batch.add(i % 5_000, 1);
        }

        assertThat(edges.of(batch).size()).isEqualTo(5_000);
        assertThat(store.reads).isGreaterThan(10_000);
    }

    private static List<EdgeBatch> input(SplittableRandom random) {
        int vertices = random.nextInt(2, 400);
        List<EdgeBatch> input = new ArrayList<>();
        for (int b = 0; b < 30; b++) {
            EdgeBatch batch = new EdgeBatch();
            for (int i = random.nextInt(1_500); i > 0; i--) {
                batch.add(random.nextInt(vertices) - vertices / 2, random.nextInt(vertices));
            }
            input.add(batch);
        }
        return input;
    }

    private static List<String> distinct(List<EdgeBatch> input, DuplicateRule rule) {
        Set<Pair> seen = new HashSet<>();
        List<String> distinct = new ArrayList<>();
        for (EdgeBatch batch : input) {
            for (int i = 0; i < batch.size(); i++) {
                boolean isTurned =
                        rule == DuplicateRule.UNDIRECTED && seen.contains(new Pair(batch.target(i), batch.source(i)));
                if (!isTurned && seen.add(new Pair(batch.source(i), batch.target(i)))) {
                    distinct.add(batch.source(i) + " " + batch.target(i));
                }
            }
        }
        return distinct;
    }

    private static List<String> kept(DistinctEdges edges, List<EdgeBatch> input, int pass) {
        List<String> kept = new ArrayList<>();
        for (EdgeBatch batch : input) {
            add(edges.of(batch.setPass(pass)), kept);
        }
        return kept;
    }

    private static void add(EdgeBatch batch, List<String> edges) {
        for (int i = 0; i < batch.size(); i++) {
            edges.add(batch.source(i) + " " + batch.target(i));
        }
    }
}
