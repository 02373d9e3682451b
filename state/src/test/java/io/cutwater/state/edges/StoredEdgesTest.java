package io.cutwater.state.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.store.AdjacencyStore;
import io.cutwater.state.store.MapAdjacencyStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredEdgesTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final String OF_VERSION_1 =
            "f10105fff003ffffffffffffffffff01c801bff0030005fff003a7fbffffffffffffff01";
    private static final long NO_TIMESTAMP = EdgeBatch.NO_TIMESTAMP;

    private final MapAdjacencyStore store = new MapAdjacencyStore();

    @Test
    void usageExample() {
        StoredEdges kept = StoredEdges.ofEdges(store, 0);
        kept.add(1, 2, 5, 0.5, 1000, EdgeBatch.NO_KEY, true);
        kept.add(1, 2, 3, Double.NaN, NO_TIMESTAMP, EdgeBatch.NO_KEY, false);
        assertThat(kept.move(1, 2, 3, 4)).isTrue();
        EdgeBatch edges = new EdgeBatch();
        kept.outgoing(1, edges);
        assertThat(edges.size()).isEqualTo(2);
        assertThat(edges.place(1)).isEqualTo(Place.of(4));
        assertThat(kept.remove(1, 2, EdgeBatch.NO_KEY)).isEqualTo(5);
        assertThat(kept.weight()).isEqualTo(0.5);
        assertThat(kept.timestamp()).isEqualTo(1000);
        assertThat(kept.remove(1, 2, EdgeBatch.NO_KEY)).isEqualTo(4);
        assertThat(kept.remove(1, 2, EdgeBatch.NO_KEY)).isEqualTo(KeptEdges.NO_EDGE);
        assertThat(store.rows()).isZero();
    }

    /** The sizes of rows in {@code deploy/docs/reference/memory-and-disk.md}. */
    @ParameterizedTest(name = "{0} on {1}")
    @CsvSource({
        "an edge,                                 7,   NaN,  ,              2",
        "an edge,                                 200, NaN,  ,              3",
        "an edge with a round weight,             7,   1.5,  ,              5",
        "an edge with another weight,             7,   .1,   ,              12",
        "an edge with a time in seconds,          7,   NaN,  1700000000,    7",
        "an edge with a time in milliseconds,     7,   NaN,  1700000000000, 8",
        "an edge of a vertex partitioning,        -1,  NaN,  ,              1"
    })
    void anEdgeTakesAFewBytes(String edge, int place, double weight, Long timestamp, int bytes) {
        KeptRow row = new KeptRow();
        row.add(place, weight, timestamp == null ? NO_TIMESTAMP : timestamp, EdgeBatch.NO_KEY);
        assertThat(row.toBytes()).hasSize(bytes);
    }

    /** Three copies on partitions 5, 200 and 5, of which the second has weight 1.5 and the third the time 300. */
    @Test
    void readsTheBytesOfVersion1() {
        KeptRow row = new KeptRow();
        row.add(5, Double.NaN, NO_TIMESTAMP, EdgeBatch.NO_KEY);
        row.add(200, 1.5, NO_TIMESTAMP, EdgeBatch.NO_KEY);
        row.add(5, Double.NaN, 300, EdgeBatch.NO_KEY);
        assertThat(HEX.formatHex(row.toBytes())).isEqualTo(OF_VERSION_1);
        KeptRow back = new KeptRow();
        back.read(HEX.parseHex(OF_VERSION_1));
        assertThat(back.size()).isEqualTo(3);
        assertThat(back.place(1)).isEqualTo(200);
        assertThat(back.weight(0)).isNaN();
        assertThat(back.weight(1)).isEqualTo(1.5);
        assertThat(back.timestamp(1)).isEqualTo(NO_TIMESTAMP);
        assertThat(back.timestamp(2)).isEqualTo(300);
    }

    @Test
    void readsWhatItWrote() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 3000; i++) {
            KeptRow row = new KeptRow();
            boolean hasPlaces = random.nextBoolean();
            int copies = 1 + (int) (50 * Math.pow(random.nextDouble(), 5));
            for (int copy = 0; copy < copies; copy++) {
                row.add(
                        hasPlaces ? random.nextInt(4096) : EdgeBatch.NO_PLACE,
                        random.nextInt(3) == 0 ? Double.longBitsToDouble(random.nextLong()) : Double.NaN,
                        random.nextInt(3) == 0 ? random.nextLong() : NO_TIMESTAMP,
                        i % 2 == 0 || random.nextInt(3) == 0 ? EdgeBatch.NO_KEY : random.nextLong());
            }
            KeptRow back = new KeptRow();
            byte[] bytes = row.toBytes();
            back.read(bytes);
            assertThat(back.size()).isEqualTo(copies);
            for (int copy = 0; copy < copies; copy++) {
                assertThat(back.place(copy)).isEqualTo(row.place(copy));
                assertThat((Double) back.weight(copy)).isEqualTo(Double.valueOf(row.weight(copy)));
                assertThat(back.timestamp(copy)).isEqualTo(row.timestamp(copy));
                assertThat(back.key(copy)).isEqualTo(row.key(copy));
            }
            for (int length = 0; length < bytes.length; length++) {
                byte[] prefix = Arrays.copyOf(bytes, length);
                assertThatIllegalStateException()
                        .isThrownBy(() -> back.read(prefix))
                        .withMessage("a row of kept edges is truncated after %d bytes", length);
            }
            assertThatIllegalStateException()
                    .isThrownBy(() -> back.read(Arrays.copyOf(bytes, bytes.length + 1)))
                    .withMessageContaining("of version 0");
        }
    }

    /** Rows 3 and 4 have the older copies, and row 0 one copy on partition 5. */
    @Test
    void readsTheBytesOfVersion2() {
        KeptRow row = new KeptRow();
        row.read(HEX.parseHex("1203020105"));
        assertThat(row.firstRow()).isEqualTo(3);
        assertThat(row.rows()).isEqualTo(2);
        assertThat(row.place(0)).isEqualTo(5);
        assertThat(HEX.formatHex(row.toBytes())).isEqualTo("1203020105");
    }

    /** Behind a row of version 2 with one copy, one on partition 7, and two on 9 with times. */
    @Test
    void readsWhatWasAppended() {
        KeptRow row = new KeptRow();
        row.read(HEX.parseHex("1203020105" + "1107" + "d1000914" + "0902"));
        assertThat(row.rows()).isEqualTo(2);
        assertThat(IntStream.range(0, row.size()).map(row::place)).containsExactly(5, 7, 9, 9);
        assertThat(IntStream.range(0, row.size()).mapToLong(row::timestamp))
                .containsExactly(NO_TIMESTAMP, NO_TIMESTAMP, 10L, 11L);
        assertThatIllegalStateException()
                .isThrownBy(() -> row.read(HEX.parseHex("1107" + "1203020105")))
                .withMessageContaining("older ones in its middle");
    }

    /** Two copies on partitions 5 and 7 with keys 3 and −1; then row 0 of a row with others, and key 300. */
    @Test
    void readsTheBytesOfVersions3And4() {
        KeptRow row = new KeptRow();
        row.add(5, Double.NaN, NO_TIMESTAMP, 3);
        row.add(7, Double.NaN, NO_TIMESTAMP, -1);
        String version3 = "9300" + "0503" + "07ffffffffffffffffff01";
        assertThat(HEX.formatHex(row.toBytes())).isEqualTo(version3);
        row.read(HEX.parseHex(version3));
        assertThat(row.findKey(-1)).isEqualTo(1);
        assertThat(row.findKey(4)).isEqualTo(-1);
        assertThat(row.key(0)).isEqualTo(3);
        String version4 = "1403020105ac02";
        row.read(HEX.parseHex(version4));
        assertThat(row.rows()).isEqualTo(2);
        assertThat(row.key(0)).isEqualTo(300);
        assertThat(HEX.formatHex(row.toBytes())).isEqualTo(version4);
    }

    /** Copies that are removed by their keys, from the middle of many rows, leave the others in their order. */
    @Test
    void aKeyRemovesItsCopyAndTheOthersKeepTheirOrder() {
        StoredEdges kept = StoredEdges.ofEdges(store, 0);
        SplittableRandom random = new SplittableRandom(3);
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            if (random.nextInt(i < 1_200 ? 4 : 2) > 0) {
                kept.add(1, 2, 0, Double.NaN, i, i, false);
                keys.add((long) i);
            } else {
                assertThat(kept.remove(1, 2, 5_000)).isEqualTo(KeptEdges.NO_EDGE);
                if (!keys.isEmpty()) {
                    long key = keys.remove(random.nextInt(keys.size()));
                    assertThat(kept.remove(1, 2, key)).isZero();
                    assertThat(kept.key()).isEqualTo(key);
                    assertThat(kept.timestamp()).isEqualTo(key);
                }
            }
        }
        EdgeBatch found = new EdgeBatch();
        kept.oldest(1, 2, EdgeBatch.NO_KEY, 5_000, found);
        assertThat(IntStream.range(0, found.size()).mapToObj(found::key)).isEqualTo(keys);
        Collections.shuffle(keys, new Random(1));
        for (long key : keys) {
            assertThat(kept.remove(1, 2, key)).isZero();
        }
        assertThat(store.rows()).isZero();
        kept.add(1, 2, 4, Double.NaN, NO_TIMESTAMP, EdgeBatch.NO_KEY, true);
        assertThat(kept.remove(1, 2, 8)).as("a copy of a build without keys").isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noRowIsLongHoweverManyCopiesAnEdgeHas(boolean hasPlaces) {
        StoredEdges kept = hasPlaces ? StoredEdges.ofEdges(store, 0) : StoredEdges.ofVertices(store, 0);
        Deque<Long> copies = new ArrayDeque<>();
        SplittableRandom random = new SplittableRandom(11);
        int place = hasPlaces ? 3 : EdgeBatch.NO_PLACE;
        for (int i = 0; i < 20_000; i++) {
            // Grows to some thousand, shrinks to nothing, and grows again.
            if (random.nextInt(10) < (i / 5000 % 2 == 0 ? 8 : 1)) {
                kept.add(1, 2, place, Double.NaN, i, EdgeBatch.NO_KEY, false);
                copies.add((long) i);
            } else if (copies.isEmpty()) {
                assertThat(kept.remove(1, 2, EdgeBatch.NO_KEY)).isEqualTo(KeptEdges.NO_EDGE);
            } else {
                assertThat(kept.remove(1, 2, EdgeBatch.NO_KEY)).isEqualTo(place);
                assertThat(kept.timestamp()).isEqualTo(copies.remove());
            }
            if (i % 2500 == 0) {
                EdgeBatch shown = new EdgeBatch();
                kept.outgoing(1, shown);
                assertThat(IntStream.range(0, shown.size())
                                .mapToLong(shown::timestamp)
                                .sorted())
                        .containsExactlyElementsOf(copies);
            }
        }
        assertThat(store.longest()).isLessThan(64 * 10);
        while (!copies.isEmpty()) {
            assertThat(kept.remove(1, 2, EdgeBatch.NO_KEY)).isEqualTo(place);
            assertThat(kept.timestamp()).isEqualTo(copies.remove());
        }
        assertThat(store.rows()).isZero();
    }

    @Test
    void movesTheOldestCopyOnAPartitionWithoutReadingAllRowsEachTime() {
        StoredEdges kept = StoredEdges.ofEdges(store, 0);
        int copies = 2000;
        for (int i = 0; i < copies; i++) {
            kept.add(1, 2, i % 2, Double.NaN, i, EdgeBatch.NO_KEY, i == 0);
        }
        int before = store.reads();
        for (int i = 1; i < copies; i += 2) {
            assertThat(kept.move(1, 2, 1, 7)).isTrue();
            assertThat(kept.timestamp()).isEqualTo(i);
        }
        assertThat(kept.move(1, 2, 1, 7)).isFalse();
        assertThat(store.reads() - before).isLessThan(3 * copies);
        assertThat(kept.move(1, 2, 7, 1)).isTrue();
        assertThat(kept.timestamp()).isEqualTo(1);
        assertThat(kept.move(1, 2, 1, 7)).isTrue();
        assertThat(kept.timestamp()).isEqualTo(1);
        for (int i = 0; i < copies; i++) {
            assertThat(kept.remove(1, 2, EdgeBatch.NO_KEY)).isEqualTo(i % 2 == 0 ? 0 : 7);
        }
        assertThat(store.rows()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void dividesALongRowOfAnEarlierBuild(int change) {
        KeptRow row = new KeptRow();
        for (int i = 0; i < 1000; i++) {
            row.add(3, Double.NaN, i, EdgeBatch.NO_KEY);
        }
        store.write(1, 2, true, 0, row.toBytes(0, 1000));
        StoredEdges kept = StoredEdges.ofEdges(store, 0);
        int first = 0;
        if (change == 0) {
            kept.add(1, 2, 3, Double.NaN, 1000, EdgeBatch.NO_KEY, false);
        } else if (change == 1) {
            assertThat(kept.remove(1, 2, EdgeBatch.NO_KEY)).isEqualTo(3);
            first = 1;
        } else {
            assertThat(kept.move(1, 2, 4, 5)).isFalse();
        }
        assertThat(store.rows()).isEqualTo(1000 / 64 + 1);
        for (int i = first; i < (change == 0 ? 1001 : 1000); i++) {
            assertThat(kept.remove(1, 2, EdgeBatch.NO_KEY)).isEqualTo(3);
            assertThat(kept.timestamp()).isEqualTo(i);
        }
        assertThat(store.rows()).isZero();
    }

    @Test
    void refusesAnotherVersion() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new KeptRow().read(HEX.parseHex("1505")))
                .withMessage("a row of kept edges of version 5; this build reads versions 1 to 4");
    }

    @Test
    void aVertexPartitioningHasARowUnderEachEndAndOneForALoop() {
        StoredEdges kept = StoredEdges.ofVertices(store, 0);
        kept.add(1, 2, EdgeBatch.NO_PLACE, 2.5, 7, EdgeBatch.NO_KEY, true);
        kept.add(3, 1, EdgeBatch.NO_PLACE, Double.NaN, NO_TIMESTAMP, EdgeBatch.NO_KEY, true);
        kept.add(1, 1, EdgeBatch.NO_PLACE, Double.NaN, NO_TIMESTAMP, EdgeBatch.NO_KEY, true);
        assertThat(store.rows()).isEqualTo(5);
        EdgeBatch all = new EdgeBatch();
        kept.forEach(1, all, () -> {});
        assertThat(all.size()).isEqualTo(3);
        EdgeBatch leading = new EdgeBatch();
        kept.outgoing(1, leading);
        assertThat(leading.size()).isEqualTo(2);
        for (long[] edge : new long[][] {{1, 2}, {3, 1}, {1, 1}}) {
            assertThat(kept.remove(edge[0], edge[1], EdgeBatch.NO_KEY)).isEqualTo(EdgeBatch.NO_PLACE);
        }
        assertThat(store.rows()).isZero();
    }

    @Test
    void showsManyEdgesInChunks() {
        StoredEdges kept = StoredEdges.ofVertices(store, 0);
        for (int i = 0; i < 3 * EdgeBatch.DEFAULT_CAPACITY; i++) {
            kept.add(
                    i % 2 == 0 ? 0 : i,
                    i % 2 == 0 ? i : 0,
                    EdgeBatch.NO_PLACE,
                    Double.NaN,
                    NO_TIMESTAMP,
                    EdgeBatch.NO_KEY,
                    true);
        }
        EdgeBatch chunk = new EdgeBatch();
        int[] shown = {0};
        kept.forEach(0, chunk, () -> {
            assertThat(chunk.size()).isLessThanOrEqualTo(EdgeBatch.DEFAULT_CAPACITY);
            shown[0] += chunk.size();
            chunk.clear();
        });
        assertThat(shown[0]).isEqualTo(3 * EdgeBatch.DEFAULT_CAPACITY);
    }

    /** Copies that were appended come behind those that were read, and rows stay short all the same. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void copiesAreAppendedAndOftenEnoughGatheredInRows(int counts) {
        StoredEdges kept = StoredEdges.ofEdges(store, counts);
        int copies = 10_000;
        int neighbours = 5;
        for (int i = 0; i < copies * neighbours; i++) {
            kept.add(1, i % neighbours, i % 7, Double.NaN, i, EdgeBatch.NO_KEY, false);
        }
        assertThat(store.longest()).isLessThan(15_000); // of 60,000
        for (int i = 0; i < copies * neighbours; i++) {
            if (i < copies) {
                assertThat(kept.move(1, i % neighbours, i % 7, 9)).isTrue();
                assertThat(kept.timestamp()).isEqualTo(i);
            }
            assertThat(kept.remove(1, i % neighbours, EdgeBatch.NO_KEY)).isEqualTo(i < copies ? 9 : i % 7);
            assertThat(kept.timestamp()).isEqualTo(i);
        }
        assertThat(store.rows()).isZero();
    }

    @Test
    void anEdgeThatMayHaveCopiesIsSeldomReadWhenItComes() {
        AtomicInteger appended = new AtomicInteger();
        StoredEdges kept = StoredEdges.ofEdgesByBothEnds(
                new AdjacencyStore() {
                    @Override
                    public byte @Nullable [] read(long vertex, long neighbour, boolean isOutgoing, int number) {
                        return store.read(vertex, neighbour, isOutgoing, number);
                    }

                    @Override
                    public void write(long vertex, long neighbour, boolean isOut, int number, byte @Nullable [] row) {
                        store.write(vertex, neighbour, isOut, number, row);
                    }

                    @Override
                    public void append(long vertex, long neighbour, boolean isOutgoing, int number, byte[] bytes) {
                        appended.incrementAndGet();
                    }

                    @Override
                    public void forEach(long vertex, RowConsumer consumer) {}
                },
                1024);
        for (int i = 0; i < 10_000; i++) {
            kept.add(i % 10, 100, 0, Double.NaN, NO_TIMESTAMP, EdgeBatch.NO_KEY, false);
        }
        assertThat(store.reads()).isBetween(1, 10_000 / 128);
        assertThat(appended).hasValue(2 * 10_000);
    }
}
