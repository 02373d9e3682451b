package io.cutwater.format.vertex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.VertexSplit;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VertexRecordCodecTest {
    /** Features 1 and -0.5, label 3, split train, as version 1 wrote it. */
    private static final String DENSE_V1 = "01" + "00" + "01" + "03000000" + "02000000" + "0000803f" + "000000bf";
    /** Feature 2 of 5 is 1; no label, no split. */
    private static final String SPARSE_V1 =
            "01" + "01" + "00" + "ffffffff" + "05000000" + "01000000" + "02000000" + "0000803f";

    private final VertexRecordCodec codec = new VertexRecordCodec();

    @Test
    void writesTheBytesOfVersion1() {
        assertThat(hex(VertexRecordCodec.value(new float[] {1, -0.5f, 9}, 2, 3, VertexSplit.TRAIN)))
                .isEqualTo(DENSE_V1);
        assertThat(hex(VertexRecordCodec.value(new float[] {0, 0, 1, 0, 0}, 5, -1, VertexSplit.NONE)))
                .isEqualTo(SPARSE_V1);
        assertThat(VertexRecordCodec.key(-2)).containsExactly(-1, -1, -1, -1, -1, -1, -1, -2);
    }

    @Test
    void readsTheBytesThatVersion1Wrote() {
        assertThat(codec.decode(VertexRecordCodec.key(7), bytes(DENSE_V1)))
                .isEqualTo(new VertexRecord(7, new float[] {1, -0.5f}, 3, VertexSplit.TRAIN));
        assertThat(codec.decode(VertexRecordCodec.key(-7), bytes(SPARSE_V1)))
                .isEqualTo(new VertexRecord(-7, new float[] {0, 0, 1, 0, 0}, -1, VertexSplit.NONE));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void readsWhatItWrote(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 200; i++) {
            float[] features = new float[random.nextInt(50)];
            int zeros = random.nextInt(101);
            for (int at = 0; at < features.length; at++) {
                features[at] = random.nextInt(100) < zeros ? 0 : (float) random.nextDouble(-1e30, 1e30);
            }
            VertexRecord record = new VertexRecord(
                    random.nextLong(), features, random.nextInt(-1, 9), VertexSplit.of(random.nextInt(4)));
            byte[] value = VertexRecordCodec.value(features, features.length, record.label(), record.split());
            assertThat(value.length).isLessThanOrEqualTo(11 + 4 * features.length);
            assertThat(codec.decode(VertexRecordCodec.key(record.vertex()), value))
                    .isEqualTo(record);
        }
    }

    /** Another program may write every feature with its column, those that are 0 too. */
    @Test
    void equalFeaturesAreEqualInWhateverFormTheyCame() {
        byte[] key = VertexRecordCodec.key(3);
        String pairs = "0000000000000000" + "010000000000803f" + "020000000000803f";
        VertexRecord long1 =
                codec.decode(key, bytes("01" + "01" + "00" + "ffffffff" + "03000000" + "03000000" + pairs));
        assertThat(long1).isEqualTo(new VertexRecord(3, new float[] {0, 1, 1}, -1, VertexSplit.NONE));
        assertThat(VertexRecordCodec.value(long1))
                .isEqualTo(VertexRecordCodec.value(new float[] {0, 1, 1}, 3, -1, VertexSplit.NONE));
        VertexRecord dense = codec.decode(
                key,
                bytes("01" + "00" + "00" + "ffffffff" + "05000000" + "0000000000000000" + "0000803f0000000000000000"));
        assertThat(hex(VertexRecordCodec.value(dense))).isEqualTo(SPARSE_V1);
    }

    @Test
    void readsJsonAndKeysOfText() {
        String json = "{\"id\":5,\"features\":[0.5,1],\"label\":2,\"split\":\"val\",\"name\":\"x\"}";
        VertexRecord expected = new VertexRecord(5, new float[] {0.5f, 1}, 2, VertexSplit.VAL);
        assertThat(codec.decode(null, utf8(json))).isEqualTo(expected);
        assertThat(codec.decode(utf8("5"), utf8(json))).isEqualTo(expected);
        assertThat(codec.decode(VertexRecordCodec.key(5), utf8(json))).isEqualTo(expected);
        assertThat(codec.decode(utf8("-12"), utf8("{}")))
                .isEqualTo(new VertexRecord(-12, new float[0], -1, VertexSplit.NONE));
        assertThat(codec.decode(utf8("12345678"), utf8("{\"label\":null}")).vertex())
                .isEqualTo(12_345_678);
        assertThat(codec.decode(utf8("-9223372036854775808"), bytes(DENSE_V1)).vertex())
                .isEqualTo(Long.MIN_VALUE);
        // Eight digits are text, unless the value is ours, whose keys of eight bytes are binary.
        assertThat(codec.decode(utf8("12345678"), bytes(DENSE_V1)).vertex()).isEqualTo(0x3132333435363738L);
        assertThat(codec.vertex(utf8("12345678"), null)).isEqualTo(12_345_678);
        assertThat(codec.vertex(VertexRecordCodec.key(77), null)).isEqualTo(77);
    }

    @Test
    void refusesEveryTruncationWithASentence() {
        for (String whole : new String[] {DENSE_V1, SPARSE_V1}) {
            for (int length = 0; length < whole.length() / 2; length++) {
                refuses(VertexRecordCodec.key(1), Arrays.copyOf(bytes(whole), length), "is truncated");
            }
            refuses(VertexRecordCodec.key(1), bytes(whole + "00"), "1 bytes trail a vertex record");
        }
        refuses(VertexRecordCodec.key(1), bytes(DENSE_V1.replace("02000000", "00001000")), "is truncated");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        byte[] key = VertexRecordCodec.key(1);
        refuses(key, bytes("02" + DENSE_V1.substring(2)), "begins with byte 2; it must be JSON, or of version 1");
        refuses(key, bytes("0102" + DENSE_V1.substring(4)), "flags 0x02 are not known");
        refuses(key, bytes("010004" + DENSE_V1.substring(6)), "split 4 is not known; there are 0 to 3");
        refuses(key, bytes(DENSE_V1.replace("03000000", "feffffff")), "has label -2; labels are -1 or more");
        refuses(key, bytes(DENSE_V1.replace("02000000", "01001000")), "has 1048577 features; 0 to 1048576");
        refuses(key, bytes(DENSE_V1.replace("0000803f", "0000807f")), "has feature Infinity; it must be finite");
        refuses(key, bytes(SPARSE_V1.replace("02000000", "05000000")), "has feature 5 of 5 after feature -1");
        refuses(key, bytes(SPARSE_V1.replace("01000000", "ffffffff")), "has -1 features that are not 0, of 5");
        refuses(key, bytes(SPARSE_V1.replace("01000000", "06000000")), "has 6 features that are not 0, of 5");
        refuses(
                null,
                bytes(DENSE_V1),
                "the key of a vertex record must be its id, as 8 bytes or as text, and is of no");
        refuses(utf8("abc"), bytes(DENSE_V1), "and is of 3 bytes");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{} | neither the key nor the value has an id",
                "{\"id\":1.5} | id is not a 64-bit integer: '1.5'",
                "{\"id\":1,\"features\":[1,\"x\"]} | feature 1 is not a finite 32-bit number",
                "{\"id\":1,\"features\":[1e40]} | feature 0 is not a finite 32-bit number",
                "{\"id\":1,\"features\":7} | features is not an array of numbers: '7'",
                "{\"id\":1,\"label\":-2} | label is not an integer from 0, or -1: '-2'",
                "{\"id\":1,\"label\":\"a\"} | label is not an integer from 0",
                "{\"id\":1,\"split\":\"valid\"} | 'valid' is not a split; it must be one of none, train, val, test",
                "{\"id\":1,\"split\":1} | split is not a word",
                "{\"id\":1 | the value is not valid JSON",
            })
    void refusesJsonThatIsNoVertex(String json, String sentence) {
        refuses(null, utf8(json), sentence);
    }

    @Test
    void refusesAKeyOfAnotherVertex() {
        refuses(utf8("6"), utf8("{\"id\":5}"), "the key is of vertex 6, and the value of vertex 5; a topic that keeps");
    }

    private void refuses(byte @Nullable [] key, byte[] value, String sentence) {
        assertThatThrownBy(() -> codec.decode(key, value))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
