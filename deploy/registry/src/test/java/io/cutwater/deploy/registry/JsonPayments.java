package io.cutwater.deploy.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.apicurio.registry.serde.jsonschema.JsonSchemaKafkaSerializer;
import io.cutwater.testkit.RegistryProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Payments in JSON by Apicurio's serializer, with a recursive JSON Schema. */
final class JsonPayments implements PaymentSource {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PREFIX = 5;
    private static final int TOO_DEEP = 100_000;

    private final RegistryProcess process;
    private final String topic;
    private final JsonSchemaKafkaSerializer<JsonNode> serializer = new JsonSchemaKafkaSerializer<>();

    JsonPayments(RegistryProcess process, String topic) throws IOException, InterruptedException {
        this.process = process;
        this.topic = topic;
        process.register(
                topic + "-value",
                "JSON",
                "{\"type\":\"object\",\"properties\":{\"payer\":{\"type\":\"integer\"},\"payee\":{\"type\":\"string\"},"
                        + "\"previous\":{\"$ref\":\"#\"}}}",
                List.of());
        serializer.configure(
                Map.of(
                        "apicurio.registry.url",
                        process.apicurio(),
                        "apicurio.registry.find-latest",
                        "true",
                        "apicurio.registry.headers.enabled",
                        "false"),
                false);
    }

    @Override
    public String format() {
        return "json";
    }

    @Override
    public String registry() {
        return process.apicurio();
    }

    @Override
    public String mapping() {
        return "--source payer --target payee";
    }

    @Override
    public PaymentRecord edge(long payer, long payee) {
        Headers headers = new RecordHeaders();
        try {
            JsonNode payment = JSON.readTree("{\"payer\":%d,\"payee\":\"%d\"}".formatted(payer, payee));
            return PaymentRecord.edge(serializer.serialize(topic, headers, payment), headers, payer, payee);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public List<PaymentRecord> malformed() {
        String schema = ".*\\(schema with content id [0-9]+\\)";
        byte[] whole = edge(1, 22).value();
        byte[] unknown = whole.clone();
        unknown[1] = 77;
        byte[] noText = whole.clone();
        noText[whole.length - 3] = (byte) 0xc3; // begins a character of two bytes, the second of which is a quote
        return List.of(
                raw(unknown, "does not have schema with content id 1291845"),
                raw(noText, "Invalid UTF-8" + schema),
                raw(new byte[0], "names no schema"),
                behind(whole, "{\"payer\":1,\"payee\":\"2", "the value cannot be read.*" + schema),
                behind(whole, "{\"payer\":1}", "field payee is missing" + schema),
                behind(whole, "{\"payer\":null,\"payee\":\"2\"}", "payer is null" + schema),
                behind(whole, "{\"payer\":%s,\"payee\":\"2\"}".formatted(TOO_LARGE), "payer" + schema),
                behind(whole, "{\"payer\":1.5,\"payee\":\"2\"}", "payer" + schema),
                behind(whole, "{\"payer\":1,\"payee\":\"%s\"}".formatted(LONG_TEXT), "payee" + schema),
                behind(
                        whole,
                        "{\"previous\":".repeat(TOO_DEEP) + "{}" + "}".repeat(TOO_DEEP),
                        "the value cannot be read.*" + schema));
    }

    /** Returns text behind the id of the schema. */
    private static PaymentRecord behind(byte[] whole, String json, String reason) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        return raw(
                ByteBuffer.allocate(PREFIX + text.length)
                        .put(whole, 0, PREFIX)
                        .put(text)
                        .array(),
                reason);
    }

    private static PaymentRecord raw(byte[] value, String reason) {
        return PaymentRecord.malformed(value, new RecordHeaders(), reason);
    }

    @Override
    public void close() {
        serializer.close();
    }
}
