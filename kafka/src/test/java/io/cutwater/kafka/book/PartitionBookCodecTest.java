package io.cutwater.kafka.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.graph.VertexBatch;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionBookCodecTest {
    /** Vertex -2, owner 3, no cluster, degree 300, replicas 0, 3 and 200, as version 1 wrote it. */
    private static final String KEY_V1 = "fffffffffffffffe";

    private static final String VALUE_V1 = "01" + "03" + "00" + "ac02" + "03" + "0003c501";

    private final PartitionBookCodec codec = new PartitionBookCodec();

    @Test
    void writesTheBytesOfVersion1() {
        VertexBatch batch = new VertexBatch();
        batch.add(7, 1, 0);
        batch.addReplica(0);
        batch.add(-2, 300, 3);
        batch.addReplica(0);
        batch.addReplica(3);
        batch.addReplica(200);
        assertThat(HexFormat.of().formatHex(codec.key(batch, 1))).isEqualTo(KEY_V1);
        assertThat(HexFormat.of().formatHex(codec.value(batch, 1))).isEqualTo(VALUE_V1);
    }

    @Test
    void readsTheBytesThatVersion1Wrote() {
        assertThat(decode(VALUE_V1)).isEqualTo(new PartitionBookEntry(-2, 3, new int[] {0, 3, 200}, -1, 300));
        assertThat(decode("01" + "03" + "8101" + "ac02" + "00").cluster()).isEqualTo(128);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void readsWhatItWrote(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        VertexBatch batch = new VertexBatch(1);
        for (int i = 0; i < 200; i++) {
            batch.add(random.nextLong(), random.nextLong() >>> (1 + random.nextInt(60)), random.nextInt(4096));
            for (int p = random.nextInt(10); p < 4096; p += 1 + random.nextInt(1 << random.nextInt(12))) {
                batch.addReplica(p);
            }
        }
        for (int i = 0; i < batch.size(); i++) {
            int[] replicas = Arrays.copyOfRange(batch.replicas(), batch.replicasFrom(i), batch.replicasFrom(i + 1));
            assertThat(codec.decode(codec.key(batch, i), codec.value(batch, i)))
                    .isEqualTo(new PartitionBookEntry(
                            batch.vertex(i),
                            batch.master(i),
                            replicas,
                            PartitionBookEntry.NO_CLUSTER,
                            batch.degree(i)));
        }
    }

    @Test
    void readsTheDegreeOfAVertexWhosePlaceIsNotKnownYet() {
        assertThat(decode("020000ac0200"))
                .isEqualTo(new PartitionBookEntry(
                        -2, PartitionBookEntry.NO_OWNER, new int[] {}, PartitionBookEntry.NO_CLUSTER, 300));
    }

    @Test
    void refusesEveryTruncationWithASentence() {
        for (int length = 0; length < VALUE_V1.length(); length += 2) {
            refuses(VALUE_V1.substring(0, length), "truncated");
        }
        refuses(VALUE_V1 + "00", "ends after 10 bytes, but there are 11");
    }

    @Test
    void refusesNumbersThatDoNotFit() {
        refuses("03", "partition book version 3 is not known; this program reads versions 1 and 2");
        refuses("01" + "8080808010", "the owner of a partition book record is beyond 2^31 − 1: 4294967296");
        refuses("01" + "00".repeat(3) + "05" + "0000", "its 5 replicas do not fit in the remaining 2 bytes");
        refuses("01" + "00".repeat(3) + "02" + "ffffffff0701", "replica beyond 2^31 − 1: 2147483648");
        refuses("01" + "00" + "ff".repeat(10), "a number of more than 64 bits");
        refuses("01" + "00" + "ff".repeat(9) + "01", "beyond 2^63 − 1");
    }

    @Test
    void refusesAKeyThatIsNoVertex() {
        assertThatThrownBy(() -> codec.decode(new byte[4], HexFormat.of().parseHex(VALUE_V1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the key of a partition book record takes 8 bytes, but there are 4");
    }

    private PartitionBookEntry decode(String value) {
        return codec.decode(HexFormat.of().parseHex(KEY_V1), HexFormat.of().parseHex(value));
    }

    private void refuses(String value, String reason) {
        assertThatThrownBy(() -> decode(value))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}
