package io.cutwater.kafka.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.event.mapped.TruncatedTableException;
import io.cutwater.state.graph.EdgeBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events are those of the tutorials of Debezium's connectors, with the columns of a table of payments. */
final class ChangeEventsTest {
    private final EdgeBatch batch = new EdgeBatch();

    private static RecordFormat format(String source, String target, String weight, String timestamp) {
        return RecordFormatOptions.parse(Map.of(
                "event-format", "debezium-json",
                "source", source,
                "target", target,
                "weight", weight,
                "timestamp", timestamp));
    }

    private static RecordFormat format(
            String format, String source, String target, String truncate, String tombstones) {
        return RecordFormatOptions.parse(Map.of(
                "event-format", format,
                "source", source,
                "target", target,
                "on-truncate", truncate,
                "tombstones", tombstones));
    }

    private static RecordFormat envelope() {
        return format("after.payer", "after.payee", "after.amount", "source.ts_ms");
    }

    private void decode(RecordFormat format, @Nullable String key, @Nullable String value) {
        format.decoder(null).decode(new ConsumerRecord<>("payments", 0, 17, bytes(key), bytes(value)), batch);
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static String event(String op, String before, String after) {
        return "{\"before\":%s,\"after\":%s,\"source\":{\"ts_ms\":99,\"table\":\"payments\"},\"op\":\"%s\",\"ts_ms\":5}"
                .formatted(before, after, op);
    }

    private static String row(long payer, long payee, double amount) {
        return "{\"id\":1,\"payer\":%d,\"payee\":%d,\"amount\":%s}".formatted(payer, payee, amount);
    }

    private List<String> edges() {
        List<String> edges = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            edges.add("%s%d-%d".formatted(batch.isRemoval(i) ? "-" : "+", batch.source(i), batch.target(i)));
        }
        return edges;
    }

    private @Nullable String reason() {
        return batch.rejected().isEmpty() ? null : batch.rejected().get(0).reason();
    }

    @Test
    void insertsAndSnapshotsAddWithWeightAndTimestamp() {
        decode(envelope(), null, event("c", "null", row(1, 2, 0.5)));
        decode(envelope(), null, event("r", "null", row(3, 4, 2)));
        assertThat(edges()).containsExactly("+1-2", "+3-4");
        assertThat(batch.weight(0)).isEqualTo(0.5);
        assertThat(batch.timestamp(1)).isEqualTo(99);
    }

    @Test
    void aDeleteRemovesTheOldRowAndItsTombstoneNothing() {
        decode(envelope(), null, event("d", row(1, 2, 0.5), "null"));
        decode(envelope(), "{\"id\":1}", null);
        assertThat(edges()).containsExactly("-1-2");
        assertThat(reason()).isNull();
    }

    @Test
    void anUpdateOfAMappedColumnMovesTheEdgeAndAnotherOneDoesNothing() {
        decode(envelope(), null, event("u", row(1, 2, 0.5), row(1, 3, 0.5)));
        assertThat(edges()).containsExactly("-1-2", "+1-3");
        batch.clear();
        decode(envelope(), null, event("u", row(1, 2, 0.5), row(1, 2, 0.5)));
        assertThat(edges()).isEmpty();
        decode(envelope(), null, event("u", row(1, 2, 0.5), row(1, 2, 0.75)));
        assertThat(edges()).containsExactly("-1-2", "+1-2");
        batch.clear();
        decode(format("after.payer", "after.payee", "", ""), null, event("u", row(1, 2, 0.5), row(1, 2, 0.75)));
        assertThat(edges()).isEmpty();
        assertThat(reason()).isNull();
    }

    /** Kafka Connect's converter writes these for a record without a value whose schema is known. */
    @ParameterizedTest
    @ValueSource(strings = {"null", "{\"schema\":{\"type\":\"struct\"},\"payload\":null}"})
    void aValueThatIsJsonsNullIsNone(String value) {
        decode(envelope(), "{\"id\":1}", value);
        decode(format("debezium-json", "payer", "payee", "fail", "ignore"), "{\"id\":1}", value);
        assertThat(batch.hasAny()).isFalse();
        decode(format("debezium-json", "payer", "payee", "fail", "remove"), "{\"payer\":1,\"payee\":2}", value);
        assertThat(edges()).containsExactly("-1-2");
        decode(format("json", "payer", "payee", "fail", "reject"), null, "null");
        assertThat(reason()).isEqualTo("the record has no value");
    }

    @Test
    void anEdgeOfVertex0IsRemovedIfTheOldRowIsKnownToBeWhole() {
        decode(envelope(), null, event("d", row(0, 0, 0), "null"));
        decode(envelope(), "{\"id\":1}", event("d", row(0, 7, 0), "null"));
        decode(envelope(), "{\"payer\":0,\"payee\":0}", event("d", row(0, 0, 0), "null"));
        decode(envelope(), "{\"payer\":0}", event("d", row(0, 7, 0), "null"));
        assertThat(edges()).containsExactly("-0-0", "-0-7", "-0-0", "-0-7");
        assertThat(reason()).isNull();
    }

