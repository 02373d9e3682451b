package io.cutwater.deploy.registry;

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
import io.apicurio.registry.serde.protobuf.ProtobufKafkaSerializer;
import io.cutwater.testkit.RegistryProcess;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Payments in Protobuf by Apicurio's serializer; the payer is a wrapped integer, the payee text. */
final class ProtobufPayments implements PaymentSource {
    private static final int DEPTH = 300;

    private final RegistryProcess process;
    private final String topic;
    private final ProtobufKafkaSerializer<DynamicMessage> serializer = new ProtobufKafkaSerializer<>();
    private final Descriptor type;
    private final Descriptor refund;

    /**
     * @param inHeaders whether headers name the schemas, and not the first bytes of the value
     * @param byIndexes whether indexes name the type, and not its name
     */
    ProtobufPayments(RegistryProcess process, String topic, boolean inHeaders, boolean byIndexes)
            throws DescriptorValidationException {
        this.process = process;
        this.topic = topic;
        FileDescriptor file = file();
        type = file.findMessageTypeByName("Pay");
        refund = file.findMessageTypeByName("Refund");
        serializer.configure(
                Map.of(
                        "apicurio.registry.url",
                        process.apicurio(),
                        "apicurio.registry.auto-register",
                        "true",
                        "apicurio.registry.headers.enabled",
                        Boolean.toString(inHeaders),
                        "apicurio.registry.serde.send-type-ref",
                        Boolean.toString(!byIndexes),
                        "apicurio.registry.serde.send-indexes",
                        Boolean.toString(byIndexes)),
                false);
    }

    private static FileDescriptor file() throws DescriptorValidationException {
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("payments.proto")
                .setPackage("db")
                .setSyntax("proto3")
                .addDependency("google/protobuf/wrappers.proto")
                .addMessageType(
                        DescriptorProto.newBuilder().setName("Refund").addField(field("id", 1, Type.TYPE_INT32)))
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Pay")
                        .addField(field("payer", 1, Type.TYPE_MESSAGE).setTypeName(".google.protobuf.Int64Value"))
                        .addField(field("payee", 2, Type.TYPE_STRING))
                        .addField(field("previous", 3, Type.TYPE_MESSAGE).setTypeName(".db.Pay")))
                .build();
        return FileDescriptor.buildFrom(file, new FileDescriptor[] {WrappersProto.getDescriptor()});
    }

    private static FieldDescriptorProto.Builder field(String name, int number, Type type) {
        return FieldDescriptorProto.newBuilder()
                .setLabel(Label.LABEL_OPTIONAL)
                .setName(name)
                .setNumber(number)
                .setType(type);
    }

    @Override
    public String format() {
        return "protobuf";
    }

    @Override
    public String registry() {
        return process.confluent();
    }

    @Override
    public String mapping() {
        return "--message Pay --source payer.value --target payee";
    }

    private DynamicMessage.Builder payment(long payer, Object payee) {
        return DynamicMessage.newBuilder(type)
                .setField(type.findFieldByName("payer"), Int64Value.of(payer))
                .setField(type.findFieldByName("payee"), payee);
    }

    @Override
    public PaymentRecord edge(long payer, long payee) {
        Headers headers = new RecordHeaders();
        byte[] value = serializer.serialize(
                topic, headers, payment(payer, Long.toString(payee)).build());
        return PaymentRecord.edge(value, headers, payer, payee);
    }

    private PaymentRecord malformed(DynamicMessage payment, String reason) {
        Headers headers = new RecordHeaders();
        return PaymentRecord.malformed(serializer.serialize(topic, headers, payment), headers, reason);
    }

    @Override
    public List<PaymentRecord> malformed() {
        String schema = ".*\\(schema [0-9]+\\)";
        byte[] whole = edge(1, 22).value();
        byte[] unknown = whole.clone();
        unknown[1] = 77;
        byte[] noText = whole.clone();
        noText[whole.length - 2] = (byte) 0xc3; // begins a character of two bytes, the second of which is a digit
        List<PaymentRecord> records = new ArrayList<>(List.of(
                raw(Arrays.copyOf(whole, whole.length - 1), "truncated" + schema),
                raw(unknown, "does not have schema 1291845"),
                raw(noText, "text that is not valid UTF-8" + schema),
                raw(new byte[0], "names no schema"),
                malformed(DynamicMessage.newBuilder(refund).build(), "Refund.*" + schema),
                malformed(
                        payment(1, "2")
                                .clearField(type.findFieldByName("payer"))
                                .build(),
                        "payer.value is missing" + schema),
                malformed(payment(1, TOO_LARGE).build(), "payee" + schema),
                malformed(payment(1, LONG_TEXT).build(), "payee" + schema)));
        DynamicMessage deep = payment(1, "2").build();
        for (int i = 0; i < DEPTH; i++) {
            deep = payment(1, "2")
                    .setField(type.findFieldByName("previous"), deep)
                    .build();
        }
        // Fields that are not mapped are skipped as a whole, however deep they are.
        Headers headers = new RecordHeaders();
        records.add(PaymentRecord.edge(serializer.serialize(topic, headers, deep), headers, 1, 2));
        return records;
    }

    private static PaymentRecord raw(byte[] value, String reason) {
        return PaymentRecord.malformed(value, new RecordHeaders(), reason);
    }

    @Override
    public void close() {
        serializer.close();
    }
}
