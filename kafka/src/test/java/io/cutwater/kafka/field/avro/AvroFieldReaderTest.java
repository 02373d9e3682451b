package io.cutwater.kafka.field.avro;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import io.cutwater.kafka.field.FieldValues.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records are written by the library of Avro. */
final class AvroFieldReaderTest {
    private static final Headers NONE = new RecordHeaders();

    private static byte[] bytes(Schema schema, Object record) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        try {
            new GenericDatumWriter<>(schema).write(record, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return out.toByteArray();
    }

    private static Schema schema(String json) {
        return new Schema.Parser().parse(json.replace('\'', '"'));
    }

    /** Reads field {@code x} of a record that has only this field. */
    private static FieldValues readX(String type, Object value) {
        Schema schema = schema("{'type':'record','name':'R','fields':[{'name':'x','type':%s}]}".formatted(type));
        GenericData.Record record = new GenericData.Record(schema);
        record.put("x", value);
        FieldTree tree = new FieldTree();
        tree.add(FieldPath.parse("x"));
        FieldValues values = new FieldValues(tree);
        assertThat(new AvroFieldReader(schema, tree).read(bytes(schema, record), 0, NONE, values))
                .isNull();
        return values;
    }

    @Test
    void logicalTypesAreReadWhereTheyAreNumbers() {
        String key = "{'type':'bytes','logicalType':'decimal','precision':20,'scale':0}";
        FieldValues values = readX(key, ByteBuffer.wrap(new byte[] {1, 0}));
        assertThat(values.integerProblem(0)).isNull();
        assertThat(values.integer(0)).isEqualTo(256);
        byte[] most = new byte[9];
        most[1] = -1;
        assertThat(readX(key, ByteBuffer.wrap(most)).integerProblem(0))
                .contains("not a 64-bit", "18374686479671623680");
        values = readX(
                "{'type':'fixed','name':'F','size':2,'logicalType':'decimal','precision':4,'scale':2}",
                new GenericData.Fixed(
                        schema("{'type':'fixed','name':'F','size':2}"), new byte[] {(byte) 0xff, (byte) 0xce}));
        assertThat(values.numberProblem(0)).isNull();
        assertThat(values.number(0)).isEqualTo(-0.5);
        values = readX("{'type':'long','logicalType':'timestamp-micros'}", Long.MIN_VALUE + 1);
        assertThat(values.integer(0)).isEqualTo(Long.MIN_VALUE + 1);
        assertThat(readX(key, ByteBuffer.wrap(new byte[1 << 20])).integerProblem(0))
                .contains("1048576 bytes");
    }

    @Test
    void ofAUnionTheBranchOfTheRecordCounts() {
        String type = "['null','long','string',{'type':'enum','name':'E','symbols':['a','b']}]";
        assertThat(readX(type, null).kind(0)).isEqualTo(Kind.NULL);
        assertThat(readX(type, 7L).integer(0)).isEqualTo(7);
        FieldValues text = readX(type, "12");
        assertThat(text.integerProblem(0)).isNull();
        assertThat(text.integer(0)).isEqualTo(12);
        Schema symbols = schema("{'type':'enum','name':'E','symbols':['a','b']}");
        assertThat(readX(type, new GenericData.EnumSymbol(symbols, "b")).text(0))
                .isEqualTo("b");
        assertThat(readX("'double'", Double.NaN).numberProblem(0)).contains("NaN");
        assertThat(readX("'float'", 0.5f).number(0)).isEqualTo(0.5);
        assertThat(readX("'boolean'", true).text(0)).isEqualTo("true");
        assertThat(readX("{'type':'array','items':'int'}", List.of(1, 2)).kind(0))
                .isEqualTo(Kind.OTHER);
    }

    @Test
    void aTextOfAMebibyteIsNoIntegerAndInvalidUtf8IsNoText() {
        assertThat(readX("'string'", "1".repeat(1 << 20)).integerProblem(0))
                .contains("not a 64-bit integer")
                .hasSizeLessThan(1_000);
        Schema schema = schema("{'type':'record','name':'R','fields':[{'name':'x','type':'string'}]}");
        FieldTree tree = new FieldTree();
        tree.add(FieldPath.parse("x"));
        FieldValues values = new FieldValues(tree);
        byte[] invalid = {4, (byte) 0xc3, 0x28};
        assertThat(new AvroFieldReader(schema, tree).read(invalid, 0, NONE, values))
                .isEqualTo("it has text that is not valid UTF-8, of 2 bytes from byte 1");
        byte[] replacement = {6, (byte) 0xef, (byte) 0xbf, (byte) 0xbd};
        assertThat(new AvroFieldReader(schema, tree).read(replacement, 0, NONE, values))
                .isNull();
        assertThat(values.text(0)).isEqualTo("\ufffd");
    }

    @Test
    void lengthsAreCheckedBeforeAnythingIsAllocatedOrSkipped() {
        Schema schema = schema(
                "{'type':'record','name':'R','fields':["
                        + "{'name':'s','type':'string'},{'name':'n','type':{'type':'array','items':'null'}},"
                        + "{'name':'l','type':{'type':'array','items':'long'}},{'name':'m','type':{'type':'map','values':'int'}}]}");
        FieldTree tree = new FieldTree();
        tree.add(FieldPath.parse("s"));
        FieldValues values = new FieldValues(tree);
        AvroFieldReader reader = new AvroFieldReader(schema, tree);
        byte[] most = {
            (byte) 0xfe,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            1
        };
        assertThat(reader.read(most, 0, NONE, values))
                .contains("a value of 9223372036854775807 bytes begins at byte 10");
        assertThat(reader.read(new byte[] {1, 0}, 0, NONE, values)).contains("a value of -1 bytes");
        byte[] items = concat(new byte[] {0}, most, new byte[] {0, 0, 0});
        assertThat(reader.read(items, 0, NONE, values))
                .as("2^63 items without bytes")
                .isNull();
        assertThat(reader.read(concat(new byte[] {0, 0}, most, new byte[] {2, 4}), 0, NONE, values))
                .contains("truncated");
        assertThat(reader.read(concat(new byte[] {0, 0, 0}, most, new byte[] {0}), 0, NONE, values))
                .contains("truncated");
        assertThat(reader.read(concat(new byte[] {0, 0, 1, 1}, new byte[] {0, 0}), 0, NONE, values))
                .contains("-1 bytes");
        most[9] = 2;
        assertThat(reader.read(most, 0, NONE, values)).contains("more than 64 bits");
        assertThat(reader.read(new byte[] {0, 0, 0, 0, 9}, 0, NONE, values)).contains("1 bytes follow");
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Test
    void recursiveSchemasAreReadToABoundAndListedOnce() {
        Schema list = schema("{'type':'record','name':'L','fields':[{'name':'id','type':'long'},"
                + "{'name':'next','type':['null','L']},{'name':'rest','type':{'type':'array','items':'L'}}]}");
        AvroFieldSchema fields = new AvroFieldSchema(list);
        assertThat(fields.fields()).containsExactly("id (long)", "rest (array)");
        assertThat(fields.types(FieldPath.parse("next.next.id"))).hasSize(1);
        assertThat(fields.types(FieldPath.parse("next.id.id"))).isEmpty();
        FieldTree tree = new FieldTree();
        int second = tree.add(FieldPath.parse("next.id"));
        FieldValues values = new FieldValues(tree);
        AvroFieldReader reader = new AvroFieldReader(list, tree);
        for (int length : new int[] {1, 2, 100, 10_000}) {
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            for (int i = 0; i < length; i++) {
                written.write(2);
                written.write(i == length - 1 ? 0 : 2);
            }
            written.writeBytes(new byte[length]);
            String reason = reader.read(written.toByteArray(), 0, NONE, values);
            if (length > 1_000) {
                assertThat(reason).contains("nested more than");
            } else {
                assertThat(reason).isNull();
                assertThat(values.kind(second)).isEqualTo(length == 1 ? Kind.ABSENT : Kind.INTEGER);
            }
        }
        Schema endless =
                schema("{'type':'record','name':'A','fields':[{'name':'a','type':'A'},{'name':'b','type':'A'}]}");
        assertThat(new AvroFieldReader(endless, tree).read(new byte[0], 0, NONE, values))
                .contains("nested more than");
    }

    /** A schema of random nesting, a record of it, and the fields that it has. */
    private static final class RandomRecord {
        private final SplittableRandom random;
        private final Map<String, @Nullable Object> leaves = new HashMap<>();
        private int names;

        RandomRecord(long seed) {
            random = new SplittableRandom(seed);
        }

        Schema schema(int depth) {
            SchemaBuilder.FieldAssembler<Schema> fields =
                    SchemaBuilder.record("R" + names++).fields();
            int count = 1 + random.nextInt(5);
            for (int i = 0; i < count; i++) {
                Schema type = type(depth);
                fields = fields.name("f" + i)
                        .type(random.nextBoolean() ? type : Schema.createUnion(Schema.create(Schema.Type.NULL), type))
                        .noDefault();
            }
            return fields.endRecord();
        }

        private Schema type(int depth) {
            int kind = random.nextInt(depth > 3 ? 8 : 11);
            return switch (kind) {
                case 0 -> Schema.create(Schema.Type.INT);
                case 1, 2 -> Schema.create(Schema.Type.LONG);
                case 3 -> Schema.create(Schema.Type.DOUBLE);
                case 4 -> Schema.create(Schema.Type.STRING);
                case 5 -> Schema.create(Schema.Type.BOOLEAN);
                case 6 -> Schema.create(Schema.Type.BYTES);
                case 7 -> Schema.create(Schema.Type.FLOAT);
                case 8 -> Schema.createArray(type(depth + 1));
                case 9 -> Schema.createMap(type(depth + 1));
                default -> schema(depth + 1);
            };
        }

        @Nullable Object value(Schema schema, @Nullable String path) {
            Object value = switch (schema.getType()) {
                case INT -> random.nextInt();
                case LONG -> random.nextLong() >> random.nextInt(64);
                case DOUBLE -> random.nextDouble();
                case FLOAT -> (float) random.nextDouble();
                case STRING -> "é".repeat(random.nextInt(4)) + random.nextInt(99);
                case BOOLEAN -> random.nextBoolean();
                case BYTES -> ByteBuffer.wrap(new byte[random.nextInt(5)]);
                case ARRAY -> List.of(value(schema.getElementType(), null), value(schema.getElementType(), null));
                case MAP -> Map.of("k", value(schema.getValueType(), null));
                case UNION ->
                    random.nextBoolean() ? null : value(schema.getTypes().get(1), path);
                default -> {
                    GenericData.Record record = new GenericData.Record(schema);
                    for (Schema.Field field : schema.getFields()) {
                        record.put(
                                field.name(), value(field.schema(), path == null ? null : path + field.name() + "."));
                    }
                    yield record;
                }
            };
            if (path != null && !path.isEmpty()) {
                leaves.put(path.substring(0, path.length() - 1), value);
            }
            return value;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyFieldsOfAnyRecordAreThoseThatWereWritten(long seed) {
        for (int i = 0; i < 20; i++) {
            RandomRecord made = new RandomRecord(seed * 1000 + i);
            Schema schema = made.schema(0);
            byte[] record = bytes(schema, made.value(schema, ""));
            FieldTree tree = new FieldTree();
            List<String> wanted = new ArrayList<>();
            for (String path : made.leaves.keySet()) {
                if (made.random.nextInt(3) == 0) {
                    wanted.add(path);
                    tree.add(FieldPath.parse(path));
                }
            }
            FieldValues values = new FieldValues(tree);
            AvroFieldReader reader = new AvroFieldReader(schema, tree);
            assertThat(reader.read(record, 0, NONE, values)).isNull();
            for (int field = 0; field < wanted.size(); field++) {
                check(values, field, made.leaves.get(wanted.get(field)));
            }
            for (int length = 0; length < record.length; length++) {
                assertThat(reader.read(Arrays.copyOf(record, length), 0, NONE, values))
                        .isNotNull();
            }
            for (int damage = 0; damage < 40 && record.length > 0; damage++) {
                byte[] bad = record.clone();
                bad[made.random.nextInt(bad.length)] = (byte) made.random.nextInt();
                reader.read(bad, 0, NONE, values);
            }
        }
    }

    private static void check(FieldValues values, int field, @Nullable Object written) {
        if (written == null) {
            assertThat(values.kind(field)).isEqualTo(Kind.NULL);
        } else if (written instanceof Integer || written instanceof Long) {
            assertThat(values.integer(field)).isEqualTo(((Number) written).longValue());
        } else if (written instanceof Number number) {
            assertThat(values.number(field)).isEqualTo(number.doubleValue());
        } else if (written instanceof String || written instanceof Boolean) {
            assertThat(values.text(field)).isEqualTo(written.toString());
        } else {
            assertThat(values.kind(field)).isEqualTo(Kind.OTHER);
        }
    }
}
