package io.cutwater.kafka.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.graph.EdgeBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class EdgeKeysTest {
    private static final String RECORD_KEY = ":key";

    private final EdgeBatch batch = new EdgeBatch();

    private static RecordFormat format(String format, String key, String... more) {
        String row = format.equals("debezium-json") && !key.equals("id") ? "after." : "";
        Map<String, String> options = new HashMap<>(
                Map.of("event-format", format, "source", row + "payer", "target", row + "payee", "edge-key", key));
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return RecordFormatOptions.parse(options);
    }

    private List<String> decode(RecordFormat format, @Nullable String key, @Nullable String value) {
        batch.clear();
        new EdgeRecordDecoder(format, null).decode(new ConsumerRecord<>("p", 0, 17, bytes(key), bytes(value)), batch);
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            rows.add((batch.isRemoval(i) ? "-" : "+%d-%d ".formatted(batch.source(i), batch.target(i))) + batch.key(i));
        }
        batch.rejected().forEach(rejected -> rows.add(rejected.reason()));
        assertThat(batch.hasKeys()).isEqualTo(!batch.isEmpty());
        return rows;
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static long hash(String text) throws Exception {
        return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)))
                .getLong();
    }

    private static String event(String op, String before, String after) {
        return "{\"before\":%s,\"after\":%s,\"op\":\"%s\"}".formatted(before, after, op);
    }

    @Test
    void aTopicOfUpsertsIsReadByTheRecordsKey() throws Exception {
        RecordFormat format = format("json", RECORD_KEY);
        assertThat(decode(format, "p1", "{\"payer\":1,\"payee\":2}")).containsExactly("+1-2 " + hash("p1"));
        assertThat(decode(format, "p1", null)).containsExactly("-" + hash("p1"));
        assertThat(decode(format, null, "{\"payer\":1,\"payee\":2}"))
                .singleElement()
                .asString()
                .startsWith("the record has no key");
        assertThat(decode(format, "p1", "{\"payer\":1}")).containsExactly("field payee is missing");
    }

    @Test
    void aFieldWithAnIntegerOrTextNamesTheEdge() throws Exception {
        RecordFormat format = format("json", "id");
        assertThat(decode(format, null, "{\"payer\":1,\"payee\":2,\"id\":-9}")).containsExactly("+1-2 -9");
        assertThat(decode(format, null, "{\"payer\":1,\"payee\":2,\"id\":\"12\"}"))
                .containsExactly("+1-2 12");
        assertThat(decode(format, null, "{\"payer\":1,\"payee\":2,\"id\":\"012\"}"))
                .as("another text than 12")
                .containsExactly("+1-2 " + hash("012"));
        assertThat(decode(format, null, "{\"payer\":1,\"payee\":2,\"id\":\"ä-1\"}"))
                .containsExactly("+1-2 " + hash("ä-1"));
        assertThat(decode(format, null, "{\"payer\":1,\"payee\":2}")).containsExactly("field id is missing");
        assertThat(decode(format, null, "{\"payer\":1,\"payee\":2,\"id\":0.5}"))
                .singleElement()
                .asString()
                .startsWith("field id is not a 64-bit integer");
        assertThat(decode(format, "{\"id\":5}", null)).containsExactly("-5");
        assertThat(decode(format, "5", null))
                .singleElement()
                .asString()
                .contains("not in its value (--edge-key id) and not in its key");
    }

    @Test
    void changesOfATableNeedNoOldRow() throws Exception {
        RecordFormat format = format("debezium-json", "after.id");
        String row = "{\"id\":3,\"payer\":1,\"payee\":2}";
        assertThat(decode(format, null, event("c", "null", row))).containsExactly("+1-2 3");
        assertThat(decode(format, null, event("r", "null", row))).containsExactly("+1-2 3");
        assertThat(decode(format, null, event("u", "null", row))).containsExactly("+1-2 3");
        String old = "{\"id\":%d,\"payer\":1,\"payee\":5}";
        assertThat(decode(format, null, event("u", old.formatted(3), row))).containsExactly("+1-2 3");
        assertThat(decode(format, null, event("u", old.formatted(8), row))).containsExactly("-8", "+1-2 3");
        assertThat(decode(format, null, event("d", "{\"id\":3,\"payer\":null}", "null")))
                .containsExactly("-3");
        assertThat(decode(format, "{\"schema\":{},\"payload\":{\"id\":4}}", event("d", "null", "null")))
                .containsExactly("-4");
        assertThat(decode(format, "{\"id\":3}", null)).isEmpty();
        assertThat(decode(format, "{\"n\":3}", event("d", "null", "null")))
                .singleElement()
                .asString()
                .endsWith("not in its key: field id is missing");
        RecordFormat byRecord = format("debezium-json", RECORD_KEY);
        assertThat(decode(byRecord, "k", event("d", "null", "null"))).containsExactly("-" + hash("k"));
        assertThat(decode(byRecord, "k", null)).containsExactly("-" + hash("k"));
    }

    @Test
    void rowsWithoutAnEnvelopeNeedNoOperation() throws Exception {
        RecordFormat format = format("debezium-json", "id", "tombstones", "remove");
        assertThat(decode(format, null, "{\"id\":3,\"payer\":1,\"payee\":2}")).containsExactly("+1-2 3");
        assertThat(decode(format, null, "{\"id\":3,\"payer\":1,\"payee\":2,\"__op\":\"u\"}"))
                .containsExactly("+1-2 3");
        assertThat(decode(format, null, "{\"id\":3,\"__deleted\":\"true\"}")).containsExactly("-3");
        assertThat(decode(format, "{\"id\":3}", null)).containsExactly("-3");
    }

    @ParameterizedTest
    @EnumSource(names = {"JSON", "BATCH"})
    void recordsInAFormatOfOurOwnHaveTheKeyInTheirs(EdgeEventFormat own) {
        EdgeBatch written = new EdgeBatch();
        written.add(1, 2, 0.5, 7, 9);
        written.add(3, 4, Double.NaN, EdgeBatch.NO_TIMESTAMP, -5);
        written.setRemoval(1);
        List<byte[]> values = own.holdsManyEdges()
                ? List.of(own.encoder().encode(written, 0, 2))
                : List.of(own.encoder().encode(written, 0, 1), own.encoder().encode(written, 1, 2));
        RecordFormat unnamed = RecordFormatOptions.parse(Map.of("event-format", own.toString(), "edge-key", "key"));
        assertThat(unnamed.hasKeys()).isTrue();
        for (RecordFormat format : List.of(unnamed, format("json", "id"))) {
            batch.clear();
            for (byte[] value : values) {
                ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("p", 0, 17, null, value);
                record.headers().add(EdgeEventFormat.HEADER, own.header());
                new EdgeRecordDecoder(format, null).decode(record, batch);
            }
            assertThat(batch.rejected()).isEmpty();
            assertThat(batch.size()).isEqualTo(2);
            assertThat(batch.key(0)).isEqualTo(9);
            assertThat(batch.weight(0)).isEqualTo(0.5);
            assertThat(batch.timestamp(0)).isEqualTo(7);
            assertThat(batch.isRemoval(1)).isTrue();
            assertThat(batch.key(1)).isEqualTo(-5);
        }
        written.clear();
        written.add(1, 2);
        ConsumerRecord<byte[], byte[]> record =
                new ConsumerRecord<>("p", 0, 17, null, own.encoder().encode(written, 0, 1));
        batch.clear();
        new EdgeRecordDecoder(unnamed, null).decode(record, batch);
        assertThat(batch.isEmpty()).isTrue();
        assertThat(batch.rejected())
                .singleElement()
                .satisfies(rejected -> assertThat(rejected.reason()).contains("key", "--edge-key"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"op\":\"remove\",\"key\":7} | -7",
                "{\"op\":\"remove\",\"src\":1,\"dst\":2} | key is missing; the job has --edge-key, so an edge needs a 64-bit key, as a removal does",
                "{\"key\":7,\"src\":1} | dst is missing; an edge needs src and dst",
                "{\"key\":\"a\",\"src\":1,\"dst\":2} | key is not an integer: 'a'",
                "{\"key\":null,\"src\":1,\"dst\":2} | key is not an integer: 'null'",
                "{\"key\":-9223372036854775808,\"src\":1,\"dst\":2} | key -9223372036854775808 stands for none; use another one",
                "{\"key\":9223372036854775808,\"src\":1,\"dst\":2} | key does not fit in 64 bits: '9223372036854775808'",
            })
    void aJsonRecordOfOurOwnNeedsAKeyOf64Bits(String value, String row) {
        RecordFormat format = RecordFormatOptions.parse(Map.of("event-format", "json", "edge-key", "key"));
        assertThat(decode(format, null, value)).containsExactly(row);
    }

    @Test
    void aVertexIsRemovedBesideEdgesWithKeys() {
        byte[] value = bytes("{\"op\":\"remove\",\"vertex\":7}");
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("p", 0, 17, null, value);
        record.headers().add(EdgeEventFormat.HEADER, EdgeEventFormat.JSON.header());
        new EdgeRecordDecoder(format("json", RECORD_KEY), null, true).decode(record, batch);
        assertThat(batch.rejected()).isEmpty();
        assertThat(batch.isVertexRemoval(0)).isTrue();
        assertThat(batch.source(0)).isEqualTo(7);
    }

    @Test
    void aRecordInAFormatOfOurOwnHasNoKey() {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("p", 0, 17, bytes("k"), bytes("1 2"));
        record.headers().add(EdgeEventFormat.HEADER, EdgeEventFormat.CSV.header());
        new EdgeRecordDecoder(format("json", RECORD_KEY), null).decode(record, batch);
        assertThat(batch.isEmpty()).isTrue();
        assertThat(batch.rejected())
                .singleElement()
                .satisfies(rejected -> assertThat(rejected.reason()).contains("format csv", "--edge-key"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "debezium-json | before.id | reject | --edge-key must be in the row of --source and --target",
                "debezium-json | :key | ignore | --tombstones is not for --edge-key :key",
                "json | a..b | reject | --edge-key: a field is 1 to 32 names",
                "csv | id | reject | --source and --target are for --event-format json",
                "own csv | key | reject | --edge-key is for records that hold a key, and --event-format csv does not",
                "own batch | id | reject | --edge-key of --event-format batch is key, where its records have the key: 'id'"
            })
    void otherOptionsAreRefused(String format, String key, String tombstones, String reason) {
        assertThatThrownBy(() -> {
                    if (format.startsWith("own ")) {
                        RecordFormatOptions.parse(Map.of("event-format", format.substring(4), "edge-key", key));
                    }
                    format(format, key, "tombstones", tombstones);
                })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(reason);
    }
}
