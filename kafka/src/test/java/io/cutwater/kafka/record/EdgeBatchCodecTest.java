package io.cutwater.kafka.record;

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
    /** The same edges, the first with weight 0.5, the second with timestamp 3. */
    private static final String FULL_V1 = "0103" + "02000000"
            + "0100000000000000" + "ffffffffffffffff"
            + "0200000000000000" + "0000000000000080"
            + "000000000000e03f" + "000000000000f87f"
            + "0000000000000080" + "0300000000000000";

    @Test
    void writesTheBytesOfVersion1() {
        assertThat(hex(EdgeBatchCodec.encode(plain()))).isEqualTo(PLAIN_V1);
        assertThat(hex(EdgeBatchCodec.encode(full()))).isEqualTo(FULL_V1);
    }

    @Test
    void readsTheBytesThatVersion1Wrote() {
        EdgeBatch batch = new EdgeBatch();
        EdgeBatchCodec.decode(HexFormat.of().parseHex(PLAIN_V1), batch);
        EdgeBatchCodec.decode(HexFormat.of().parseHex(FULL_V1), batch);
        List<String> expected = new ArrayList<>(RandomEdges.edges(plain()));
        expected.addAll(RandomEdges.edges(full()));
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

    @Test
    void writesARangeAndReadsFromTheMiddleOfAnArray() {
        EdgeBatch batch = RandomEdges.batch(8, 100, true, true);
        byte[] bytes = EdgeBatchCodec.encode(batch, 30, 71);
        byte[] padded = new byte[bytes.length + 9];
        System.arraycopy(bytes, 0, padded, 5, bytes.length);
        EdgeBatch read = new EdgeBatch();
        EdgeBatchCodec.decode(padded, 5, bytes.length, read);
        assertThat(RandomEdges.edges(read)).isEqualTo(RandomEdges.edges(batch, 30, 71));
    }

    @Test
    void refusesEveryTruncationAndEveryTrailingByteWithASentence() {
        byte[] bytes = HexFormat.of().parseHex(FULL_V1);
        for (int length = 0; length < bytes.length; length++) {
            refuses(Arrays.copyOf(bytes, length), "truncated");
        }
        refuses(Arrays.copyOf(bytes, bytes.length + 1), "bytes trail it");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        byte[] version = HexFormat.of().parseHex(PLAIN_V1);
        version[0] = 2;
        refuses(version, "edge batch version 2 is not known; this program reads version 1");
        byte[] flags = HexFormat.of().parseHex(PLAIN_V1);
        flags[1] = 4;
        refuses(flags, "edge batch flags 0x04 are not known");
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

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
