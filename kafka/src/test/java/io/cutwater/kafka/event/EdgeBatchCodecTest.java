package io.cutwater.kafka.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EdgeBatchCodecTest {
    /** Two edges without weights and timestamps, as version 1 wrote them. */
    private static final String PLAIN_V1 =
            "0100" + "02000000" + "0100000000000000" + "ffffffffffffffff" + "0200000000000000" + "0000000000000080";
    /** Bytes of the same edges, the first with weight 0.5, the second with timestamp 3. */
    private static final String FULL_V1 = "0103" + "02000000"
            + "0100000000000000" + "ffffffffffffffff"
            + "0200000000000000" + "0000000000000080"
            + "000000000000e03f" + "000000000000f87f"
            + "0000000000000080" + "0300000000000000";

    /** Ten edges (i, −i); 0, 3 and 9 are removals. */
    private static final String REMOVALS_V1 = "0104" + "0a000000"
            + "00000000000000000100000000000000020000000000000003000000000000000400000000000000"
            + "05000000000000000600000000000000070000000000000008000000000000000900000000000000"
            + "0000000000000000fffffffffffffffffefffffffffffffffdfffffffffffffffcffffffffffffff"
            + "fbfffffffffffffffafffffffffffffff9fffffffffffffff8fffffffffffffff7ffffffffffffff"
            + "0902";

    /** Two edges with keys 7 and none; the second is a removal. */
    private static final String KEYS_V2 = "0204" + "02000000"
            + "0100000000000000" + "ffffffffffffffff"
            + "0200000000000000" + "0000000000000080"
            + "02"
            + "0700000000000000" + "0000000000000080";

    @Test
    void edgesWithKeysAreVersion2() {
        EdgeBatch batch = plain();
        batch.setKey(0, 7);
        batch.setRemoval(1);
        assertThat(hex(EdgeBatchCodec.encode(batch))).isEqualTo(KEYS_V2);
        EdgeBatch read = full();
        EdgeBatchCodec.decode(HexFormat.of().parseHex(KEYS_V2), read);
        assertThat(read.key(2)).isEqualTo(7);
        assertThat(read.key(3)).isEqualTo(EdgeBatch.NO_KEY).isEqualTo(read.key(0));
        assertThat(read.isRemoval(3)).isTrue();
        assertThat(read.isRemoval(2)).isFalse();
        assertThat(EdgeBatchCodec.hasRemovals(HexFormat.of().parseHex(KEYS_V2))).isTrue();
        assertThat(EdgeBatchCodec.hasRemovals(
                        HexFormat.of().parseHex(KEYS_V2.replaceFirst("02(0700000000000000)", "00$1"))))
                .isFalse();
        refuses(
                HexFormat.of().parseHex(KEYS_V2.replaceFirst("02(0700000000000000)", "04$1")),
                "more removals than edges");
    }

    @Test
    void writesTheBytesOfVersion1() {
        assertThat(hex(EdgeBatchCodec.encode(removals()))).isEqualTo(REMOVALS_V1);
        assertThat(hex(EdgeBatchCodec.encode(plain()))).isEqualTo(PLAIN_V1);
        assertThat(hex(EdgeBatchCodec.encode(full()))).isEqualTo(FULL_V1);
    }

    @Test
    void readsTheBytesThatVersion1Wrote() {
        EdgeBatch batch = new EdgeBatch();
        EdgeBatchCodec.decode(HexFormat.of().parseHex(PLAIN_V1), batch);
        EdgeBatchCodec.decode(HexFormat.of().parseHex(FULL_V1), batch);
        EdgeBatchCodec.decode(HexFormat.of().parseHex(REMOVALS_V1), batch);
        List<String> expected = new ArrayList<>(RandomEdges.edges(plain()));
        expected.addAll(RandomEdges.edges(full()));
        expected.addAll(RandomEdges.edges(removals()));
        assertThat(RandomEdges.edges(batch)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "seed {0}, {1} edges, weights {2}, timestamps {3}")
    @CsvSource({
        "1, 0, false, false",
        "2, 1, false, false",
        "3, 5000, false, false",
        "4, 5000, true, false",
        "5, 5000, false, true",
        "6, 5000, true, true",
        "7, 3, true, true"
    })
    void readsWhatItWrote(long seed, int size, boolean weights, boolean timestamps) {
        EdgeBatch batch = RandomEdges.batch(seed, size, weights, timestamps);
        EdgeBatch read = new EdgeBatch(1);
        EdgeBatchCodec.decode(EdgeBatchCodec.encode(batch), read);
        assertThat(RandomEdges.edges(read)).isEqualTo(RandomEdges.edges(batch));
        assertThat(EdgeBatchCodec.encode(read)).isEqualTo(EdgeBatchCodec.encode(batch));
    }

    @ParameterizedTest(name = "{0} edges with all columns {1}")
    @CsvSource({"1, false", "8, false", "5000, false", "7, true", "5001, true"})
    void readsTheRemovalsItWrote(int size, boolean columns) {
        EdgeBatch batch = RandomEdges.withRemovals(9, RandomEdges.batch(9, size, columns, columns));
        batch.setRemoval(size - 1);
        EdgeBatch read = RandomEdges.batch(10, 3, false, false);
        EdgeBatchCodec.decode(EdgeBatchCodec.encode(batch), read);
        assertThat(RandomEdges.edges(read, 3, read.size())).isEqualTo(RandomEdges.edges(batch));
        assertThat(RandomEdges.edges(read, 0, 3)).noneMatch(edge -> edge.startsWith("remove"));
    }

    @Test
    void refusesARemovalOfARowThatIsNotThere() {
        byte[] bytes = HexFormat.of().parseHex(REMOVALS_V1);
        bytes[bytes.length - 1] |= 4;
        refuses(bytes, "an edge batch of 10 edges has more removals than edges");
    }

    @Test
    void writesARangeAndReadsFromTheMiddleOfAnArray() {
        EdgeBatch batch = RandomEdges.withRemovals(8, RandomEdges.batch(8, 100, true, true));
        byte[] bytes = EdgeBatchCodec.encode(batch, 30, 71);
        byte[] padded = new byte[bytes.length + 9];
        System.arraycopy(bytes, 0, padded, 5, bytes.length);
        EdgeBatch read = new EdgeBatch();
        EdgeBatchCodec.decode(padded, 5, bytes.length, read);
        assertThat(RandomEdges.edges(read)).isEqualTo(RandomEdges.edges(batch, 30, 71));
    }

    @Test
    void refusesEveryTruncationAndEveryTrailingByteWithASentence() {
        for (String whole : List.of(FULL_V1, REMOVALS_V1, KEYS_V2)) {
            byte[] bytes = HexFormat.of().parseHex(whole);
            for (int length = 0; length < bytes.length; length++) {
                refuses(Arrays.copyOf(bytes, length), "truncated");
            }
            refuses(Arrays.copyOf(bytes, bytes.length + 1), "it has trailing bytes");
        }
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        byte[] version = HexFormat.of().parseHex(PLAIN_V1);
        version[0] = 3;
        refuses(version, "edge batch version 3 is not known; this program reads versions 1 and 2");
        byte[] flags = HexFormat.of().parseHex(PLAIN_V1);
        flags[1] = 8;
        refuses(flags, "edge batch flags 0x08 are not known");
    }

    @Test
    void refusesACountThatDoesNotFit() {
        byte[] bytes = HexFormat.of().parseHex(PLAIN_V1);
        bytes[5] = 0x7F;
        refuses(bytes, "an edge batch of 2130706434 edges takes 34091302950 bytes, but there are 38: it is truncated");
        bytes[5] = (byte) 0x80;
        refuses(bytes, "an edge batch cannot have -2147483646 edges");
    }

    private static void refuses(byte[] bytes, String reason) {
        EdgeBatch batch = new EdgeBatch();
        assertThatThrownBy(() -> EdgeBatchCodec.decode(bytes, batch))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
        assertThat(batch.isEmpty()).isTrue();
    }

    private static EdgeBatch plain() {
        EdgeBatch batch = new EdgeBatch();
        batch.add(1, 2);
        batch.add(-1, Long.MIN_VALUE);
        return batch;
    }

    private static EdgeBatch full() {
        EdgeBatch batch = new EdgeBatch();
        batch.add(1, 2, 0.5, EdgeBatch.NO_TIMESTAMP);
        batch.add(-1, Long.MIN_VALUE, Double.NaN, 3);
        return batch;
    }

    private static EdgeBatch removals() {
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < 10; i++) {
            batch.add(i, -i);
        }
        batch.setRemoval(0);
        batch.setRemoval(3);
        batch.setRemoval(9);
        return batch;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
