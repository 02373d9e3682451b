package io.cutwater.kafka.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.graph.EdgeBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The envelope is that of Debezium's connectors for a table of payments, as its Avro converter writes it. */
final class AvroEdgesTest {
    private static final String ROW = "{'type':'record','name':'Value','fields':[{'name':'id','type':'int'},"
            + "{'name':'payer','type':'long'},{'name':'payee','type':['null','string'],'default':null},"
            + "{'name':'amount','type':['null',{'type':'bytes','scale':2,'precision':10,"
            + "'connect.name':'org.apache.kafka.connect.data.Decimal','logicalType':'decimal'}],'default':null},"
            + "{'name':'__op','type':['null','string'],'default':null},{'name':'tags','type':{'type':'array','items':'string'}}]}";

    private static final Schema VALUE = new Schema.Parser().parse(ROW.replace('\'', '"'));

    private static final Schema ENVELOPE = new Schema.Parser()
            .parse(("{'type':'record','name':'Envelope','namespace':'db.public.payments','fields':["
                            + "{'name':'before','type':['null'," + ROW + "],'default':null},"
                            + "{'name':'after','type':['null','Value'],'default':null},"
                            + "{'name':'source','type':{'type':'record','name':'Source','namespace':'io.debezium.connector.postgresql',"
                            + "'fields':[{'name':'version','type':'string'},{'name':'ts_ms','type':'long'},"
                            + "{'name':'snapshot','type':[{'type':'string','connect.default':'false'},'null'],'default':'false'}]}},"
                            + "{'name':'transaction','type':['null',{'type':'record','name':'block','namespace':'event',"
                            + "'fields':[{'name':'id','type':'string'}]}],'default':null},"
                            + "{'name':'op','type':'string'},{'name':'ts_ms','type':['null','long'],'default':null}]}")
                    .replace('\'', '"'));

    private final EdgeBatch batch = new EdgeBatch();

    private static RecordFormat format(Object schema, String format, String prefix) {
        return RecordFormatOptions.parse(Map.of(
                "event-format", format,
                "avro-schema", schema.toString(),
                "source", prefix + "payer",
                "target", prefix + "payee",
                "weight", prefix + "amount"));
    }

    private static byte[] bytes(Object record, Schema schema) {
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

    private static GenericData.Record row(Schema schema, long payer, @Nullable String payee, @Nullable String op) {
        GenericData.Record row = new GenericData.Record(schema);
        row.put("id", 1);
        row.put("payer", payer);
        row.put("payee", payee);
        row.put("amount", java.nio.ByteBuffer.wrap(new byte[] {50}));
        row.put("__op", op);
        row.put("tags", List.of("a", "b"));
        return row;
    }

    private static byte[] change(String op, @Nullable String before, @Nullable String after) {
        GenericData.Record change = new GenericData.Record(ENVELOPE);
        Schema value = ENVELOPE.getField("before").schema().getTypes().get(1);
        change.put("before", before == null ? null : row(value, 1, before, null));
        change.put("after", after == null ? null : row(value, 1, after, null));
        GenericData.Record source =
                new GenericData.Record(ENVELOPE.getField("source").schema());
        source.put("version", "3.6.1.Final");
        source.put("ts_ms", 99L);
        source.put("snapshot", "false");
        change.put("source", source);
        change.put("op", op);
        return bytes(change, ENVELOPE);
    }

    private void decode(RecordFormat format, byte @Nullable [] value) {
        format.decoder(null).decode(new ConsumerRecord<>("payments", 0, 17, null, value), batch);
    }

    private List<String> edges() {
        List<String> edges = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            edges.add("%s%d-%d".formatted(batch.isRemoval(i) ? "-" : "+", batch.source(i), batch.target(i)));
        }
        return edges;
    }

    private String reason() {
        return batch.rejected().get(batch.rejected().size() - 1).reason();
    }

    @Test
    void changesOfATableAddAndRemoveItsEdges() {
        RecordFormat format = format(ENVELOPE, "debezium-avro", "after.");
        decode(format, change("c", null, "2"));
        decode(format, change("u", "2", "3"));
        decode(format, change("u", "3", "3"));
        decode(format, change("d", "3", null));
        decode(format, null);
        decode(format, change("m", null, null));
        assertThat(edges()).containsExactly("+1-2", "-1-2", "+1-3", "-1-3");
        assertThat(batch.weight(0)).isEqualTo(0.5);
        assertThat(batch.rejected()).isEmpty();
        decode(format, change("d", null, null));
        assertThat(reason()).contains("the delete has no old row");
        decode(format, change("c", null, null));
        assertThat(reason()).contains("after.payer is missing");
    }

