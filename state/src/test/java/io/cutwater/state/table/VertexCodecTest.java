package io.cutwater.state.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VertexCodecTest {
    private static final HexFormat HEX = HexFormat.of();

    /** Version 1, written out by hand from its description: degree 300, master 2, replicas 2 and 5 of 8, a bitmap. */
    private static final String BITMAP_OF_VERSION_1 = "21" + "ac02" + "03" + "02" + "24";

    /** Version 1: degree 1, final degree 2^40, master 4095, the only replica 4095 of 4096, a list. */
    private static final String LIST_OF_VERSION_1 = "11" + "01" + "808080808020" + "8020" + "01" + "ff1f";

    @Test
    void readsAndWritesTheBitmapOfVersion1() {
        VertexLayout layout = new VertexLayout(8, false);
        long[] record = decoded(layout, HEX.parseHex(BITMAP_OF_VERSION_1));
        assertThat(record).containsExactly(0, VertexHeader.of(300, 2), 0b100100);
        assertThat(HEX.formatHex(new VertexCodec(layout).encode(record, 0))).isEqualTo(BITMAP_OF_VERSION_1);
    }

    @Test
    void readsAndWritesTheListOfVersion1() {
        VertexLayout layout = new VertexLayout(4096, true);
        long[] record = decoded(layout, HEX.parseHex(LIST_OF_VERSION_1));
        assertThat(record[VertexLayout.HEADER]).isEqualTo(VertexHeader.of(1, 4095));
        assertThat(record[VertexLayout.FINAL_DEGREE]).isEqualTo(1L << 40);
        assertThat(record[layout.stride() - 1]).isEqualTo(Long.MIN_VALUE);
        assertThat(HEX.formatHex(new VertexCodec(layout).encode(record, 0))).isEqualTo(LIST_OF_VERSION_1);
    }

    /** Version 1: degree 3, home 6, one counter of 1.5 for partition 5, cluster 299, master 2, replica 2. */
    private static final String COLUMNS_OF_VERSION_1 =
            "41" + "03" + "03" + "87c002" + "800c" + "ac02" + "03" + "01" + "02";

    @Test
    void readsAndWritesTheColumnsOfVersion1() {
        VertexLayout layout = new VertexLayout(8, false).withHomes().withClusters();
        long[] record = decoded(layout, HEX.parseHex(COLUMNS_OF_VERSION_1));
        assertThat(record).containsExactly(0, VertexHeader.of(3, 2), 1536, 7 | 5 << 13, 300, 0b100);
        assertThat(HEX.formatHex(new VertexCodec(layout).encode(record, 0))).isEqualTo(COLUMNS_OF_VERSION_1);
    }

    /** Version 1: degree 3, cluster 300 of volume 40 on partition 1, master 2, replica 2. */
    private static final String KNOWN_CLUSTER_OF_VERSION_1 = "41" + "0a" + "03" + "ac02" + "a820" + "03" + "01" + "02";

    @Test
    void readsAndWritesWhatIsKnownOfAClusterOfVersion1() {
        VertexLayout layout = new VertexLayout(8, false).withClusters();
        long[] record = decoded(layout, HEX.parseHex(KNOWN_CLUSTER_OF_VERSION_1));
        assertThat(record).containsExactly(0, VertexHeader.of(3, 2), ClusterLabel.of(300, 1, 40), 0b100);
        assertThat(HEX.formatHex(new VertexCodec(layout).encode(record, 0))).isEqualTo(KNOWN_CLUSTER_OF_VERSION_1);
    }

    @Test
    void aVolumeIsAtMostThreePerCentTooSmall() {
        for (long volume = 1; volume > 0; volume += 1 + volume / 7) {
            long label = ClusterLabel.of(1L << 39, 4095, volume);
            assertThat(ClusterLabel.id(label)).isEqualTo(1L << 39);
            assertThat(ClusterLabel.partition(label)).isEqualTo(4095);
            assertThat(ClusterLabel.volume(label)).isBetween(volume - volume / 32, volume);
        }
        assertThat(ClusterLabel.partition(ClusterLabel.of(7, ClusterLabel.NOWHERE, 0)))
                .isEqualTo(ClusterLabel.NOWHERE);
    }

    @Test
    void columnsAreLeftOutWhereTheyAreNotWantedAndCostNothingWhereTheyAreEmpty() {
        VertexLayout plain = new VertexLayout(8, false);
        long[] record = decoded(plain, HEX.parseHex(COLUMNS_OF_VERSION_1));
        assertThat(record).containsExactly(0, VertexHeader.of(3, 2), 0b100);
        String withoutColumns = "01" + "03" + "03" + "01" + "02";
        VertexLayout all = plain.withHomes().withClusters();
        long[] empty = decoded(all, HEX.parseHex(withoutColumns));
        assertThat(HEX.formatHex(new VertexCodec(all).encode(empty, 0))).isEqualTo(withoutColumns);
    }

    @Test
    void refusesColumnsThatItDoesNotKnow() {
        byte[] bytes = HEX.parseHex("4110" + COLUMNS_OF_VERSION_1.substring(4));
        assertThatIllegalStateException()
                .isThrownBy(() -> decoded(new VertexLayout(8, false), bytes))
                .withMessage("a stored vertex with columns 0x10; this build knows 0xf only");
    }

    @Test
    void writesAListIfABitmapIsNotShorter() {
        VertexLayout layout = new VertexLayout(8, false);
        long[] record = {0, VertexHeader.of(1, 3), 1 << 3};
        assertThat(HEX.formatHex(new VertexCodec(layout).encode(record, 0)))
                .isEqualTo("01" + "01" + "04" + "01" + "03");
    }

    @ParameterizedTest(name = "k = {0}, final degrees {1}")
    @CsvSource({"1,false", "7,true", "8,false", "9,true", "63,true", "64,false", "65,true", "200,false", "4096,true"})
    void readsWhatItWrote(int partitionCount, boolean hasFinalDegrees) {
        boolean hasHomes = partitionCount % 3 != 1;
        boolean hasCounts = partitionCount % 4 != 0;
        VertexLayout layout =
                new VertexLayout(partitionCount, hasFinalDegrees, hasHomes, partitionCount % 2 == 0, hasCounts);
        VertexCodec codec = new VertexCodec(layout);
        SplittableRandom random = new SplittableRandom(partitionCount);
        int base = 5; // a record in the middle of others, which must stay as they are
        for (int i = 0; i < 2000; i++) {
            long[] records = new long[base + layout.stride() + 5];
            fillRandomly(records, base, layout, random);
            byte[] bytes = codec.encode(records, base);
            long[] back = new long[records.length];
            codec.decode(bytes, back, base);
            assertThat(back).isEqualTo(records);
        }
    }

    private static void fillRandomly(long[] records, int base, VertexLayout layout, SplittableRandom random) {
        long degree = random.nextLong(1L << random.nextInt(44));
        int master = random.nextInt(-1, layout.partitionCount());
        records[base + VertexLayout.HEADER] = VertexHeader.of(degree, master);
        if (layout.hasFinalDegrees()) {
            records[base + VertexLayout.FINAL_DEGREE] = random.nextLong(1L << random.nextInt(63));
        }
        if (layout.hasHomes() && random.nextBoolean()) {
            records[base + layout.homes()] = random.nextLong();
            records[base + layout.homes() + 1] = random.nextLong() >>> 3;
        }
        if (layout.hasClusters() && random.nextBoolean()) {
            records[base + layout.cluster()] = random.nextBoolean()
                    ? 1 + random.nextInt(Integer.MAX_VALUE)
                    : ClusterLabel.of(
                            1 + random.nextLong((1L << ClusterLabel.ID_BITS) - 1),
                            random.nextInt(-1, layout.partitionCount()),
                            random.nextLong(Long.MAX_VALUE));
        }
        int tries = (int) Math.pow(layout.partitionCount(), 1.2 * random.nextDouble());
        for (int j = 0; j < tries && degree > 0; j++) {
            int partition = random.nextInt(layout.partitionCount());
            records[base + layout.replicas() + partition / 64] |= 1L << partition;
            if (layout.hasCounts()) {
                layout.setCount(records, base, partition, random.nextLong(1L << random.nextInt(33)));
            }
        }
    }

    @Test
    void readsTheBytesOfASmallerAndOfALargerPartitionCount() {
        VertexLayout large = new VertexLayout(70, false).withCounts();
        long[] record = new long[large.stride()];
        record[VertexLayout.HEADER] = VertexHeader.of(12, 3);
        record[large.replicas()] = 1 << 3 | 1 << 7;
        large.setCount(record, 0, 3, 0xFFFF_FFFFL);
        large.setCount(record, 0, 7, 5);
        VertexLayout small = new VertexLayout(8, false).withCounts();
        long[] smallRecord = decoded(small, new VertexCodec(large).encode(record, 0));
        assertThat(small.count(smallRecord, 0, 3)).isEqualTo(0xFFFF_FFFFL);
        assertThat(small.count(smallRecord, 0, 7)).isEqualTo(5);
        assertThat(decoded(large, new VertexCodec(small).encode(smallRecord, 0)))
                .isEqualTo(record);
        long[] withoutCounts = decoded(new VertexLayout(8, false), new VertexCodec(large).encode(record, 0));
        assertThat(withoutCounts[VertexLayout.HEADER]).isEqualTo(record[VertexLayout.HEADER]);
    }

    @Test
    void countsTakeAByteForAReplicaOfFewEdges() {
        VertexLayout layout = new VertexLayout(64, false).withCounts();
        long[] record = new long[layout.stride()];
        record[VertexLayout.HEADER] = VertexHeader.of(3, 1);
        record[layout.replicas()] = 1 << 1 | 1 << 5;
        int before = new VertexCodec(layout).encode(record, 0).length;
        layout.setCount(record, 0, 1, 2);
        layout.setCount(record, 0, 5, 1);
        assertThat(new VertexCodec(layout).encode(record, 0)).hasSize(before + 3); // one says that there are counts
    }

    @Test
    void aVertexWithOneReplicaOf4096IsSmall() {
        VertexLayout layout = new VertexLayout(4096, false);
        long[] record = new long[layout.stride()];
        record[VertexLayout.HEADER] = VertexHeader.of(3, 100);
        record[layout.replicas() + 1] = 1L << (100 - 64);
        assertThat(new VertexCodec(layout).encode(record, 0)).hasSize(5);
    }

    @Test
    void aVertexOnAllOf4096PartitionsTakesABitEach() {
        VertexLayout layout = new VertexLayout(4096, false);
        long[] record = new long[layout.stride()];
        record[VertexLayout.HEADER] = VertexHeader.of(5000, 1);
        Arrays.fill(record, layout.replicas(), record.length, -1);
        assertThat(new VertexCodec(layout).encode(record, 0)).hasSize(1 + 2 + 1 + 2 + 512);
    }

    @Test
    void bytesWithAFinalDegreeAreReadWithoutItWhereItIsNotWanted() {
        long[] record = decoded(new VertexLayout(4096, false), HEX.parseHex(LIST_OF_VERSION_1));
        assertThat(record[VertexLayout.HEADER]).isEqualTo(VertexHeader.of(1, 4095));
        assertThat(record[record.length - 1]).isEqualTo(Long.MIN_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "02", "0f", "81", "c1"})
    void refusesAnotherVersionAndUnknownFlags(String first) {
        byte[] bytes = HEX.parseHex(first + BITMAP_OF_VERSION_1.substring(2));
        assertThatIllegalStateException()
                .isThrownBy(() -> decoded(new VertexLayout(8, false), bytes))
                .withMessageStartingWith("a stored vertex of version " + (bytes[0] & 15))
                .withMessageEndingWith("this build reads version 1");
    }

    @Test
    void refusesBytesThatAreCutShortAnywhere() {
        assertRefusesEveryPrefix(new VertexLayout(8, false), HEX.parseHex(BITMAP_OF_VERSION_1));
        assertRefusesEveryPrefix(new VertexLayout(4096, true), HEX.parseHex(LIST_OF_VERSION_1));
        SplittableRandom random = new SplittableRandom(1);
        VertexLayout layout = new VertexLayout(200, true, true, true, true);
        for (int i = 0; i < 200; i++) {
            long[] record = new long[layout.stride()];
            fillRandomly(record, 0, layout, random);
            assertRefusesEveryPrefix(layout, new VertexCodec(layout).encode(record, 0));
        }
    }

    private static void assertRefusesEveryPrefix(VertexLayout layout, byte[] bytes) {
        for (int length = 0; length < bytes.length; length++) {
            byte[] prefix = Arrays.copyOf(bytes, length);
            assertThatIllegalStateException()
                    .isThrownBy(() -> decoded(layout, prefix))
                    .withMessage("a stored vertex is truncated after %d bytes", length);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "21ac02030224ff, 'a stored vertex ends after 6 bytes, but there are 7'", //
        "21ac02030324,   a stored vertex is truncated after 6 bytes",
        "21ac02030124,   'a stored vertex has 2 replicas, but its header says 1'",
        "21ac02030980,   a stored vertex has 9 where 8 is the largest possible",
        "21ac02090224,   a stored vertex has 9 where 8 is the largest possible",
        "0101010203ff7f, a stored vertex has 16383 where 8 is the largest possible",
        "010101020304,   a stored vertex is on partition 8 of 8",
        "210101020000000000000000ff, a stored vertex is on partition 8 of 8",
        "01ffffffffffffff7f0000, a stored vertex has a degree out of range: 72057594037927935",
        "01ffffffffffffffffffff00, a stored vertex holds a number of more than 64 bits"
    })
    void refusesBytesThatMakeNoSense(String hex, String message) {
        assertThatIllegalStateException()
                .isThrownBy(() -> decoded(new VertexLayout(8, false), HEX.parseHex(hex)))
                .withMessage(message);
    }

    @Test
    void refusesOrReadsAnyBytesWithoutTouchingOtherRecords() {
        VertexLayout layout = new VertexLayout(70, true, true, true, true);
        VertexCodec codec = new VertexCodec(layout);
        SplittableRandom random = new SplittableRandom(3);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(30)];
            random.nextBytes(bytes);
            if (bytes.length > 0) {
                bytes[0] = (byte) (VertexCodec.VERSION | random.nextInt(8) << 4);
            }
            long[] records = new long[3 * layout.stride()];
            try {
                codec.decode(bytes, records, layout.stride());
            } catch (IllegalStateException e) {
                refused++;
            }
            assertThat(Arrays.copyOf(records, layout.stride())).containsOnly(0);
            assertThat(Arrays.copyOfRange(records, 2 * layout.stride(), records.length))
                    .containsOnly(0);
        }
        assertThat(refused).isGreaterThan(15_000);
    }

    private static long[] decoded(VertexLayout layout, byte[] bytes) {
        long[] record = new long[layout.stride()];
        new VertexCodec(layout).decode(bytes, record, 0);
        return record;
    }
}
