package io.cutwater.kafka.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bytes are those that the sources of Confluent's and Apicurio's serializers tell. */
final class ProtobufRecordsTest {
    private static final String SCHEMA = """
            syntax = "proto3";
            package bank;
            import "id.proto";
            message Payment { common.Id payer = 1; int64 payee = 2; map<string, string> tags = 3; }
            message Outer {
              map<string, string> tags = 1;
              message First { string note = 1; }
              message Second { common.Id payer = 3; int64 payee = 4; }
            }
            """;
    private static final String ID = "syntax = \"proto3\"; package common; message Id { int64 id = 1; }";

    /** A payment from 1 to 2, and an Outer.Second from 3 to 4. */
    private static final String PAYMENT = "0a0208011002";

    private static final String SECOND = "1a0208032004";
    private static final String GUID = "0fb4b7a26c0e4a3e8a631b9f6d1b0c55";

    private final AnsweringRegistry registry = new AnsweringRegistry();
    private final FieldTree tree = new FieldTree();
    private final int payer = tree.add(FieldPath.parse("payer.id"));
    private final int payee = tree.add(FieldPath.parse("payee"));
    private final FieldValues values = new FieldValues(tree);

    @AfterEach
    void stop() {
        registry.close();
    }

    private String start() throws IOException {
        String answer = AnsweringRegistry.json(
                SCHEMA,
                ",\"schemaType\":\"PROTOBUF\",\"references\":[{\"name\":\"id.proto\",\"subject\":\"common/id\",\"version\":3}]");
        registry.answers().put("/schemas/ids/7", answer);
        registry.answers().put("/schemas/guids/0fb4b7a2-6c0e-4a3e-8a63-1b9f6d1b0c55", answer);
        registry.answers().put("/subjects/edges-value/versions/latest", answer);
        registry.answers()
                .put("/subjects/common%2Fid/versions/3", AnsweringRegistry.json(ID, ",\"schemaType\":\"PROTOBUF\""));
        registry.answers().put("/apis/registry/v3/ids/contentIds/5", SCHEMA);
        registry.answers()
                .put(
                        "/apis/registry/v3/ids/contentIds/5/references",
                        "[{\"groupId\":\"default\",\"artifactId\":\"common/id\",\"version\":\"1.0\",\"name\":\"id.proto\"}]");
        registry.answers().put("/apis/registry/v3/groups/default/artifacts/common%2Fid/versions/1.0/content", ID);
        return registry.start();
    }

    private FieldReader reader(String url, String message, boolean isKey) {
        RegistryEncoding encoding = new RegistryEncoding(RegistryAddress.of(url, ""), SchemaType.PROTOBUF, message);
        return isKey ? encoding.keys(tree) : encoding.values(tree);
    }

    private void assertReads(FieldReader reader, String hex, Headers headers, long from, long to) {
        assertThat(reader.read(HexFormat.of().parseHex(hex), 0, headers, values))
                .isNull();
        assertThat(values.integerProblem(payer)).isNull();
        assertThat(List.of(values.integer(payer), values.integer(payee))).containsExactly(from, to);
    }

    private String reason(FieldReader reader, String hex, Headers headers) {
        return reader.read(HexFormat.of().parseHex(hex), 0, headers, values);
    }

    @Test
    void indexesBeforeTheMessageTellItsType() throws IOException {
        FieldReader reader = reader(start(), "", false);
        Headers none = new RecordHeaders();
        for (int i = 0; i < 2; i++) {
            assertReads(reader, "0000000007" + "00" + PAYMENT, none, 1, 2);
            assertReads(reader, "0000000007" + "0200" + PAYMENT, none, 1, 2);
            assertReads(reader, "0000000007" + "040202" + SECOND, none, 3, 4);
        }
        assertThat(registry.asked()).containsExactly("/schemas/ids/7", "/subjects/common%2Fid/versions/3");
        assertThat(reason(reader, "0000000007", none)).contains("truncated").endsWith("(schema 7)");
        assertThat(reason(reader, "0000000007" + "0206" + PAYMENT, none)).contains("message index 3 of 2");
        assertThat(reason(reader, "0000000007" + "0201" + PAYMENT, none)).contains("message index -1");
        assertThat(reason(reader, "0000000007" + "ffffffff0f" + PAYMENT, none)).contains("message indexes");
        assertThat(reason(reader, "0000000007" + "00" + "0a090801", none)).contains("truncated");
        assertThat(reader.read(HexFormat.of().parseHex("0000000007" + "040200" + "0a0141"), 0, none, values))
                .isNull();
        assertThat(values.integerProblem(payer)).isEqualTo("field payer.id is missing (schema 7)");
    }

    @Test
    void headersOfPlatform8HaveTheIndexesBehindTheId() throws IOException {
        FieldReader reader = reader(start(), "", false);
        for (String header : new String[] {"01" + GUID, "01" + GUID + "00", "01" + GUID + "0200", "000000000700"}) {
            Headers headers =
                    new RecordHeaders().add("__value_schema_id", HexFormat.of().parseHex(header));
            assertReads(reader, PAYMENT, headers, 1, 2);
        }
        byte[] second = HexFormat.of().parseHex("01" + GUID + "040202");
        assertReads(reader, SECOND, new RecordHeaders().add("__value_schema_id", second), 3, 4);
        FieldReader ofKey = reader(registry.start(), "", true);
        assertReads(ofKey, SECOND, new RecordHeaders().add("__key_schema_id", second), 3, 4);
    }

