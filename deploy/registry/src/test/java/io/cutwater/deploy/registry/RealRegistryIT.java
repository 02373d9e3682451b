package io.cutwater.deploy.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Int64Value;
import com.google.protobuf.WrappersProto;
import io.apicurio.registry.serde.avro.AvroKafkaSerializer;
import io.apicurio.registry.serde.jsonschema.JsonSchemaKafkaSerializer;
import io.apicurio.registry.serde.protobuf.ProtobufKafkaSerializer;
import io.cutwater.kafka.event.EdgeEventDecoder;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.state.graph.EdgeBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RealRegistryIT {
    private static final Schema FIRST = new Schema.Parser()
            .parse(
                    "{\"type\":\"record\",\"name\":\"Payment\",\"namespace\":\"db\",\"fields\":[{\"name\":\"payer\",\"type\":\"long\"},{\"name\":\"payee\",\"type\":[\"null\",\"string\"]}]}");

    private static final Schema SECOND = new Schema.Parser()
            .parse(
                    "{\"type\":\"record\",\"name\":\"Payment\",\"namespace\":\"db\",\"fields\":[{\"name\":\"note\",\"type\":\"string\",\"default\":\"\"},{\"name\":\"payee\",\"type\":[\"null\",\"string\"]},{\"name\":\"payer\",\"type\":\"long\"}]}");

    private static RegistryProcess registry;

    @BeforeAll
    static void start() throws IOException {
        registry = new RegistryProcess();
    }

    @AfterAll
    static void stop() {
        if (registry != null) {
            registry.close();
        }
    }

    private static GenericData.Record payment(Schema schema, long payer, String payee) {
        GenericData.Record payment = new GenericData.Record(schema);
        payment.put("payer", payer);
        payment.put("payee", payee);
        if (schema.getField("note") != null) {
            payment.put("note", "n");
        }
        return payment;
    }

    private static RecordFormat format(String url, String target) {
        return RecordFormatOptions.parse(
                Map.of("event-format", "avro", "schema-registry", url, "source", "payer", "target", target));
    }

    private static ConsumerRecord<byte[], byte[]> record(String topic, Headers headers, byte[] value) {
        return new ConsumerRecord<>(
                topic,
                0,
                17,
                0,
                TimestampType.CREATE_TIME,
                -1,
                value.length,
                null,
                value,
                headers,
                java.util.Optional.empty());
    }

    /** Names of schemas in the bytes before the value and in headers, by content id and by global id. */
    @ParameterizedTest
    @CsvSource({"payload, false, contentId", "headers, true, contentId", "global, true, globalId"})
    void recordsOfApicuriosSerializerAreRead(String topic, String inHeaders, String id) {
        try (AvroKafkaSerializer<GenericData.Record> serializer = new AvroKafkaSerializer<>()) {
            Map<String, Object> settings = new HashMap<>(Map.of(
                    "apicurio.registry.url",
                    registry.apicurio(),
                    "apicurio.registry.auto-register",
                    "true",
                    "apicurio.registry.auto-register.if-exists",
                    "CREATE_VERSION",
                    "apicurio.registry.headers.enabled",
                    inHeaders,
                    "apicurio.registry.use-id",
                    id));
            serializer.configure(settings, false);
            RecordFormat format = format(registry.apicurio(), "payee");
            EdgeEventDecoder decoder = format.decoder(null);
            EdgeBatch batch = new EdgeBatch();
            for (int i = 0; i < 4; i++) {
                Headers headers = new RecordHeaders();
                byte[] value =
                        serializer.serialize(topic, headers, payment(i % 2 == 0 ? FIRST : SECOND, i, "" + (i + 1)));
                decoder.decode(record(topic, headers, value), batch);
            }
            assertThat(batch.rejected()).isEmpty();
            assertThat(batch.size()).isEqualTo(4);
            for (int i = 0; i < 4; i++) {
                assertThat(batch.source(i)).isEqualTo(i);
                assertThat(batch.target(i)).isEqualTo(i + 1);
            }
            format.check(topic);
        }
    }

    @Test
    void recordsInConfluentsFormatAreReadByItsApi() throws Exception {
        int id = new ObjectMapper()
                .readTree(registry.post(
                        "/subjects/edges-value/versions",
                        new ObjectMapper().writeValueAsString(Map.of("schema", FIRST.toString()))))
                .path("id")
                .intValue();
        assertThat(id).isPositive();
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(0);
        value.writeBytes(ByteBuffer.allocate(4).putInt(id).array());
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(value, null);
        new GenericDatumWriter<>(FIRST).write(payment(FIRST, 3, "4"), encoder);
        encoder.flush();
        RecordFormat format = format(registry.confluent(), "payee");
        format.check("edges");
        format.check("no-such-topic");
        EdgeEventDecoder decoder = format.decoder(null);
        EdgeBatch batch = new EdgeBatch();
        decoder.decode(record("edges", new RecordHeaders(), value.toByteArray()), batch);
        byte[] unknown = value.toByteArray();
        unknown[1] = 77;
        decoder.decode(record("edges", new RecordHeaders(), unknown), batch);
        decoder.decode(record("edges", new RecordHeaders(), value.toByteArray()), batch);
        assertThat(batch.size()).isEqualTo(2);
        assertThat(batch.rejected()).hasSize(1);
        assertThat(batch.rejected().get(0).reason())
                .contains(
                        "does not have schema " + ByteBuffer.wrap(unknown, 1, 4).getInt());
        assertThatThrownBy(() -> format(registry.confluent(), "payeee").check("edges"))
                .hasMessageContaining("the fields are payer (long), payee (string)");
    }

    private static FileDescriptor payments() throws DescriptorValidationException {
        FieldDescriptorProto.Builder number =
                FieldDescriptorProto.newBuilder().setLabel(Label.LABEL_OPTIONAL).setNumber(1);
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("payments.proto")
                .setPackage("db")
                .setSyntax("proto3")
                .addDependency("google/protobuf/wrappers.proto")
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Refund")
                        .addField(number.setName("id").setType(Type.TYPE_INT32)))
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Pay")
                        .addField(number.setName("payer")
                                .setType(Type.TYPE_MESSAGE)
                                .setTypeName(".google.protobuf.Int64Value"))
                        .addField(number.setName("payee")
                                .clearTypeName()
                                .setType(Type.TYPE_STRING)
                                .setNumber(2)))
                .build();
        return FileDescriptor.buildFrom(file, new FileDescriptor[] {WrappersProto.getDescriptor()});
    }

    private static DynamicMessage payment(Descriptor type, long payer, String payee) {
        return DynamicMessage.newBuilder(type)
                .setField(type.findFieldByName("payer"), Int64Value.of(payer))
                .setField(type.findFieldByName("payee"), payee)
                .build();
    }

    private static RecordFormat mapped(String format, String url, String source) {
        return RecordFormatOptions.parse(
                Map.of("event-format", format, "schema-registry", url, "source", source, "target", "payee"));
    }

    /** Types by their names before the value and in a header, and by indexes. */
    @ParameterizedTest
    @CsvSource({"protobuf-payload, false, false", "protobuf-headers, true, false", "protobuf-indexes, false, true"})
    void messagesOfApicuriosSerializerAreRead(String topic, String inHeaders, boolean byIndexes) throws Exception {
        Descriptor type = payments().findMessageTypeByName("Pay");
        try (ProtobufKafkaSerializer<DynamicMessage> serializer = new ProtobufKafkaSerializer<>()) {
            serializer.configure(
                    Map.of(
                            "apicurio.registry.url",
                            registry.apicurio(),
                            "apicurio.registry.auto-register",
                            "true",
                            "apicurio.registry.headers.enabled",
                            inHeaders,
                            "apicurio.registry.serde.send-type-ref",
                            Boolean.toString(!byIndexes),
                            "apicurio.registry.serde.send-indexes",
                            Boolean.toString(byIndexes)),
                    false);
            for (String url : List.of(registry.apicurio(), registry.confluent())) {
                RecordFormat format = mapped("protobuf", url, "payer.value");
                EdgeEventDecoder decoder = format.decoder(null);
                EdgeBatch batch = new EdgeBatch();
                for (int i = 1; i <= 3; i++) {
                    Headers headers = new RecordHeaders();
                    byte[] value = serializer.serialize(topic, headers, payment(type, i, "" + (i + 1)));
                    decoder.decode(record(topic, headers, value), batch);
                }
                assertThat(batch.rejected()).isEmpty();
                assertThat(batch.size()).isEqualTo(3);
                assertThat(batch.source(2)).isEqualTo(3);
                assertThat(batch.target(2)).isEqualTo(4);
            }
        }
    }

    private static int register(String subject, String type, String schema, List<Map<String, Object>> references)
            throws Exception {
        ObjectMapper json = new ObjectMapper();
        String answer = registry.post(
                "/subjects/%s/versions".formatted(subject),
                json.writeValueAsString(Map.of("schema", schema, "schemaType", type, "references", references)));
        return json.readTree(answer).path("id").intValue();
    }

    @Test
    void messagesWhoseSchemaUsesAnotherAreReadByBothApis() throws Exception {
        register(
                "common-id",
                "PROTOBUF",
                "syntax = \"proto3\"; package common; message Id { int64 id = 1; }",
                List.of());
        int id = register(
                "transfers-value",
                "PROTOBUF",
                "syntax = \"proto3\"; import \"common/id.proto\"; message Note { string text = 1; }"
                        + " message Transfer { common.Id payer = 1; int64 payee = 2; }",
                List.of(Map.of("name", "common/id.proto", "subject", "common-id", "version", 1)));
        byte[] message = HexFormat.of().parseHex("0a0208071008");
        byte[] framed = ByteBuffer.allocate(7 + message.length)
                .put((byte) 0)
                .putInt(id)
                .put(new byte[] {2, 2}) // one index, 1
                .put(message)
                .array();
        for (String url : List.of(registry.confluent(), registry.apicurio())) {
            RecordFormat format = mapped("protobuf", url, "payer.id");
            EdgeBatch batch = new EdgeBatch();
            format.decoder(null).decode(record("transfers", new RecordHeaders(), framed), batch);
            assertThat(batch.rejected()).isEmpty();
            assertThat(batch.source(0)).isEqualTo(7);
            assertThat(batch.target(0)).isEqualTo(8);
            assertThatThrownBy(() -> format.check("transfers")).hasMessageContaining("the fields are text (string)");
            Map<String, String> options = new HashMap<>(Map.of(
                    "event-format", "protobuf", "schema-registry", url, "source", "payer.id", "target", "payee"));
            options.put("message", "Transfer");
            RecordFormatOptions.parse(options).check("transfers");
        }
    }

    @Test
    void jsonOfApicuriosSerializerIsReadAndItsFieldsAreChecked() throws Exception {
        register(
                "json-value",
                "JSON",
                "{\"type\":\"object\",\"properties\":{\"payer\":{\"type\":\"integer\"},\"payee\":{\"type\":\"string\"}}}",
                List.of());
        try (JsonSchemaKafkaSerializer<JsonNode> serializer = new JsonSchemaKafkaSerializer<>()) {
            serializer.configure(
                    Map.of(
                            "apicurio.registry.url",
                            registry.apicurio(),
                            "apicurio.registry.find-latest",
                            "true",
                            "apicurio.registry.headers.enabled",
                            "false"),
                    false);
            Headers headers = new RecordHeaders();
            JsonNode payment = new ObjectMapper().readTree("{\"payer\":5,\"payee\":\"6\"}");
            byte[] value = serializer.serialize("json", headers, payment);
            for (String url : List.of(registry.confluent(), registry.apicurio())) {
                RecordFormat format = mapped("json", url, "payer");
                format.check("json");
                EdgeBatch batch = new EdgeBatch();
                format.decoder(null).decode(record("json", headers, value), batch);
                assertThat(batch.rejected()).isEmpty();
                assertThat(batch.source(0)).isEqualTo(5);
                assertThat(batch.target(0)).isEqualTo(6);
                assertThatThrownBy(() -> mapped("json", url, "from").check("json"))
                        .hasMessage(
                                "--source: the schema has no field from; the fields are payer (integer), payee (text)");
            }
        }
    }

    @Test
    void anUnknownContentIdOfApicurioIsADeadLetter() {
        EdgeBatch batch = new EdgeBatch();
        format(registry.apicurio(), "payee")
                .decoder(null)
                .decode(record("edges", new RecordHeaders(), new byte[] {0, 77, 0, 0, 1, 2, 0}), batch);
        assertThat(batch.rejected().get(0).reason()).contains("does not have schema with content id 1291845633");
    }
}
