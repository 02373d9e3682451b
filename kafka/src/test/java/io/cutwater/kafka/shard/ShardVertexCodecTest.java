package io.cutwater.kafka.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.vertex.FeatureRow;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.format.vertex.VertexRecordCodec;
import io.cutwater.kafka.replay.ShardReplay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShardVertexCodecTest {
    /** Vertex 7 with features .5 and 1, label 3, train; vertex −2 with nothing. As version 1 wrote it. */
    private static final String DATA_V1 = "0109" + "0000000000000000" + "02000000"
            + "0700000000000000" + "feffffffffffffff"
            + "13000000" + "010001" + "03000000" + "02000000" + "0000003f0000803f"
            + "0b000000" + "010000" + "ffffffff" + "00000000";

    private static final String GONE_V1 =
            "010a" + "0000000000000000" + "02000000" + "0700000000000000" + "feffffffffffffff";

    private static final long[] VERTICES = {7, -2, 99};
    private static final List<byte[]> DATA = List.of(
            VertexRecordCodec.value(new float[] {0.5f, 1}, 2, 3, VertexSplit.TRAIN),
            VertexRecordCodec.value(new float[0], 0, VertexRecord.NO_LABEL, VertexSplit.NONE));

    @Test
    void writesTheBytesOfVersion1() {
        assertThat(HexFormat.of().formatHex(ShardVertexCodec.data(VERTICES, DATA)))
                .isEqualTo(DATA_V1);
        assertThat(HexFormat.of().formatHex(ShardVertexCodec.gone(VERTICES, 2))).isEqualTo(GONE_V1);
    }

    @Test
    void readsTheBytesThatVersion1Wrote() {
        assertThat(read(HexFormat.of().parseHex(DATA_V1)))
                .containsExactly(
                        new VertexRecord(7, new float[] {0.5f, 1}, 3, VertexSplit.TRAIN),
                        new VertexRecord(-2, new float[0], VertexRecord.NO_LABEL, VertexSplit.NONE));
        assertThat(read(HexFormat.of().parseHex(GONE_V1))).containsExactly(7L, -2L);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void readsWhatItWrote(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<VertexRecord> records = new ArrayList<>();
        List<byte[]> data = new ArrayList<>();
        long[] vertices = random.longs(50).toArray();
        for (long vertex : vertices) {
            float[] features = new float[random.nextInt(20)];
            for (int i = 0; i < features.length; i++) {
                features[i] = random.nextInt(3) == 0 ? (float) random.nextDouble(-1, 1) : 0;
            }
            VertexRecord record =
                    new VertexRecord(vertex, features, random.nextInt(-1, 9), VertexSplit.of(random.nextInt(4)));
            records.add(record);
            data.add(VertexRecordCodec.value(features, features.length, record.label(), record.split()));
        }
        assertThat(read(ShardVertexCodec.data(vertices, data))).isEqualTo(records);
    }

    @Test
    void isToldFromARecordOfEdges() {
        assertThat(ShardVertexCodec.tellsOfVertices(HexFormat.of().parseHex(DATA_V1)))
                .isTrue();
        assertThat(ShardVertexCodec.tellsOfVertices(HexFormat.of().parseHex(GONE_V1)))
                .isTrue();
        assertThat(ShardVertexCodec.tellsOfVertices(HexFormat.of().parseHex("0101")))
                .isFalse();
        assertThat(ShardVertexCodec.tellsOfVertices(new byte[] {1})).isFalse();
        refuses(HexFormat.of().parseHex("0101"), "kind 1 is not about vertices");
    }

    @Test
    void refusesEveryTruncationAndWhatTrails() {
        for (String whole : List.of(DATA_V1, GONE_V1)) {
            byte[] value = HexFormat.of().parseHex(whole);
            for (int length = 0; length < value.length; length++) {
                refuses(Arrays.copyOf(value, length), "truncated");
            }
            refuses(Arrays.copyOf(value, value.length + 1), "1 bytes trail a shard record");
        }
    }

    @Test
    void refusesCountsLengthsAndDataThatAreNotTrue() {
        refuses(HexFormat.of().parseHex("02" + DATA_V1.substring(2)), "shard record version 2 is not known");
        refuses(HexFormat.of().parseHex(GONE_V1.replaceFirst("02000000", "ffffffff")), "be about -1 vertices");
        refuses(HexFormat.of().parseHex(GONE_V1.replaceFirst("02000000", "ffffff7f")), "truncated");
        refuses(HexFormat.of().parseHex(DATA_V1.replaceFirst("13000000", "ffffffff")), "truncated");
        // One byte of its neighbour: the vertex' own data say that they have ended.
        refuses(HexFormat.of().parseHex(DATA_V1.replaceFirst("13000000", "14000000")), "1 bytes trail a vertex record");
        refuses(HexFormat.of().parseHex(DATA_V1.replaceFirst("010001", "050001")), "begins with byte 5");
        refuses(HexFormat.of().parseHex(DATA_V1.replaceFirst("0000803f", "0000807f")), "must be finite");
    }

    /** 64 KiB that say 2^20 features of each of 1,872 vertices: 7.8 GB as arrays of all of them. */
    @Test
    void takesNoMoreMemoryForWideRowsThanTheirBytes() {
        byte[] wide =
                HexFormat.of().parseHex("010100" + "00000000" + "00001000" + "01000000" + "07000000" + "0000803f");
        long[] vertices = LongStream.range(0, 1_872).toArray();
        byte[] value = ShardVertexCodec.data(vertices, Collections.nCopies(vertices.length, wide));
        assertThat(value).hasSizeLessThan(64 << 10);
        ShardReplay shard = new ShardReplay(0);
        ShardVertexCodec.decode(value, new ShardVertexCodec.Handler() {
            @Override
            public void data(VertexRecord vertex) {
                shard.apply(vertex);
            }

            @Override
            public void gone(long vertex) {
                shard.forget(vertex);
            }
        });
        float[] first = new float[8];
        for (long vertex : vertices) {
            FeatureRow features = shard.data(vertex).orElseThrow().features();
            features.copyTo(first);
            assertThat(features.width()).isEqualTo(1 << 20);
            assertThat(first).containsExactly(0, 0, 0, 0, 0, 0, 0, 1);
        }
    }

    private static List<Object> read(byte[] value) {
        List<Object> read = new ArrayList<>();
        read(value, read);
        return read;
    }

    private static void read(byte[] value, List<Object> read) {
        ShardVertexCodec.decode(value, new ShardVertexCodec.Handler() {
            @Override
            public void data(VertexRecord vertex) {
                read.add(vertex);
            }

            @Override
            public void gone(long vertex) {
                read.add(vertex);
            }
        });
    }

    /** Whole or not at all: the handler of a refused record has nothing. */
    private static void refuses(byte[] value, String reason) {
        List<Object> read = new ArrayList<>();
        assertThatThrownBy(() -> read(value, read))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
        assertThat(read).isEmpty();
    }
}
