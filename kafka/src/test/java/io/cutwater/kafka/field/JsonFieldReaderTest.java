package io.cutwater.kafka.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.field.FieldValues.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonFieldReaderTest {
    private static final Headers NONE = new RecordHeaders();

    private final FieldTree tree = new FieldTree();
    private final int payer = tree.add(FieldPath.parse("after.payer"));
    private final int after = tree.add(FieldPath.parse("after"));
    private final int name = tree.add(FieldPath.parse("a\\.b"));
    private final FieldValues values = new FieldValues(tree);

    private String read(String json, boolean unwraps) {
        return String.valueOf(
                new JsonFieldReader(tree, unwraps).read(json.getBytes(StandardCharsets.UTF_8), 0, NONE, values));
    }

    @Test
    void fieldsAreFoundAtAnyDepthWhateverElseTheRecordHolds() {
        String json =
                "{\"x\":{\"after\":{\"payer\":1}},\"after\":{\"y\":[{\"payer\":2}],\"payer\":7,\"z\":{}},\"a.b\":\"t\"}";
        assertThat(read(json, false)).isEqualTo("null");
        assertThat(values.integerProblem(payer)).isNull();
        assertThat(values.integer(payer)).isEqualTo(7);
        assertThat(values.has(after)).isTrue();
        assertThat(values.text(name)).isEqualTo("t");
    }

    @Test
    void theLastOfDuplicateFieldsCountsWithAllThatIsInIt() {
        assertThat(read("{\"after\":{\"payer\":7},\"after\":null}", false)).isEqualTo("null");
        assertThat(values.kind(after)).isEqualTo(Kind.NULL);
        assertThat(values.kind(payer)).isEqualTo(Kind.ABSENT);
    }

    @Test
    void aPayloadIsUnwrappedOnceAndOnlyWhereThatIsWanted() {
        String wrapped = "{\"schema\":{\"after\":{\"payer\":1}},\"payload\":{\"after\":{\"payer\":2}}}";
        assertThat(read(wrapped, true)).isEqualTo("null");
        assertThat(values.integer(payer)).isEqualTo(2);
        read(wrapped, false);
        assertThat(values.kind(payer)).isEqualTo(Kind.ABSENT);
        read("{\"payload\":{\"payload\":{\"after\":{\"payer\":2}}}}", true);
        assertThat(values.kind(payer)).isEqualTo(Kind.ABSENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807", "\"-9223372036854775808\"", "0", "\"17\""})
    void integersOf64BitsAreReadAsNumbersAndAsText(String value) {
        read("{\"after\":{\"payer\":%s}}".formatted(value), false);
        assertThat(values.integerProblem(payer)).isNull();
        assertThat(values.integer(payer)).isEqualTo(Long.parseLong(value.replace("\"", "")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775808",
                "\"-9223372036854775809\"",
                "1.0",
                "1e3",
                "\"\"",
                "\"-\"",
                "\"+1\"",
                "\"٣\"",
                "\"1 \"",
                "true",
                "[1]",
                "{}",
                "null",
                "123456789012345678901234567890"
            })
    void whateverIsNoIntegerOf64BitsIsToldWithItsField(String value) {
        read("{\"after\":{\"payer\":%s}}".formatted(value), false);
        assertThat(values.integerProblem(payer)).contains("after.payer");
    }

    @Test
    void bytesThatAreNotJsonAreToldAndNeverThrow() {
        byte[] good = "{\"after\":{\"payer\":7,\"q\":[1,{\"r\":\"é\"}]},\"a.b\":null}".getBytes(StandardCharsets.UTF_8);
        JsonFieldReader reader = new JsonFieldReader(tree, true);
        for (int length = 0; length < good.length; length++) {
            assertThat(reader.read(Arrays.copyOf(good, length), 0, NONE, values))
                    .isNotNull();
        }
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 20_000; i++) {
            byte[] bad = good.clone();
            bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            reader.read(bad, 0, NONE, values);
        }
        assertThat(read("{} {}", false)).contains("text after");
        assertThat(read("[]", false)).contains("not a JSON object");
        assertThat(read("{\"x\":".repeat(5_000), false)).contains("not valid JSON");
    }

    @Test
    void pathsAreCheckedAndWrittenAsTheyAreRead() {
        for (String text : new String[] {"a", "a.b", "a\\.b.c", "a\\\\.b"}) {
            assertThat(FieldPath.parse(text)).hasToString(text);
        }
        assertThat(FieldPath.parse("a\\.b").names()).containsExactly("a.b");
        for (String text : new String[] {"", ".", "a.", "a..b", "a.".repeat(40) + "b"}) {
            assertThatThrownBy(() -> FieldPath.parse(text)).hasMessageContaining("names with dots");
        }
    }
}
