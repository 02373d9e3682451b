package io.cutwater.kafka.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import io.cutwater.kafka.field.protobuf.ProtobufFiles;
import io.cutwater.kafka.registry.AnsweringRegistry;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cannot be read becomes a dead letter, in every structured format, and the record behind it is read. */
final class MalformedRecordsTest {
    private static final int MIB = 1 << 20;
    private static final int LONGEST_REASON = 400;

    private static final String ROW = """
            {"type":"record","name":"P","fields":[{"name":"payer","type":["null","string"]},
            {"name":"payee","type":"long"},{"name":"next","type":["null","P"]}]}""";
    private static final String ENVELOPE = """
            {"type":"record","name":"E","fields":[{"name":"before","type":["null",%s]},
            {"name":"after","type":["null","P"]},{"name":"op","type":"string"}]}""".formatted(ROW);
    private static final String MESSAGE =
            "syntax = \"proto3\"; message P { optional string payer = 1; int64 payee = 2; P next = 3; }";
    private static final String OBJECT =
            "{\"type\":\"object\",\"properties\":{\"payer\":{\"type\":\"string\"},\"payee\":{\"type\":\"integer\"}}}";

    private static final AnsweringRegistry REGISTRY = new AnsweringRegistry();
    private static String url = "";

    @BeforeAll
    static void start() throws IOException {
        put(1, "AVRO", ROW);
        put(2, "AVRO", ENVELOPE);
        put(3, "PROTOBUF", MESSAGE);
        put(4, "JSON", OBJECT);
        put(11, "AVRO", ROW.replace("payee", "to"));
        put(12, "AVRO", ENVELOPE.replace("payee", "to"));
        put(13, "PROTOBUF", MESSAGE.replace("payee", "to"));
        url = REGISTRY.start();
    }

    private static void put(int id, String type, String schema) {
        REGISTRY.answers()
                .put("/schemas/ids/" + id, AnsweringRegistry.json(schema, ",\"schemaType\":\"%s\"".formatted(type)));
    }

    @AfterAll
    static void stop() {
        REGISTRY.close();
    }

