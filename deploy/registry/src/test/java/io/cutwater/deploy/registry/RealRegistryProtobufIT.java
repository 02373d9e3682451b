package io.cutwater.deploy.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.testkit.RegistryProcess;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protobuf messages whose schemas are in a real registry. */
final class RealRegistryProtobufIT {
    private static RegistryProcess registry;

    @BeforeAll
    static void start() throws Exception {
        registry = SharedRegistry.get();
    }

    /** Types by their names before the value and in a header, and by indexes. */
    @ParameterizedTest
    @CsvSource({"protobuf-payload, false, false", "protobuf-headers, true, false", "protobuf-indexes, false, true"})
    void messagesOfApicuriosSerializerAreRead(String topic, boolean inHeaders, boolean byIndexes) throws Exception {
        try (ProtobufPayments payments = new ProtobufPayments(registry, topic, inHeaders, byIndexes)) {
            for (String url : List.of(registry.apicurio(), registry.confluent())) {
                DecodedRecords records = new DecodedRecords(topic, "protobuf", url, "payer.value", "payee");
                for (int i = 1; i <= 3; i++) {
                    records.decode(payments.edge(i, i + 1));
                }
                EdgeBatch batch = records.batch();
                assertThat(batch.rejected()).isEmpty();
                assertThat(batch.size()).isEqualTo(3);
                assertThat(batch.source(2)).isEqualTo(3);
                assertThat(batch.target(2)).isEqualTo(4);
            }
        }
    }

    @Test
    void messagesWhoseSchemaUsesAnotherAreReadByBothApis() throws Exception {
        registry.register(
                "common-id",
                "PROTOBUF",
                "syntax = \"proto3\"; package common; message Id { int64 id = 1; }",
                List.of());
        int id = registry.register(
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
            DecodedRecords records = new DecodedRecords("transfers", "protobuf", url, "payer.id", "payee");
            records.decode(framed);
            assertThat(records.batch().rejected()).isEmpty();
            assertThat(records.batch().source(0)).isEqualTo(7);
            assertThat(records.batch().target(0)).isEqualTo(8);
            assertThatThrownBy(records::check).hasMessageContaining("the fields are text (string)");
            new DecodedRecords("transfers", "protobuf", url, "payer.id", "payee", "message", "Transfer").check();
        }
    }
}
