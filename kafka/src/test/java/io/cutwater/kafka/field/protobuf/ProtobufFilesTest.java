package io.cutwater.kafka.field.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.AnyProto;
import com.google.protobuf.ApiProto;
import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.TypeProto;
import com.google.protobuf.WrappersProto;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ProtobufFilesTest {
    static Stream<FileDescriptor> filesOfProtobuf() {
        return Stream.of(
                AnyProto.getDescriptor(),
                ApiProto.getDescriptor(),
                DescriptorProtos.getDescriptor(),
                DurationProto.getDescriptor(),
                StructProto.getDescriptor(),
                TimestampProto.getDescriptor(),
                TypeProto.getDescriptor(),
                WrappersProto.getDescriptor());
    }

    /** What reading needs of the types, in their order. */
    private static List<String> described(List<Descriptor> types) {
        List<String> fields = new ArrayList<>();
        for (Descriptor type : types) {
            for (FieldDescriptor field : type.getFields()) {
                fields.add("%s %d %s %s repeated %s presence %s map %s"
                        .formatted(
                                field.getFullName(),
                                field.getNumber(),
                                field.getType(),
                                switch (field.getJavaType()) {
                                    case MESSAGE -> field.getMessageType().getFullName();
                                    case ENUM ->
                                        field.getEnumType().toProto().getValueList().stream()
                                                .map(value -> value.getName() + value.getNumber())
                                                .toList();
                                    default -> "";
                                },
                                field.isRepeated(),
                                field.hasPresence(),
                                field.isMapField()));
            }
            List<Descriptor> nested = type.getNestedTypes().stream()
                    .filter(inside -> !inside.getOptions().getMapEntry())
                    .toList();
            fields.addAll(described(nested));
        }
        return fields;
    }

    /** The library has both the texts and what protoc made of them. */
    @ParameterizedTest
    @MethodSource("filesOfProtobuf")
    void descriptorsAreThoseOfProtoc(FileDescriptor file) throws IOException {
        String text = new String(
                FileDescriptor.class.getResourceAsStream("/" + file.getName()).readAllBytes(), StandardCharsets.UTF_8);
        List<String> fields = described(file.getMessageTypes());
        assertThat(fields).isNotEmpty();
        assertThat(described(ProtobufFiles.parse(text, Map.of()).getMessageTypes()))
                .containsExactlyInAnyOrderElementsOf(fields);
        String encoded = Base64.getEncoder().encodeToString(file.toProto().toByteArray());
        assertThat(described(ProtobufFiles.parse(encoded, Map.of()).getMessageTypes()))
                .isEqualTo(fields);
    }

    @Test
    void whatReadingNeedsIsThere() {
        String text = """
                syntax = "proto3";
                package bank;
                import "ids.proto";
                import "confluent/meta.proto";
                import "google/protobuf/wrappers.proto";
                message Payment {
                  option (confluent.message_meta) = {doc: "a payment"};
                  message From { int64 id = 1; }
                  From from = 1;
                  ids.Id to = 2 [(confluent.field_meta) = {doc: "b"}];
                  optional int32 at = 3;
                  google.protobuf.Int64Value amount = 4;
                  map<string, From> tags = 5;
                  oneof more { string text = 6; Kind kind = 7; }
                  confluent.Unknown unknown = 8;
                  Payment next = 9;
                  reserved 100 to max;
                }
                enum Kind { option allow_alias = true; NONE = 0; SOME = 1; ANY = 1; }
                service Payments { rpc Pay (Payment) returns (stream Payment); }
                """;
        String ids = """
                syntax = "proto2";
                package ids;
                message Id { optional group Parts = 1 { required fixed64 low = 2; } extensions 5 to 9; }
                extend Id { optional int32 other = 5; }
                """;
        ProtobufFieldSchema schema = new ProtobufFieldSchema(
                ProtobufFiles.parse(text, Map.of("ids.proto", ids)).findMessageTypeByName("Payment"));
        assertThat(schema.fields())
                .contains("from.id (int64)", "to.parts.low (fixed64)", "at (int32)", "amount.value (int64)")
                .contains("tags (repeated message)", "text (string)", "kind (enum)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "message A { | unexpected end of file",
                "{} | expected a word",
                "AAAA | neither the text of a .proto file nor one of protoc",
                "syntax = \"proto3\"; message A { int64 b = 1; int64 c = 1; } | has already been used",
                "import \"a.proto\"; message B {} | a.proto imports a.proto, which imports it"
            })
    void aWrongSchemaIsRefusedWithAReason(String schema, String reason) {
        Map<String, String> imports = Map.of("a.proto", "import \"a.proto\";");
        assertThatThrownBy(() -> ProtobufFiles.parse(schema, imports))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
        assertThatThrownBy(() -> ProtobufFiles.parse("message A {".repeat(100_000), imports))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nested too deep");
    }
}
