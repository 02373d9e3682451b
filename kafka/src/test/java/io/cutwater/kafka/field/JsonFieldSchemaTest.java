package io.cutwater.kafka.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.field.FieldSchema.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonFieldSchemaTest {
    private static final String SCHEMA = """
            {"type":"object","$defs":{
               "row":{"type":"object","properties":{"payer":{"type":["null","integer"]},"note":{"type":"string"},
                      "amount":{"type":"number"},"next":{"$ref":"#/$defs/row"}}}},
             "properties":{
               "after":{"oneOf":[{"type":"null"},{"$ref":"#/$defs/row"}]},
               "both":{"allOf":[{"properties":{"a":{"type":"integer"}}},{"properties":{"b":{"type":"boolean"}}}]},
               "any":{"type":"object"},"elsewhere":{"$ref":"https://example.org/schema"},
               "kind":{"enum":["A"]},"list":{"type":"array","items":{"type":"integer"}},
               "loop":{"$ref":"#/properties/loop"}}}
            """;

    @ParameterizedTest
    @CsvSource({
        "after.payer, INTEGER",
        "after.note, TEXT",
        "after.amount, INTEGER DECIMAL",
        "after.next.next.payer, INTEGER",
        "after.payee, ''",
        "payer, ''",
        "both.a, INTEGER",
        "both.b, OTHER",
        "both.c, ''",
        "any, OTHER",
        "any.x.y, INTEGER DECIMAL TEXT OTHER",
        "elsewhere.x, INTEGER DECIMAL TEXT OTHER",
        "kind, INTEGER DECIMAL TEXT OTHER",
        "list, OTHER",
        "after.payer.x, ''"
    })
    void fieldsHaveTheirTypes(String path, String types) {
        assertThat(JsonFieldSchema.parse(SCHEMA).types(FieldPath.parse(path)))
                .containsExactlyInAnyOrderElementsOf(
                        types.isEmpty()
                                ? java.util.List.of()
                                : java.util.Arrays.stream(types.split(" "))
                                        .map(Type::valueOf)
                                        .toList());
    }

    @Test
    void fieldsAreListedOnceEvenOfARecursiveSchema() {
        assertThat(JsonFieldSchema.parse(SCHEMA).fields())
                .startsWith("after.payer (integer)", "after.note (text)", "after.amount (integer or decimal)")
                .contains("after.next (other)", "both.a (integer)", "list (other)");
        assertThatThrownBy(() -> JsonFieldSchema.parse("{"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it is not valid JSON");
        assertThat(JsonFieldSchema.parse("true").types(FieldPath.parse("a"))).hasSize(4);
    }
}
