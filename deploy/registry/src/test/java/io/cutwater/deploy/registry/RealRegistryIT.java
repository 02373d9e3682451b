package io.cutwater.deploy.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.apicurio.registry.serde.avro.AvroKafkaSerializer;
import io.cutwater.kafka.event.EdgeEventDecoder;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.state.graph.EdgeBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
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

    @Test
    void anUnknownContentIdOfApicurioIsADeadLetter() {
        EdgeBatch batch = new EdgeBatch();
        format(registry.apicurio(), "payee")
                .decoder(null)
                .decode(record("edges", new RecordHeaders(), new byte[] {0, 77, 0, 0, 1, 2, 0}), batch);
        assertThat(batch.rejected().get(0).reason()).contains("does not have schema with content id 1291845633");
    }
}
