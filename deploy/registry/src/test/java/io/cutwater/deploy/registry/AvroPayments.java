package io.cutwater.deploy.registry;

import io.apicurio.registry.serde.avro.AvroKafkaSerializer;
import io.cutwater.testkit.RegistryProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Payments in Avro by Apicurio's serializer, with two versions of their schema. */
final class AvroPayments implements PaymentSource {
    static final Schema FIRST =
            schema("{\"name\":\"payer\",\"type\":\"long\"}," + "{\"name\":\"payee\",\"type\":[\"null\",\"string\"]}");
    static final Schema SECOND = schema("{\"name\":\"note\",\"type\":\"string\",\"default\":\"\"},"
            + "{\"name\":\"payee\",\"type\":[\"null\",\"string\"]},{\"name\":\"payer\",\"type\":\"long\"}");

    private static final Schema WITHOUT_PAYEE = schema("{\"name\":\"payer\",\"type\":\"long\"}");
    private static final Schema DECIMAL =
            schema("{\"name\":\"payer\",\"type\":{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":30}},"
                    + "{\"name\":\"payee\",\"type\":[\"null\",\"string\"]}");
    private static final Schema RECURSIVE = schema("{\"name\":\"payer\",\"type\":\"long\"},"
            + "{\"name\":\"payee\",\"type\":[\"null\",\"string\"]},"
            + "{\"name\":\"previous\",\"type\":[\"null\",\"Payment\"],\"default\":null}");

    private static final int TOO_DEEP = 300;

    private final RegistryProcess process;
    private final String topic;
    private final AvroKafkaSerializer<GenericData.Record> serializer = new AvroKafkaSerializer<>();

    /**
     * @param inHeaders whether headers name the schemas, and not the first bytes of the value
     * @param id contentId or globalId
     */
    AvroPayments(RegistryProcess process, String topic, boolean inHeaders, String id) {
        this.process = process;
        this.topic = topic;
        Map<String, Object> settings = new HashMap<>(Map.of(
                "apicurio.registry.url",
                process.apicurio(),
                "apicurio.registry.auto-register",
                "true",
                "apicurio.registry.auto-register.if-exists",
                "CREATE_VERSION",
                "apicurio.registry.headers.enabled",
                Boolean.toString(inHeaders),
                "apicurio.registry.use-id",
                id));
        serializer.configure(settings, false);
    }

    private static Schema schema(String fields) {
        return new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"Payment\",\"namespace\":\"db\",\"fields\":[%s]}"
                        .formatted(fields));
    }

    @Override
    public String format() {
        return "avro";
    }

    @Override
    public String registry() {
        return process.apicurio();
    }

    @Override
    public String mapping() {
        return "--source payer --target payee";
    }

    /** Returns a payment of a version of the schema. */
    static GenericData.Record payment(Schema schema, long payer, @Nullable String payee) {
        GenericData.Record payment = new GenericData.Record(schema);
        payment.put("payer", payer);
        if (schema.getField("payee") != null) {
            payment.put("payee", payee);
        }
        if (schema.getField("note") != null) {
            payment.put("note", "n");
        }
        return payment;
    }

    @Override
    public PaymentRecord edge(long payer, long payee) {
        return edge(payee % 2 == 0 ? FIRST : SECOND, payer, payee);
    }

    PaymentRecord edge(Schema schema, long payer, long payee) {
        Headers headers = new RecordHeaders();
        byte[] value = serializer.serialize(topic, headers, payment(schema, payer, Long.toString(payee)));
        return PaymentRecord.edge(value, headers, payer, payee);
    }

    private PaymentRecord malformed(GenericData.Record payment, String reason) {
        Headers headers = new RecordHeaders();
        return PaymentRecord.malformed(serializer.serialize(topic, headers, payment), headers, reason);
    }

    @Override
    public List<PaymentRecord> malformed() throws IOException, InterruptedException {
        String schema = ".*\\(schema with content id [0-9]+\\)";
        byte[] whole = edge(FIRST, 1, 22).value();
        byte[] unknown = whole.clone();
        unknown[1] = 77;
        byte[] noText = whole.clone();
        noText[whole.length - 2] = (byte) 0xc3; // begins a character of two bytes, the second of which is a digit
        List<PaymentRecord> records = new ArrayList<>(List.of(
                raw(Arrays.copyOf(whole, whole.length - 1), "truncated" + schema),
                raw(unknown, "does not have schema with content id 1291845"),
                raw(noText, "text that is not valid UTF-8" + schema),
                raw(new byte[0], "names no schema"),
                malformed(payment(WITHOUT_PAYEE, 1, null), "field payee is missing" + schema),
                malformed(payment(FIRST, 1, null), "payee is null" + schema),
                malformed(payment(FIRST, 1, TOO_LARGE), "payee" + schema),
                malformed(payment(FIRST, 1, LONG_TEXT), "payee" + schema)));
        GenericData.Record decimal = new GenericData.Record(DECIMAL);
        decimal.put("payer", ByteBuffer.wrap(new BigInteger(TOO_LARGE).toByteArray()));
        decimal.put("payee", "2");
        records.add(malformed(decimal, "payer" + schema));
        records.add(
                PaymentRecord.malformed(nested(TOO_DEEP), new RecordHeaders(), "nested more than 256 deep" + schema));
        records.add(PaymentRecord.edge(nested(3), new RecordHeaders(), 1, 2));
        return records;
    }

    /** Returns a record of a recursive schema, of which Apicurio's serializer overflows the stack. */
    private byte[] nested(int depth) throws IOException, InterruptedException {
        GenericData.Record outer = payment(RECURSIVE, 1, "2");
        for (int i = 1; i < depth; i++) {
            GenericData.Record next = payment(RECURSIVE, 1, "2");
            next.put("previous", outer);
            outer = next;
        }
        int id = process.register(topic + "-recursive", "AVRO", RECURSIVE.toString(), List.of());
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(0);
        value.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(id).array());
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(value, null);
        new GenericDatumWriter<>(RECURSIVE).write(outer, encoder);
        encoder.flush();
        return value.toByteArray();
    }

    private static PaymentRecord raw(byte[] value, String reason) {
        return PaymentRecord.malformed(value, new RecordHeaders(), reason);
    }

    @Override
    public void close() {
        serializer.close();
    }
}