    private static byte[] hex(String... parts) {
        return HexFormat.of().parseHex(String.join("", parts));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Avro: payer is branch 1, a text; payee a zigzag; next branch 0, null. */
    private static Map<byte[], String> avro() {
        Map<byte[], String> records = new LinkedHashMap<>();
        records.put(hex("02023104"), "truncated");
        records.put(hex("02fffffff00f"), "truncated");
        records.put(hex("000400"), "payer is null");
        records.put(hex("0228", "39".repeat(20), "0400"), "payer is not a 64-bit integer");
        records.put(hex("020231", "ff".repeat(10), "00"), "an integer of more than 64 bits");
        records.put(hex("0280808001", "39".repeat(MIB), "0400"), "payer is not a 64-bit integer");
        records.put(hex("0204c3280400"), "text that is not valid UTF-8");
        records.put(hex("0202310402".repeat(1000), "00"), "nested more than");
        records.put(hex("0402310400"), "number 2 of 2 branches");
        return records;
    }

    private static Map<byte[], String> envelopes() {
        Map<byte[], String> records = new LinkedHashMap<>();
        avro().forEach((row, reason) -> {
            // A row that ends too soon takes the operation for its own bytes.
            if (!reason.equals("truncated")) {
                records.put(hex("0002", HexFormat.of().formatHex(row), "0263"), reason);
            }
        });
        records.put(hex("0002020231"), "truncated");
        records.put(hex("00020202310400"), "truncated");
        return records;
    }

    private static Map<byte[], String> protobuf() {
        Map<byte[], String> records = new LinkedHashMap<>();
        records.put(hex("0a0531"), "truncated");
        records.put(hex("1002"), "payer is missing");
        records.put(hex("0a14", "39".repeat(20), "1002"), "payer is not a 64-bit integer");
        records.put(hex("0a0131", "10", "ff".repeat(9), "02"), "an integer of more than 64 bits");
        records.put(hex("0a808040", "39".repeat(MIB), "1002"), "payer is not a 64-bit integer");
        records.put(hex("0a02c3281002"), "text that is not valid UTF-8");
        records.put(hex("0a0131", "1b".repeat(200)), "nested more than");
        records.put(hex("08011002"), "wire type");
        return records;
    }

    private static Map<byte[], String> json(String around) {
        Map<byte[], String> records = new LinkedHashMap<>();
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("{\"payer\":null,\"payee\":2}", "payer is null");
        rows.put("{\"payee\":2}", "payer is missing");
        rows.put("{\"payer\":1}", "payee is missing");
        rows.put("{\"payer\":18446744073709551616,\"payee\":2}", "payer is not a 64-bit integer");
        rows.put("{\"payer\":%s,\"payee\":2}".formatted("9".repeat(2000)), "not valid JSON: Number value length");
        rows.put("{\"payer\":\"%s\",\"payee\":2}".formatted("9".repeat(MIB)), "payer is not a 64-bit integer");
        rows.put("{\"payer\":\"\u00c3(\",\"payee\":2}", "not valid JSON: Invalid UTF-8");
        rows.put("{\"next\":".repeat(2000) + "1" + "}".repeat(2000), "not valid JSON: Document nesting depth");
        rows.put("[1,2]", around.equals("%s") ? "not a JSON object" : "payer is missing");
        rows.forEach((row, reason) -> records.put(text(around.formatted(row)), reason));
        records.put(text(around.formatted("{\"payer\":1").replaceAll("}$", "")), "not valid JSON: Unexpected end");
        return records;
    }

    private static byte[] framed(int schema, int indexes, byte[] record) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {0, 0, 0, 0, (byte) schema});
        bytes.writeBytes(new byte[indexes]);
        bytes.writeBytes(record);
        return bytes.toByteArray();
    }

    private static RecordFormat format(String name, int schema) {
        String row = name.startsWith("debezium") ? "after." : "";
        Map<String, String> options =
                new HashMap<>(Map.of("event-format", name, "source", row + "payer", "target", row + "payee"));
        if (schema > 0) {
            options.put("schema-registry", url);
        } else if (name.equals("avro")) {
            options.put("avro-schema", ROW);
        } else if (name.equals("debezium-avro")) {
            options.put("avro-schema", ENVELOPE);
        } else if (name.equals("protobuf")) {
            FileDescriptorSet set = FileDescriptorSet.newBuilder()
                    .addFile(ProtobufFiles.parse(MESSAGE, Map.of()).toProto())
                    .build();
            options.put("descriptor", "base64:" + Base64.getEncoder().encodeToString(set.toByteArray()));
        }
        return RecordFormatOptions.parse(options);
    }

    /** @param schema id in the registry; 0 for a format without one */
    @ParameterizedTest
    @CsvSource({
        "avro, 0",
        "avro, 1",
        "debezium-avro, 0",
        "debezium-avro, 2",
        "protobuf, 0",
        "protobuf, 3",
        "json, 0",
        "json, 4",
        "debezium-json, 0",
        "debezium-json, 4"
    })
    void malformedRecordsAreDeadLettersAndOthersAreRead(String name, int schema) {
        String around = name.equals("debezium-json") ? "{\"op\":\"c\",\"after\":%s}" : "%s";
        int indexes = name.equals("protobuf") && schema > 0 ? 1 : 0;
        Map<byte[], String> malformed = switch (name) {
            case "avro" -> avro();
            case "debezium-avro" -> envelopes();
            case "protobuf" -> protobuf();
            default -> json(around);
        };
        byte[] good = switch (name) {
            case "avro" -> hex("0202310400");
            case "debezium-avro" -> hex("00020202310400", "0263");
            case "protobuf" -> hex("0a01311002");
            default -> text(around.formatted("{\"payer\":\"1\",\"payee\":2}"));
        };
        if (schema > 0) {
            Map<byte[], String> named = new LinkedHashMap<>();
            malformed.forEach((record, reason) -> named.put(framed(schema, indexes, record), reason));
            named.put(framed(99, indexes, good), "does not have schema 99");
            named.put(new byte[] {0, 0}, "names no schema");
            if (schema < 4) {
                named.put(framed(10 + schema, indexes, good), "payee is missing (schema %d)".formatted(10 + schema));
            }
            malformed = named;
        }
        EdgeRecordDecoder decoder = new EdgeRecordDecoder(format(name, schema), null);
        byte[] whole = schema > 0 ? framed(schema, indexes, good) : good;
        EdgeBatch batch = new EdgeBatch();
        long offset = 0;
        for (Map.Entry<byte[], String> record : malformed.entrySet()) {
            batch.clear();
            decoder.decode(new ConsumerRecord<>("e", 3, offset, null, record.getKey()), batch);
            decoder.decode(new ConsumerRecord<>("e", 3, offset + 1, null, whole), batch);
            assertThat(batch.rejected()).as(record.getValue()).hasSize(1);
            RejectedRecord rejected = batch.rejected().get(0);
            assertThat(rejected.reason()).contains(record.getValue()).hasSizeLessThan(LONGEST_REASON);
            assertThat(rejected.offset()).isEqualTo(offset);
            assertThat(rejected.valueLength()).isEqualTo(record.getKey().length);
            assertThat(rejected.value()).hasSizeLessThanOrEqualTo(RejectedRecord.MAX_VALUE_BYTES);
            if (schema > 0 && !record.getValue().contains("schema")) {
                assertThat(rejected.reason()).endsWith("(schema %d)".formatted(schema));
            }
            assertThat(batch.size()).isEqualTo(1);
            assertThat(batch.source(0)).isEqualTo(1);
            assertThat(batch.target(0)).isEqualTo(2);
            offset += 2;
        }
    }
}
