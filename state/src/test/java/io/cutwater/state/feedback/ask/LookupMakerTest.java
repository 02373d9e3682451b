package io.cutwater.state.feedback.ask;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.feedback.BucketTable;
import io.cutwater.state.feedback.Lookup;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the operator says about caches, against sets that do what it says. */
final class LookupMakerTest {
    private static final int BUCKETS = 4;
    private static final int TABLES = 3;
    private static final int BATCH = 20;
    private static final int FIRST = 3;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void asksForExactlyWhatACacheLacksAndCountsEveryEdge(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int assigners = random.nextInt(1, 4);
        int cached = random.nextInt(1, 100);
        int placingPass = random.nextInt(0, 2);
        LookupMaker maker = new LookupMaker(BUCKETS, TABLES, FIRST, assigners, placingPass, cached, true, true, seed);
        List<Set<Long>> caches = List.of(new HashSet<>(), new HashSet<>(), new HashSet<>());
        List<VertexTable> tables = List.of(table(), table(), table());
        Map<List<Long>, Long> expected = new HashMap<>();
        Map<List<Long>, Long> told = new HashMap<>();
        for (int pass = 0; pass <= placingPass; pass++) {
            for (int b = 0; b < 60; b++) {
                EdgeBatch batch = new EdgeBatch().setPass(pass);
                TreeSet<Long> vertices = new TreeSet<>();
                for (int i = random.nextInt(BATCH); i > 0; i--) {
                    long source = Math.min(random.nextInt(200), random.nextInt(200));
                    long target = random.nextInt(200);
                    batch.add(source, target);
                    vertices.addAll(List.of(source, target));
                    expected.merge(List.of((long) pass, source), 1L, Long::sum);
                    expected.merge(List.of((long) pass, target), 1L, Long::sum);
                }
                Set<Long> asked = new TreeSet<>();
                List<Long> inOrder = new ArrayList<>();
                int[] answers = {0};
                NumberedBatch numbered = maker.ask(batch, lookup -> {
                    tell(lookup, told);
                    answers[0] += lookup.asked() > 0 ? 1 : 0;
                    for (int i = lookup.counted(); i < lookup.size(); i++) {
                        asked.add(lookup.vertex(i));
                        inOrder.add(lookup.vertex(i));
                    }
                });
                assertThat(numbered.answers()).isEqualTo(answers[0]);
                Set<Long> cache = caches.get(numbered.assigner() - FIRST);
                for (long vertex : numbered.evicted()) {
                    assertThat(cache.remove(vertex)).isTrue();
                }
                if (pass < placingPass) {
                    assertThat(asked).isEmpty();
                } else {
                    TreeSet<Long> lacking = new TreeSet<>(vertices);
                    lacking.removeAll(cache);
                    assertThat(asked).isEqualTo(lacking);
                    cache.addAll(asked);
                    requireSlots(numbered, inOrder, tables.get(numbered.assigner() - FIRST));
                    assertThat(cache).hasSizeLessThanOrEqualTo(Math.max(cached, 2 * BATCH));
                }
            }
        }
        maker.flush(lookup -> {
            tell(lookup, told);
            assertThat(lookup.asked()).isZero();
        });
        assertThat(told).isEqualTo(expected);
        maker.flush(lookup -> assertThat(lookup.size()).isZero());
    }

    private static VertexTable table() {
        PartitionerOptions options = PartitionerOptions.ofEdges("hash", 2, 0);
        return new VertexTable(Algorithms.of(options).layout(options));
    }

    /** Lets vertices leave and enter the cache as an assigner does. */
    private static void requireSlots(NumberedBatch numbered, List<Long> asked, VertexTable table) {
        for (int i = numbered.evicted().length - 1; i >= 0; i--) {
            RecordExchange.remove(table, numbered.evicted()[i]);
        }
        for (long vertex : asked) {
            long[] record = new long[table.layout().stride()];
            record[0] = vertex;
            RecordExchange.load(table, record, 0);
        }
        EdgeBatch batch = numbered.batch();
        assertThat(batch.slots()).hasSize(2 * batch.size());
        for (int i = 0; i < batch.size(); i++) {
            assertThat(table.vertex(batch.slots()[2 * i])).isEqualTo(batch.source(i));
            assertThat(table.vertex(batch.slots()[2 * i + 1])).isEqualTo(batch.target(i));
        }
    }

    private static void tell(Lookup lookup, Map<List<Long>, Long> told) {
        for (int i = 0; i < lookup.size(); i++) {
            int table = BucketTable.tableOf(Hashing.bucket(lookup.vertex(i), BUCKETS), BUCKETS, TABLES);
            assertThat(BucketTable.firstBucket(table, BUCKETS, TABLES)).isEqualTo(lookup.bucket());
            told.merge(List.of((long) lookup.pass(), lookup.vertex(i)), (long) lookup.count(i), Long::sum);
        }
    }

    @Test
    void keepsAHubAndEvictsWhatCameOnce() {
        LookupMaker maker = new LookupMaker(1, 1, 0, 1, 0, 100, true, false, 1);
        long asked = 0;
        for (int b = 0; b < 100; b++) {
            EdgeBatch batch = new EdgeBatch();
            for (int i = 0; i < 10; i++) {
                batch.add(-1, b * 10L + i);
            }
            long[] hub = {0};
            maker.ask(batch, lookup -> {
                for (int i = lookup.counted(); i < lookup.size(); i++) {
                    hub[0] += lookup.vertex(i) == -1 ? 1 : 0;
                }
            });
            asked += hub[0];
        }
        assertThat(asked).isOne();
    }
}
