package io.cutwater.deploy.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.testkit.RegistryProcess;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records whose schemas are in a real registry, in Avro and JSON. */
final class RealRegistryIT {
    private static RegistryProcess registry;

    @BeforeAll
    static void start() throws Exception {
        registry = SharedRegistry.get();
    }

    /** Names of schemas in the bytes before the value and in headers, by content id and by global id. */
    @ParameterizedTest
    @CsvSource({"payload, false, contentId", "headers, true, contentId", "global, true, globalId"})
    void recordsOfApicuriosSerializerAreRead(String topic, boolean inHeaders, String id) {
        try (AvroPayments payments = new AvroPayments(registry, topic, inHeaders, id)) {
            DecodedRecords records = new DecodedRecords(topic, "avro", registry.apicurio(), "payer", "payee");
            for (int i = 0; i < 4; i++) {
                records.decode(payments.edge(i, i + 1));
            }
            EdgeBatch batch = records.batch();
            assertThat(batch.rejected()).isEmpty();
            assertThat(batch.size()).isEqualTo(4);
            for (int i = 0; i < 4; i++) {
                assertThat(batch.source(i)).isEqualTo(i);
                assertThat(batch.target(i)).isEqualTo(i + 1);
            }
            records.check();
        }
    }

    @Test
    void recordsInConfluentsFormatAreReadByItsApi() throws Exception {
        int id = registry.register("edges-value", "AVRO", AvroPayments.FIRST.toString(), List.of());
        assertThat(id).isPositive();
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(0);
        value.writeBytes(ByteBuffer.allocate(4).putInt(id).array());
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(value, null);
        new GenericDatumWriter<>(AvroPayments.FIRST).write(AvroPayments.payment(AvroPayments.FIRST, 3, "4"), encoder);
        encoder.flush();
        new DecodedRecords("no-such-topic", "avro", registry.confluent(), "payer", "payee").check();
        DecodedRecords records = new DecodedRecords("edges", "avro", registry.confluent(), "payer", "payee");
        records.check();
        records.decode(value.toByteArray());
        byte[] unknown = value.toByteArray();
        unknown[1] = 77;
        records.decode(unknown);
        records.decode(value.toByteArray());
        assertThat(records.batch().size()).isEqualTo(2);
        assertThat(records.batch().rejected()).hasSize(1);
        assertThat(records.batch().rejected().get(0).reason())
                .contains(
                        "does not have schema " + ByteBuffer.wrap(unknown, 1, 4).getInt());
        assertThatThrownBy(() -> new DecodedRecords("edges", "avro", registry.confluent(), "payer", "payeee").check())
                .hasMessageContaining("the fields are payer (long), payee (string)");
    }

    @Test
    void anUnknownContentIdOfApicurioIsADeadLetter() {
        DecodedRecords records = new DecodedRecords("edges", "avro", registry.apicurio(), "payer", "payee");
        records.decode(new byte[] {0, 77, 0, 0, 1, 2, 0});
        assertThat(records.batch().rejected().get(0).reason())
                .contains("does not have schema with content id 1291845633");
    }

    @Test
    void jsonOfApicuriosSerializerIsReadAndItsFieldsAreChecked() throws Exception {
        try (JsonPayments payments = new JsonPayments(registry, "json")) {
            for (String url : List.of(registry.confluent(), registry.apicurio())) {
                DecodedRecords records = new DecodedRecords("json", "json", url, "payer", "payee");
                records.check();
                records.decode(payments.edge(5, 6));
                assertThat(records.batch().rejected()).isEmpty();
                assertThat(records.batch().source(0)).isEqualTo(5);
                assertThat(records.batch().target(0)).isEqualTo(6);
                assertThatThrownBy(() -> new DecodedRecords("json", "json", url, "from", "payee").check())
                        .hasMessageStartingWith(
                                "--source: the schema has no field from; the fields are payer (integer), payee (text)");
            }
        }
    }
}