    @Test
    void apicurioTellsTheNameOfTheType() throws IOException {
        FieldReader reader = reader(start() + "/apis/registry/v3", "", false);
        String named = "090a07" + HexFormat.of().formatHex("Payment".getBytes(StandardCharsets.US_ASCII));
        String nested = "080a06" + HexFormat.of().formatHex("Second".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < 2; i++) {
            assertReads(reader, "0000000005" + named + PAYMENT, new RecordHeaders(), 1, 2);
            assertReads(reader, "0000000005" + nested + SECOND, new RecordHeaders(), 3, 4);
            assertReads(reader, "0000000005" + "040202" + SECOND, new RecordHeaders(), 3, 4);
        }
        assertThat(registry.asked()).hasSize(4);
        byte[] five = ByteBuffer.allocate(8).putLong(5).array();
        Headers headers = new RecordHeaders().add("apicurio.value.contentId", five);
        assertReads(reader, PAYMENT, headers, 1, 2);
        headers.add("apicurio.protobuf.type", "Second".getBytes(StandardCharsets.US_ASCII));
        assertReads(reader, SECOND, headers, 3, 4);
        assertReads(reader, nested + SECOND, headers, 3, 4);
        assertReads(reader, "040202" + SECOND, headers, 3, 4);
        assertReads(reader, nested + "040202" + SECOND, headers, 3, 4);
        assertReads(reader, "040202" + SECOND, new RecordHeaders().add("apicurio.value.contentId", five), 3, 4);
        assertReads(reader, nested + SECOND, new RecordHeaders().add("apicurio.value.contentId", five), 3, 4);
        headers.add("apicurio.protobuf.type", "Third".getBytes(StandardCharsets.US_ASCII));
        assertThat(reason(reader, SECOND, headers))
                .contains("names type 'Third'", "bank.Payment, bank.Outer, bank.Outer.First, bank.Outer.Second")
                .endsWith("(schema with content id 5)");
    }

    @Test
    void recordsOfAnotherTypeThanTheGivenOneAreRejected() throws IOException {
        FieldReader reader = reader(start(), "Outer.Second", false);
        assertReads(reader, "0000000007" + "040202" + SECOND, new RecordHeaders(), 3, 4);
        assertThat(reason(reader, "0000000007" + "00" + PAYMENT, new RecordHeaders()))
                .isEqualTo("it is a bank.Payment, and --message asks for Outer.Second (schema 7)");
    }

    @Test
    void aSchemaThatCannotBeUsedIsTheReason() throws IOException {
        registry.answers().put("/schemas/ids/1", AnsweringRegistry.json("message {", ",\"schemaType\":\"PROTOBUF\""));
        registry.answers().put("/schemas/ids/2", AnsweringRegistry.json("{}", ",\"schemaType\":\"JSON\""));
        registry.answers()
                .put("/schemas/ids/3", AnsweringRegistry.json("enum E { A = 0; }", ",\"schemaType\":\"PROTOBUF\""));
        registry.answers()
                .put(
                        "/schemas/ids/4",
                        AnsweringRegistry.json(
                                "message A {}",
                                ",\"schemaType\":\"PROTOBUF\",\"references\":[{\"name\":\"a\",\"subject\":\"b\",\"version\":1}]"));
        FieldReader reader = reader(registry.start(), "", false);
        Headers none = new RecordHeaders();
        assertThat(reason(reader, "000000000100", none))
                .startsWith("its schema cannot be used: Syntax error")
                .endsWith("(schema 1)");
        assertThat(reason(reader, "000000000200", none)).contains("is JSON, and --event-format asks for PROTOBUF");
        assertThat(reason(reader, "000000000300", none)).contains("has no message type");
        assertThat(reason(reader, "000000000400", none))
                .isEqualTo("its schema uses a, and the registry has no /subjects/b/versions/1 (schema 4)");
    }

    @Test
    void pathsAreCheckedAgainstTheNewestSchema() throws IOException {
        Map<String, String> options = new HashMap<>(Map.of(
                "event-format", "protobuf", "schema-registry", start(), "source", "payer.id", "target", "payeee"));
        RecordFormat misspelt = RecordFormatOptions.parse(options);
        assertThatThrownBy(() -> misspelt.check("edges"))
                .hasMessage(
                        "--target: the schema has no field payeee; the fields are payer.id (int64), payee (int64), tags (repeated message)");
        options.put("target", "payee");
        RecordFormatOptions.parse(options).check("edges");
        options.put("message", "Second");
        RecordFormatOptions.parse(options).check("edges");
        options.put("message", "First");
        assertThatThrownBy(() -> RecordFormatOptions.parse(options).check("edges"))
                .hasMessageContaining("the fields are note (string)");
        options.put("message", "Third");
        assertThatThrownBy(() -> RecordFormatOptions.parse(options).check("edges"))
                .hasMessageContaining("subject edges-value: its schema has no type Third; the types are bank.Payment");
        options.put("descriptor", "x.desc");
        assertThatThrownBy(() -> RecordFormatOptions.parse(options))
                .hasMessage("--descriptor is for records without a registry; leave it or --schema-registry out");
        assertThatThrownBy(() -> RecordFormatOptions.parse(
                        Map.of("event-format", "protobuf", "source", "payer.id", "target", "payee")))
                .hasMessageContaining("--event-format protobuf needs --schema-registry");
    }
}
