package io.cutwater.format.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.event.RandomEdges;
import io.cutwater.state.graph.EdgeBatch;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeTextParserTest {
    private static final String NONE = " NaN " + EdgeBatch.NO_TIMESTAMP;

    private final EdgeTextParser parser = new EdgeTextParser();
    private final EdgeBatch batch = new EdgeBatch();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 2",
                "1\t2",
                "1,2",
                "1, 2",
                "1 ,2",
                "1   2",
                "  1 2  ",
                "1 2\r\n",
                "1,2\r",
                "+1,+2",
                "001 02",
                "1,2,",
                "  1\t\t 2  ",
                "0000000000000000000000000001 2"
            })
    void readsTwoIdsWithAnySeparator(String line) {
        assertThat(parse(line)).isTrue();
        assertThat(RandomEdges.edges(batch)).containsExactly("1 2" + NONE);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MAX_VALUE, Long.MIN_VALUE, 999_999_999_999_999_999L, 1_000_000_000_000_000_000L})
    void readsEvery64BitId(long id) {
        assertThat(parse(id + " " + id)).isTrue();
        assertThat(batch.source(0)).isEqualTo(id);
        assertThat(batch.target(0)).isEqualTo(id);
    }

    @Test
    void readsTheThirdFieldAsWeightAndTheFourthAsTimestamp() {
        assertThat(parse("1 2 0.5")).isTrue();
        assertThat(parse("1,2,-3,1700000000")).isTrue();
        assertThat(RandomEdges.edges(batch))
                .containsExactly("1 2 0.5 " + EdgeBatch.NO_TIMESTAMP, "1 2 -3.0 1700000000");
    }

    @Test
    void takesAnEmptyFieldBetweenCommasAsNone() {
        assertThat(parse("1,2,,7")).isTrue();
        assertThat(parse("1,2,")).isTrue();
        assertThat(parse("1,2,0.5,")).isTrue();
        assertThat(RandomEdges.edges(batch))
                .containsExactly("1 2 NaN 7", "1 2" + NONE, "1 2 0.5 " + EdgeBatch.NO_TIMESTAMP);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1,2,3,4,", "1 2 3 4 ,", "1,2,3,4"})
    void takesOneCommaBehindTheLastField(String line) {
        assertThat(parse(line)).isTrue();
        assertThat(RandomEdges.edges(batch)).containsExactly("1 2 3.0 4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                ".5",
                "5.",
                "0.1",
                "123456.789",
                "1e3",
                "-1.5E-7",
                "4.9e-324",
                "0.1234567890123456789",
                "999999999999999",
                "9007199254740993",
                "1.7976931348623157e308",
                "0.000000000000001",
                "+2.5"
            })
    void readsAWeightAsTheJdkDoes(String weight) {
        assertThat(parse("1 2 " + weight)).isTrue();
        assertThat(batch.weight(0)).isEqualTo(Double.parseDouble(weight));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void readsRandomWeightsAsTheJdkDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20_000; i++) {
            String weight = switch (random.nextInt(4)) {
                case 0 -> String.valueOf(random.nextDouble() - 0.5);
                case 1 -> String.valueOf(Double.longBitsToDouble(random.nextLong() & ~(1L << 62)));
                case 2 -> String.valueOf(random.nextLong() >> random.nextInt(Long.SIZE));
                default -> withPoint(random.nextLong(1_000_000_000_000_000_000L) >> random.nextInt(60), random);
            };
            batch.clear();
            assertThat(parse("1 2 " + weight)).as(weight).isTrue();
            assertThat(batch.weight(0)).as(weight).isEqualTo(Double.parseDouble(weight));
        }
    }

    private static String withPoint(long digits, SplittableRandom random) {
        StringBuilder text = new StringBuilder().append(digits);
        return text.insert(random.nextInt(text.length() + 1), '.').toString();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void readsRandomIdsAsTheJdkDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20_000; i++) {
            String id = BigInteger.valueOf(random.nextLong() >> random.nextInt(Long.SIZE))
                    .multiply(BigInteger.valueOf(random.nextInt(4) == 0 ? random.nextInt(1, 20) : 1))
                    .toString();
            boolean fits = new BigInteger(id).bitLength() < Long.SIZE;
            batch.clear();
            assertThat(parse(id + " " + id)).as(id).isEqualTo(fits);
            if (fits) {
                assertThat(batch.source(0)).isEqualTo(batch.target(0)).isEqualTo(Long.parseLong(id));
            } else {
                assertThat(parser.reason()).isEqualTo("source id '%s' does not fit in 64 bits", id);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\"                         | source id is missing; an edge needs a source and a target",
                "\"  \"                       | source id is missing; an edge needs a source and a target",
                "\",2\"                       | source id is missing; an edge needs a source and a target",
                "1                            | target id is missing; an edge needs a source and a target",
                "\"1,\"                       | target id is missing; an edge needs a source and a target",
                "\"1,,2\"                     | target id is missing; an edge needs a source and a target",
                "src dst                      | source id 'src' is not an integer",
                "1 2x                         | target id '2x' is not an integer",
                "1.0 2                        | source id '1.0' is not an integer",
                "- 2                          | source id '-' is not an integer",
                "1 12345678901234567890123x   | target id '12345678901234567890123x' is not an integer",
                "1;2                          | source id '1;2' is not an integer",
                "9223372036854775808 1        | source id '9223372036854775808' does not fit in 64 bits",
                "1 -9223372036854775809       | target id '-9223372036854775809' does not fit in 64 bits",
                "1 99999999999999999999999    | target id '99999999999999999999999' does not fit in 64 bits",
                "1 2 heavy                    | weight 'heavy' is not a finite decimal number",
                "1 2 NaN                      | weight 'NaN' is not a finite decimal number",
                "1 2 1e999                    | weight '1e999' is not a finite decimal number",
                "1 2 0x1p3                    | weight '0x1p3' is not a finite decimal number",
                "1 2 3d                       | weight '3d' is not a finite decimal number",
                "1 2 1f                       | weight '1f' is not a finite decimal number",
                "1 2 .                        | weight '.' is not a finite decimal number",
                "1 2 1.2.3                    | weight '1.2.3' is not a finite decimal number",
                "1 2 3 4.5                    | timestamp '4.5' is not an integer",
                "1 2 3 9223372036854775808    | timestamp '9223372036854775808' does not fit in 64 bits",
                "1 2 3 -9223372036854775808   | timestamp -9223372036854775808 is reserved for edges without one",
                "1 2 3 4 5   | there are more than four fields; an edge is source, target, weight and timestamp",
                "\"1,2,3,4,,\" | there are more than four fields; an edge is source, target, weight and timestamp",
            })
    void saysWhatIsWrong(String line, String reason) {
        assertThat(parse(line)).isFalse();
        assertThat(parser.reason()).isEqualTo(reason);
        assertThat(batch.isEmpty()).isTrue();
    }

    @Test
    void doesNotTakeTwoLinesForOneEdge() {
        assertThat(parse("1 2\n3 4")).isFalse();
        assertThat(parser.reason()).isEqualTo("target id '2?3' is not an integer");
    }

    @Test
    void quotesAtMost40PrintableCharacters() {
        assertThat(parse("x\u0007" + "y".repeat(100_000))).isFalse();
        assertThat(parser.reason()).isEqualTo("source id 'x?" + "y".repeat(38) + "…' is not an integer");
    }

    @Test
    void readsOnlyTheBytesItIsGiven() {
        byte[] line = "91 29".getBytes(StandardCharsets.US_ASCII);
        assertThat(parser.parse(line, 1, 4, batch)).isTrue();
        assertThat(RandomEdges.edges(batch)).containsExactly("1 2" + NONE);
    }

    @Test
    void hasNoReasonBeforeTextWasMalformed() {
        assertThatThrownBy(parser::reason).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void takesOrRefusesAnyBytes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] alphabet = "0123456789 ,\t.-+eE\n".getBytes(StandardCharsets.US_ASCII);
        int taken = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] line = new byte[random.nextInt(30)];
            for (int at = 0; at < line.length; at++) {
                line[at] =
                        random.nextInt(20) == 0 ? (byte) random.nextInt() : alphabet[random.nextInt(alphabet.length)];
            }
            batch.clear();
            if (parser.parse(line, 0, line.length, batch)) {
                taken++;
                assertThat(batch.size()).isEqualTo(1);
            } else {
                assertThat(parser.reason()).isNotBlank();
                assertThat(batch.isEmpty()).isTrue();
            }
        }
        assertThat(taken).isBetween(100, 49_000);
    }

    private boolean parse(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
        return parser.parse(bytes, 0, bytes.length, batch);
    }
}
