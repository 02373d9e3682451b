package io.cutwater.kafka.field.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.UnknownFieldSet;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import io.cutwater.kafka.field.FieldValues.Kind;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Records are written by the library of Protobuf. */
final class ProtobufEdgesTest {
    private static final Headers NONE = new RecordHeaders();

    private static FieldDescriptorProto field(String name, int number, Type type) {
        FieldDescriptorProto.Builder field = FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setType(type);
        if (type == Type.TYPE_MESSAGE) {
            field.setTypeName(".bank.Account");
        } else if (type == Type.TYPE_ENUM) {
            field.setTypeName(".bank.Kind");
        }
        return field.setLabel(Label.LABEL_OPTIONAL).build();
    }

    /** Message Payment {from: Account {id, next: Account}, x: of any type, tags: repeated, last: fixed64}. */
    private static FileDescriptorProto file(Type ofX) {
        return FileDescriptorProto.newBuilder()
                .setName("bank.proto")
                .setPackage("bank")
                .setSyntax("proto3")
                .addEnumType(EnumDescriptorProto.newBuilder()
                        .setName("Kind")
                        .addValue(EnumValueDescriptorProto.newBuilder()
                                .setName("NONE")
                                .setNumber(0))
                        .addValue(EnumValueDescriptorProto.newBuilder()
                                .setName("SOME")
                                .setNumber(5)))
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Account")
                        .addField(field("id", 1, Type.TYPE_INT64))
                        .addField(field("next", 2, Type.TYPE_MESSAGE)))
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Payment")
                        .addField(field("from", 1, Type.TYPE_MESSAGE))
                        .addField(field("x", 2, ofX))
                        .addField(field("tags", 3, Type.TYPE_STRING).toBuilder().setLabel(Label.LABEL_REPEATED))
                        .addField(field("last", 900, Type.TYPE_FIXED64)))
                .build();
    }

    private static Descriptor payment(Type ofX) {
        try {
            return FileDescriptor.buildFrom(file(ofX), new FileDescriptor[0]).findMessageTypeByName("Payment");
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object value(FieldDescriptor field, SplittableRandom random) {
        return switch (field.getJavaType()) {
            case INT -> random.nextInt() >> random.nextInt(32);
            case LONG -> random.nextLong() >> random.nextInt(64);
            case FLOAT -> (float) random.nextInt();
            case DOUBLE -> random.nextDouble();
            case BOOLEAN -> random.nextBoolean();
            case STRING -> "é" + random.nextInt(9);
            case BYTE_STRING -> ByteString.copyFrom(new byte[random.nextInt(9)]);
            case ENUM -> field.getEnumType().getValues().get(random.nextInt(2));
            case MESSAGE -> account(field.getMessageType(), random.nextInt());
        };
    }

    private static DynamicMessage account(Descriptor type, long id) {
        return DynamicMessage.newBuilder(type)
                .setField(type.findFieldByName("id"), id)
                .build();
    }

    @ParameterizedTest
    @EnumSource(
            value = Type.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"TYPE_GROUP", "TYPE_MESSAGE", "TYPE_BYTES"})
    void fieldsOfEveryTypeAreThoseThatWereWritten(Type type) {
        Descriptor payment = payment(type);
        FieldDescriptor x = payment.findFieldByName("x");
        FieldTree tree = new FieldTree();
        int id = tree.add(FieldPath.parse("from.id"));
        int ofX = tree.add(FieldPath.parse("x"));
        FieldValues values = new FieldValues(tree);
        ProtobufFieldReader reader = new ProtobufFieldReader(payment, tree);
        SplittableRandom random = new SplittableRandom(type.getNumber());
        for (int i = 0; i < 50; i++) {
            Object written = value(x, random);
            DynamicMessage message = DynamicMessage.newBuilder(payment)
                    .setField(
                            payment.findFieldByName("from"),
                            account(payment.getFile().findMessageTypeByName("Account"), i))
                    .setField(x, written)
                    .addRepeatedField(payment.findFieldByName("tags"), "a")
                    .setField(payment.findFieldByName("last"), random.nextLong())
                    .setUnknownFields(UnknownFieldSet.newBuilder()
                            .addField(
                                    77,
                                    UnknownFieldSet.Field.newBuilder()
                                            .addFixed32(3)
                                            .addVarint(-1)
                                            .addGroup(UnknownFieldSet.newBuilder()
                                                    .addField(
                                                            5,
                                                            UnknownFieldSet.Field.newBuilder()
                                                                    .addVarint(1)
                                                                    .build())
                                                    .build())
                                            .build())
                            .build())
                    .build();
            byte[] record = message.toByteArray();
            assertThat(reader.read(record, 0, NONE, values)).isNull();
            assertThat(values.integer(id)).isEqualTo(i);
            check(values, ofX, x, message.getField(x));
            for (int damage = 0; damage < 10; damage++) {
                byte[] bad = record.clone();
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
                reader.read(Arrays.copyOf(bad, random.nextInt(bad.length + 1)), 0, NONE, values);
            }
        }
    }

    private static void check(FieldValues values, int field, FieldDescriptor x, Object written) {
        switch (x.getType()) {
            case UINT32, FIXED32 ->
                assertThat(values.integer(field)).isEqualTo(Integer.toUnsignedLong((Integer) written));
            case UINT64, FIXED64 -> {
                assertThat(values.text(field)).isEqualTo(Long.toUnsignedString((Long) written));
                assertThat(values.integerProblem(field) == null).isEqualTo((Long) written >= 0);
            }
            case FLOAT, DOUBLE -> assertThat(values.number(field)).isEqualTo(((Number) written).doubleValue());
            default -> assertThat(values.text(field)).isEqualTo(written.toString());
        }
    }

    private static RecordFormat format(Path file, String source, String target) {
        return RecordFormatOptions.parse(Map.of(
                "event-format",
                "protobuf",
                "descriptor",
                file.toString(),
                "message",
                "Payment",
                "source",
                source,
                "target",
                target));
    }

    private static Path descriptor(Path folder, Type ofX) throws IOException {
        return Files.write(
                folder.resolve("bank.desc"),
                FileDescriptorSet.newBuilder().addFile(file(ofX)).build().toByteArray());
    }

    private static EdgeBatch decode(RecordFormat format, String hex) {
        EdgeBatch batch = new EdgeBatch();
        format.decoder(null)
                .decode(new ConsumerRecord<>("e", 0, 17, null, HexFormat.of().parseHex(hex)), batch);
        return batch;
    }

    /** Bytes are those of the documentation of the encoding: tag = number shifted by 3, and the wire type. */
    @Test
    void missingNumbersAreZeroAndWhatCannotBeReadIsADeadLetter(@TempDir Path folder) throws IOException {
        RecordFormat format = format(descriptor(folder, Type.TYPE_INT64), "from.id", "x");
        EdgeBatch batch = decode(format, "0a020807" + "1009");
        assertThat(batch.source(0)).isEqualTo(7);
        assertThat(batch.target(0)).isEqualTo(9);
        assertThat(decode(format, "0a00").target(0)).isZero();
        assertThat(decode(format, "1009").rejected().get(0).reason()).isEqualTo("field from.id is missing");
        assertThat(decode(format, "0a020807" + "0a041202" + "0805" + "1009").source(0))
                .as("merged")
                .isEqualTo(7);
        Map<String, String> reasons = new HashMap<>();
        reasons.put("0a020807" + "10", "truncated");
        reasons.put("0a090807", "truncated");
        reasons.put("0a02080710" + "ff".repeat(9) + "02", "more than 64 bits");
        reasons.put("0a02080711" + "00".repeat(8), "field x has wire type 1, not 0");
        reasons.put("0a0108" + "07", "a field passes the end of its message");
        reasons.put("0000", "field number 0");
        reasons.put("1c", "wire type 4 of field 3");
        reasons.put("eb04" + "f404", "group 78 ends in group 77");
        reasons.put("eb04".repeat(200), "nested more than");
        reasons.put("9a06" + "ffffffffffffffffff01", "truncated");
        reasons.forEach((hex, reason) -> {
            EdgeBatch rejected = decode(format, hex);
            assertThat(rejected.size()).isZero();
            assertThat(rejected.rejected().get(0).reason()).as(hex).contains(reason);
        });
        RecordFormat unsigned = format(descriptor(folder, Type.TYPE_UINT64), "from.id", "x");
        assertThat(decode(unsigned, "0a02080710" + "ff".repeat(9) + "01")
                        .rejected()
                        .get(0)
                        .reason())
                .contains("x is not a 64-bit integer: '18446744073709551615'");
    }

    @Test
    void aRecursiveTypeIsReadToABound() {
        Descriptor payment = payment(Type.TYPE_INT64);
        FieldTree tree = new FieldTree();
        int inner = tree.add(FieldPath.parse("from.next.id"));
        FieldValues values = new FieldValues(tree);
        ProtobufFieldReader reader = new ProtobufFieldReader(payment, tree);
        assertThat(reader.read(HexFormat.of().parseHex("0a04" + "1202" + "0809"), 0, NONE, values))
                .isNull();
        assertThat(values.integer(inner)).isEqualTo(9);
        assertThat(reader.read(HexFormat.of().parseHex("0a02" + "0809"), 0, NONE, values))
                .isNull();
        assertThat(values.kind(inner)).isEqualTo(Kind.ABSENT);
        assertThat(new ProtobufFieldSchema(payment).fields())
                .containsExactly("from.id (int64)", "x (int64)", "tags (repeated string)", "last (fixed64)");
        assertThat(new ProtobufFieldSchema(payment).types(FieldPath.parse("from.next.next.id")))
                .hasSize(1);
    }

    @Test
    void theDescriptorGoesWithTheOptions(@TempDir Path folder) throws IOException {
        Path file = descriptor(folder, Type.TYPE_INT64);
        RecordFormat format = format(file, "from.id", "x");
        Map<String, String> embedded = new HashMap<>(
                RecordFormatOptions.embedded(Map.of("descriptor", file.toString(), "message", "Payment")));
        Files.delete(file);
        embedded.putAll(Map.of("event-format", "protobuf", "message", "Payment", "source", "from.id", "target", "x"));
        assertThat(RecordFormatOptions.parse(embedded)).isEqualTo(format);
        assertThatThrownBy(() -> format(file, "from.id", "x"))
                .hasMessageContainingAll("--descriptor", "cannot be read");
        Files.writeString(file, "message Payment {}");
        assertThatThrownBy(() -> format(file, "from.id", "x")).hasMessageContaining("--descriptor: it is no file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "protobuf | Payment | from.idd | x | --source: the schema has no field from.idd; the fields are from.id (int64), x (string)",
                "protobuf | Payment | from.id | tags | --target: field tags of the schema is not a 64-bit integer",
                "protobuf | Payment | from | x | --source: field from of the schema is not",
                "protobuf | '' | from.id | x | --message must name the type of the records: the descriptor has bank.Account, bank.Payment",
                "protobuf | Pay | from.id | x | --message Pay names no single type",
                "avro | '' | from.id | x | --descriptor is for --event-format protobuf, not avro"
            })
    void pathsAreCheckedAgainstTheDescriptor(
            String format, String message, String source, String target, String error, @TempDir Path folder)
            throws IOException {
        Map<String, String> options = Map.of(
                "event-format",
                format,
                "descriptor",
                descriptor(folder, Type.TYPE_STRING).toString(),
                "message",
                message,
                "source",
                source,
                "target",
                target);
        assertThatThrownBy(() -> RecordFormatOptions.parse(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(error);
    }
}