    @Test
    void rowsAreDecodedPlainAndWithTheirOperation() {
        RecordFormat plain = format(VALUE, "avro", "");
        decode(plain, bytes(row(VALUE, 4, "5", null), VALUE));
        RecordFormat changed = format(VALUE, "debezium-avro", "");
        decode(changed, bytes(row(VALUE, 6, "7", "c"), VALUE));
        decode(changed, bytes(row(VALUE, 6, "7", "d"), VALUE));
        assertThat(edges()).containsExactly("+4-5", "+6-7", "-6-7");
        assertThat(batch.rejected()).isEmpty();
    }

    @Test
    void whatCannotBeReadIsADeadLetterWithItsReason() {
        RecordFormat plain = format(VALUE, "avro", "");
        byte[] good = bytes(row(VALUE, 4, "5", null), VALUE);
        decode(plain, Arrays.copyOf(good, good.length - 3));
        assertThat(reason()).startsWith("the value cannot be read: it is truncated or of another schema");
        decode(plain, change("c", null, "2"));
        decode(plain, new byte[0]);
        assertThat(batch.rejected()).hasSize(3);
        decode(plain, bytes(row(VALUE, 4, null, null), VALUE));
        assertThat(reason()).isEqualTo("field payee is null");
        decode(plain, bytes(row(VALUE, 4, "9223372036854775808", null), VALUE));
        assertThat(reason()).contains("payee is not a 64-bit integer: '9223372036854775808'");
        decode(plain, null);
        assertThat(reason()).isEqualTo("the record has no value");
        assertThat(edges()).isEmpty();
        assertThat(batch.rejected().get(0).offset()).isEqualTo(17);
        assertThat(batch.rejected().get(0).value()).isEqualTo(Arrays.copyOf(good, good.length - 3));
    }

    @Test
    void theSchemaOfAFileGoesWithTheOptions(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("payments.avsc"), VALUE.toString(true));
        assertThat(format(file, "avro", "")).isEqualTo(format(VALUE, "avro", ""));
        assertThat(RecordFormatOptions.embedded(Map.of("avro-schema", file.toString())))
                .containsExactly(Map.entry("avro-schema", VALUE.toString()));
        assertThatThrownBy(() -> format(folder.resolve("none.avsc"), "avro", ""))
                .hasMessageContainingAll("--avro-schema: ", "none.avsc cannot be read");
        Files.writeString(file, "{\"type\":\"recrod\"}");
        assertThatThrownBy(() -> format(file, "avro", ""))
                .hasMessageContainingAll("--avro-schema: ", "payments.avsc is no Avro schema");
        Files.writeString(file, "\"long\"");
        assertThatThrownBy(() -> format(file, "avro", "")).hasMessageContaining("is the schema of a long");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "avro | payr | payee | - | --source: the schema has no field payr; the fields are id (int), payer (long), payee (string), amount (decimal)",
                "avro | payer | amount | - | --target: field amount of the schema is not a 64-bit integer; the fields are id",
                "avro | payer | payee | tags | --weight: field tags of the schema is not a number",
                "avro | payer | payer.id | - | --target: the schema has no field payer.id",
                "debezium-avro | after.payer | after.payee | - | --source: the schema has no field after.payer",
                "json | payer | payee | - | --avro-schema is for --event-format avro or debezium-avro, not json",
                "csv | - | - | - | --avro-schema is for"
            })
    void pathsAreCheckedAgainstTheSchema(
            String format, @Nullable String source, @Nullable String target, @Nullable String weight, String message) {
        Map<String, String> options = new HashMap<>(Map.of("event-format", format, "avro-schema", VALUE.toString()));
        options.put("source", source == null ? "" : source);
        options.put("target", target == null ? "" : target);
        options.put("weight", weight == null ? "" : weight);
        assertThatThrownBy(() -> RecordFormatOptions.parse(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void changesNeedTheirOperationAndRemovalsByKeyNeedKeys() {
        Map<String, String> options = Map.of(
                "event-format",
                "debezium-avro",
                "source",
                "after.payer",
                "target",
                "after.payee",
                "avro-schema",
                "{\"type\":\"record\",\"name\":\"E\",\"fields\":[{\"name\":\"after\",\"type\":%s}]}".formatted(VALUE));
        assertThatThrownBy(() -> RecordFormatOptions.parse(options)).hasMessageContaining("has no field op");
        Map<String, String> rows = Map.of(
                "event-format",
                "debezium-avro",
                "source",
                "payer",
                "target",
                "payee",
                "avro-schema",
                VALUE.toString(),
                "tombstones",
                "remove");
        assertThatThrownBy(() -> RecordFormatOptions.parse(rows)).hasMessageContaining("--tombstones remove takes");
    }
}