    @Test
    void anOldRowWhoseEndsMayBeFilledInIsRejected() {
        decode(envelope(), "{\"id\":1}", event("d", row(0, 0, 0), "null"));
        decode(envelope(), "{\"payer\":7}", event("d", row(7, 0, 0), "null"));
        decode(envelope(), "{\"id\":1}", event("u", row(0, 0, 0), row(1, 2, 0)));
        decode(envelope(), "not JSON", event("d", row(0, 0, 0), "null"));
        assertThat(edges()).isEmpty();
        assertThat(batch.rejected())
                .hasSize(4)
                .allMatch(record -> record.reason().contains("REPLICA IDENTITY FULL"));
    }

    @Test
    void withoutAnOldRowTheKeyNamesTheEdge() {
        String key = "{\"schema\":{},\"payload\":{\"payer\":1,\"payee\":2}}";
        decode(envelope(), key, event("d", "null", "null"));
        decode(envelope(), key, event("u", "null", row(1, 2, 0.75)));
        assertThat(edges()).containsExactly("-1-2", "-1-2", "+1-2");
        batch.clear();
        decode(format("after.payer", "after.payee", "", "source.ts_ms"), key, event("u", "null", row(1, 2, 0.75)));
        assertThat(edges()).isEmpty();
        assertThat(reason()).isNull();
        decode(envelope(), "{\"id\":1}", event("u", "null", row(1, 2, 0.75)));
        assertThat(edges()).isEmpty();
        assertThat(reason()).contains("update has no old row", "REPLICA IDENTITY FULL");
        batch.clear();
        decode(envelope(), "{\"id\":1}", event("d", "{\"id\":1,\"payer\":null,\"payee\":null}", "null"));
        assertThat(reason()).contains("delete has no old row");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"ts_ms\":1700000000000}",
                "{\"schema\":{},\"payload\":{\"ts_ms\":1700000000000}}",
                "{\"source\":{},\"ts_ms\":1,\"databaseName\":\"d\",\"ddl\":\"ALTER TABLE\",\"tableChanges\":[]}",
                "{\"status\":\"END\",\"id\":\"1:2\",\"event_count\":2,\"ts_ms\":3}",
                "{\"op\":\"m\",\"ts_ms\":1,\"message\":{\"prefix\":\"x\"}}"
            })
    void heartbeatsAndChangesOfTheSchemaHoldNoEdges(String value) {
        decode(envelope(), null, value);
        assertThat(edges()).isEmpty();
        assertThat(reason()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"payer\":1,\"payee\":2} | it has no op",
                "{} | it has no op",
                "{\"op\":\"x\",\"after\":{}} | op must be",
                "{\"op\":\"c\",\"after\":null} | after.payer is missing",
                "{\"op\":\"c\",\"after\":{\"payer\":1,\"payee\":null}} | after.payee is null",
                "{\"op\":\"c\",\"after\":{\"payer\":1,\"payee\":\"x\"}} | after.payee is not a 64-bit integer: 'x'",
                "{\"op\":\"c\",\"after\":{\"payer\":1,\"payee\":2,\"amount\":\"F3A=\"}} | amount is not a finite number",
                "{\"op\":\"c\",\"after\":{\"payer\":1 | not valid JSON"
            })
    void whateverIsNoChangeOfAnEdgeIsADeadLetterWithItsReason(String value, String reason) {
        decode(envelope(), null, value);
        assertThat(edges()).isEmpty();
        assertThat(reason()).contains(reason);
        assertThat(batch.rejected().get(0).offset()).isEqualTo(17);
    }

    @Test
    void aTruncatedTableStopsTheJobUnlessItIsToldToIgnoreIt() {
        String truncate = "{\"op\":\"t\",\"source\":{\"table\":\"payments\"},\"ts_ms\":1}";
        assertThatThrownBy(() -> decode(envelope(), null, truncate))
                .isInstanceOf(TruncatedTableException.class)
                .hasMessageContaining("topic payments, partition 0, offset 17")
                .hasMessageContaining("--on-truncate ignore");
        decode(format("debezium-json", "after.payer", "after.payee", "ignore", "reject"), null, truncate);
        assertThat(reason()).isNull();
    }

    @Test
    void rowsWithoutAnEnvelopeAreDecodedWhereTheyTellTheirOperation() {
        RecordFormat rows = format("payer", "payee", "amount", "");
        decode(rows, null, "{\"payer\":1,\"payee\":2,\"amount\":3,\"__op\":\"c\",\"__deleted\":\"false\"}");
        decode(rows, null, "{\"payer\":1,\"payee\":2,\"amount\":3,\"__deleted\":\"true\"}");
        assertThat(edges()).containsExactly("+1-2", "-1-2");
        decode(rows, null, "{\"payer\":1,\"payee\":2,\"__op\":\"u\"}");
        assertThat(reason()).contains("does not tell the old row", "map the fields of after");
        batch.clear();
        String ends = "{\"payer\":1,\"payee\":2}";
        decode(rows, ends, "{\"payer\":1,\"payee\":2,\"amount\":4,\"__op\":\"u\"}");
        decode(format("payer", "payee", "", ""), ends, "{\"payer\":1,\"payee\":2,\"__op\":\"u\"}");
        assertThat(edges()).containsExactly("-1-2", "+1-2");
        batch.clear();
        batch.clear();
        decode(rows, null, "{\"payer\":1,\"payee\":2}");
        assertThat(reason()).contains("add.fields=op");
        batch.clear();
        decode(rows, "{\"payer\":1,\"payee\":2}", null);
        assertThat(reason()).contains("--tombstones");
        batch.clear();
        decode(format("debezium-json", "payer", "payee", "fail", "remove"), "{\"payer\":1,\"payee\":2}", null);
        decode(format("debezium-json", "payer", "payee", "fail", "ignore"), "{\"payer\":1,\"payee\":2}", null);
        assertThat(edges()).containsExactly("-1-2");
    }

    @Test
    void aJobThatKeepsNoEdgesRejectsRemovalsAndHalfOfNoUpdate() {
        EdgeEventDecoder decoder = envelope().decoder("no removals");
        decoder.decode(new ConsumerRecord<>("t", 0, 0, null, bytes(event("u", row(1, 2, 1), row(1, 3, 1)))), batch);
        decoder.decode(new ConsumerRecord<>("t", 0, 1, null, bytes(event("c", "null", row(5, 6, 1)))), batch);
        assertThat(edges()).containsExactly("+5-6");
        assertThat(reason()).isEqualTo("no removals");
    }

    @Test
    void jsonWithFieldsOfItsOwnAddsEdges() {
        RecordFormat format = RecordFormatOptions.parse(
                Map.of("event-format", "json", "source", "from.id", "target", "to.id", "timestamp", "at"));
        decode(format, null, "{\"from\":{\"id\":4},\"to\":{\"id\":\"5\"},\"at\":6}");
        decode(format, null, null);
        assertThat(edges()).containsExactly("+4-5");
        assertThat(batch.timestamp(0)).isEqualTo(6);
        assertThat(reason()).isEqualTo("the record has no value");
    }

    /** Whatever the changes of a table, adding and removing what they say leaves its rows. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theEdgesThatAreLeftAreTheRowsOfTheTable(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Integer, String> table = new HashMap<>();
        EdgeEventDecoder decoder = envelope().decoder(null);
        for (int i = 0; i < 2_000; i++) {
            int id = random.nextInt(60);
            String old = table.get(id);
            String now = random.nextInt(3) == 0 ? null : row(random.nextInt(9), random.nextInt(9), random.nextInt(2));
            if (old == null && now == null) {
                continue;
            }
            String event = event(
                    old == null ? "c" : now == null ? "d" : "u",
                    Objects.requireNonNullElse(old, "null"),
                    Objects.requireNonNullElse(now, "null"));
            decoder.decode(new ConsumerRecord<>("payments", 0, i, null, bytes(event)), batch);
            if (now == null) {
                table.remove(id);
            } else {
                table.put(id, now);
            }
        }
        Map<String, Integer> left = new HashMap<>();
        edges().forEach(edge -> left.merge(edge.substring(1), edge.charAt(0) == '+' ? 1 : -1, Integer::sum));
        left.values().removeIf(copies -> copies == 0);
        EdgeBatch rows = new EdgeBatch();
        for (String row : table.values()) {
            decoder.decode(new ConsumerRecord<>("payments", 0, 0, null, bytes(event("r", "null", row))), rows);
        }
        Map<String, Integer> expected = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            expected.merge(rows.source(i) + "-" + rows.target(i), 1, Integer::sum);
        }
        assertThat(left).isEqualTo(expected);
        assertThat(batch.rejected()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "debezium-json | - | - | fail | reject | needs --source and --target",
                "csv | a | b | fail | reject | --source and --target are for --event-format json, avro, protobuf, debezium-json or debezium-avro, not csv",
                "json | a | - | fail | reject | --target is missing",
                "json | a..b | c | fail | reject | --source: a field is",
                "json | a | b | ignore | reject | --on-truncate is for --event-format debezium-json or debezium-avro",
                "csv | - | - | fail | remove | --tombstones is for --event-format debezium-json or debezium-avro",
                "csv | - | - | stop | reject | --on-truncate must be fail, ignore or remove: 'stop'",
                "debezium-json | a | b | fail | drop | --tombstones must be reject, ignore or remove: 'drop'",
                "debezium-json | after.a | b | fail | reject | must be in one row",
                "debezium-json | before.a | before.b | fail | reject | name fields of after",
                "avro | - | - | fail | reject | --event-format avro needs --source and --target",
                "avro | a | b | fail | reject | --event-format avro needs --schema-registry",
                "avro2 | - | - | fail | reject | must be csv, json, binary, batch, avro, protobuf, debezium-json or debezium-avro: 'avro2'"
            })
    void wordsThatDoNotFitAreRefusedWithTheOption(
            String format, String source, String target, String truncate, String tombstones, String message) {
        assertThatThrownBy(() -> format(
                        format,
                        Objects.requireNonNullElse(source, ""),
                        Objects.requireNonNullElse(target, ""),
                        truncate,
                        tombstones))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
