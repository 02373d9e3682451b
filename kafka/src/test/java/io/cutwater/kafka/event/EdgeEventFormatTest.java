package io.cutwater.kafka.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EdgeEventFormatTest {
    private static final String NONE = " NaN " + EdgeBatch.NO_TIMESTAMP;

    private final EdgeBatch batch = new EdgeBatch();

    @Test
    void isFoundByItsName() {
        assertThat(EdgeEventFormat.of("json")).isSameAs(EdgeEventFormat.JSON);
        assertThat(EdgeEventFormat.of("Batch")).isSameAs(EdgeEventFormat.BATCH);
        assertThatThrownBy(() -> EdgeEventFormat.of("avro"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("edge event format must be one of csv, json, binary, batch: avro");
    }

    @ParameterizedTest
    @EnumSource(EdgeEventFormat.class)
    void decodesWhatItEncodes(EdgeEventFormat format) {
        boolean carriesAll = format != EdgeEventFormat.BINARY;
        EdgeBatch edges = RandomEdges.batch(11, 500, carriesAll, carriesAll);
        if (format.holdsRemovals()) {
            RandomEdges.withRemovals(12, edges);
        }
        EdgeEventEncoder encoder = format.encoder();
        EdgeEventDecoder decoder = format.decoder();
        int step = format.holdsManyEdges() ? 100 : 1;
        for (int i = 0; i < edges.size(); i += step) {
            decoder.decode(new ConsumerRecord<>("edges", 0, i, null, encoder.encode(edges, i, i + step)), batch);
        }
        assertThat(batch.rejected()).isEmpty();
        assertThat(RandomEdges.edges(batch)).isEqualTo(RandomEdges.edges(edges));
    }

    @ParameterizedTest
    @EnumSource(EdgeEventFormat.class)
    void rejectsARecordWithoutValue(EdgeEventFormat format) {
        byte[] key = {1, 2};
        format.decoder().decode(new ConsumerRecord<>("edges", 3, 42, key, null), batch);
        assertThat(batch.isEmpty()).isTrue();
        RejectedRecord rejected = batch.rejected().get(0);
        assertThat(rejected.reason()).isEqualTo("the record has no value");
        assertThat(rejected.origin()).isEqualTo("edges");
        assertThat(rejected.topicPartition()).isEqualTo(3);
        assertThat(rejected.offset()).isEqualTo(42);
        assertThat(rejected.key()).isSameAs(key);
        assertThat(rejected.value()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(EdgeEventFormat.class)
    void neverThrowsAndNeitherLosesNorSplitsARecord(EdgeEventFormat format) {
        SplittableRandom random = new SplittableRandom(5);
        EdgeBatch edges = RandomEdges.batch(6, 3, false, false);
        EdgeEventDecoder decoder = format.decoder();
        byte[] whole = format.encoder().encode(edges, 0, format.holdsManyEdges() ? 3 : 1);
        for (int i = 0; i < 20_000; i++) {
            byte[] value = whole.clone();
            for (int change = random.nextInt(4); change > 0; change--) {
                value[random.nextInt(value.length)] = (byte) random.nextInt();
            }
            batch.clear();
            decoder.decode(new ConsumerRecord<>("edges", 0, i, null, value), batch);
            if (batch.rejected().isEmpty()) {
                assertThat(batch.size()).isBetween(format.holdsManyEdges() ? 0 : 1, 3);
            } else {
                assertThat(batch.isEmpty()).isTrue();
                assertThat(batch.rejected().get(0).reason()).isNotBlank().doesNotContain("\n");
                assertThat(batch.rejected().get(0).value()).isSameAs(value);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(EdgeEventFormat.class)
    void rejectsEveryTruncationThatIsNoEdge(EdgeEventFormat format) {
        EdgeBatch edge = new EdgeBatch();
        edge.add(-7, 1L << 40);
        byte[] whole = format.encoder().encode(edge, 0, 1);
        // A truncated text may still be an edge: "-7,10" of "-7,1099511627776".
        int shortestEdge = format == EdgeEventFormat.CSV ? "-7,1".length() : whole.length;
        for (int length = 0; length < shortestEdge; length++) {
            batch.clear();
            format.decoder().decode(new ConsumerRecord<>("edges", 0, 0, null, Arrays.copyOf(whole, length)), batch);
            assertThat(batch.isEmpty()).isTrue();
            assertThat(batch.rejected()).hasSize(1);
        }
    }

    @Test
    void readsTheBytesOfABinaryEdge() {
        decode(EdgeEventFormat.BINARY, HexFormat.of().parseHex("0000000000000102" + "fffffffffffffffe"));
        assertThat(RandomEdges.edges(batch)).containsExactly("258 -2" + NONE);
    }

    @Test
    void refusesToDropAWeightFromABinaryEdge() {
        EdgeBatch edge = new EdgeBatch();
        edge.add(1, 2, 0.5, EdgeBatch.NO_TIMESTAMP);
        assertThatThrownBy(() -> EdgeEventFormat.BINARY.encoder().encode(edge, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("format binary carries no weight and no timestamp, but edge (1, 2) has one; "
                        + "use the formats batch, csv or json");
    }

    @ParameterizedTest
    @EnumSource(
            value = EdgeEventFormat.class,
            names = {"CSV", "BINARY"})
    void refusesToWriteARemovalWhereItWouldBeReadAsAnEdge(EdgeEventFormat format) {
        EdgeBatch edge = new EdgeBatch();
        edge.add(1, 2);
        edge.setRemoval(0);
        assertThatThrownBy(() -> format.encoder().encode(edge, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("format %s only adds edges, but (1, 2) is to be removed; use the formats batch or json"
                        .formatted(format));
    }

    @Test
    void readsARemovalInJson() {
        json("{\"op\":\"remove\",\"src\":1,\"dst\":2}");
        json("{\"op\":\"remove\",\"src\":1,\"dst\":2,\"op\":\"add\"}");
        assertThat(batch.rejected()).isEmpty();
        assertThat(RandomEdges.edges(batch)).containsExactly("remove 1 2" + NONE, "1 2" + NONE);
    }

    @ParameterizedTest
    @EnumSource(
            value = EdgeEventFormat.class,
            names = {"JSON", "BATCH"})
    void rejectsAWholeRecordWithARemovalWhereNoneAreTaken(EdgeEventFormat format) {
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, 2);
        edges.add(3, 4);
        edges.setRemoval(1);
        EdgeEventDecoder decoder = format.decoder("not here", null, false);
        byte[] adds = format.encoder().encode(edges, 0, 1);
        byte[] removes = format.encoder().encode(edges, format.holdsManyEdges() ? 0 : 1, 2);
        decoder.decode(new ConsumerRecord<>("edges", 0, 0, null, adds), batch);
        decoder.decode(new ConsumerRecord<>("edges", 0, 1, null, removes), batch);
        assertThat(RandomEdges.edges(batch)).containsExactly("1 2" + NONE);
        assertThat(batch.rejected()).hasSize(1).allSatisfy(record -> {
            assertThat(record.reason()).isEqualTo("not here");
            assertThat(record.offset()).isEqualTo(1);
            assertThat(record.value()).isSameAs(removes);
        });
    }

    @Test
    void readsJsonInAnyOrderWithUnknownFields() {
        json(
                "{\"dst\":-2,\"op\":\"add\",\"src\":9223372036854775807,\"x\":{\"src\":[1]},\"weight\":2,\"timestamp\":9}");
        json(" {\"src\":1,\"dst\":2,\"op\":null,\"weight\":null,\"timestamp\":null}\n");
        assertThat(batch.rejected()).isEmpty();
        assertThat(RandomEdges.edges(batch)).containsExactly("9223372036854775807 -2 2.0 9", "1 2" + NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"op\":\"upsert\",\"src\":1,\"dst\":2}         | op must be add or remove: 'upsert'",
                "{\"src\":1}                                     | dst is missing; an edge needs src and dst",
                "{}                                              | src is missing; an edge needs src and dst",
                "{\"src\":\"1\",\"dst\":2}                       | src is not an integer: '1'",
                "{\"src\":1.0,\"dst\":2}                         | src is not an integer: '1.0'",
                "{\"src\":1,\"dst\":null}                        | dst is not an integer: 'null'",
                "{\"src\":1,\"dst\":9223372036854775808}         | dst does not fit in 64 bits: '9223372036854775808'",
                "{\"src\":1,\"dst\":2,\"weight\":\"heavy\"}      | weight is not a finite number: 'heavy'",
                "{\"src\":1,\"dst\":2,\"weight\":1e999}          | weight is not a finite number: '1e999'",
                "{\"src\":1,\"dst\":2,\"timestamp\":1.5}         | timestamp is not an integer: '1.5'",
                "{\"src\":1,\"dst\":2}{}                         | the value has text after its JSON object",
                "[1,2]                                           | the value is not a JSON object",
                "``                                              | the value is not a JSON object",
            })
    void saysWhatIsWrongWithJson(String value, String reason) {
        json(value);
        assertThat(batch.isEmpty()).isTrue();
        assertThat(batch.rejected()).extracting(RejectedRecord::reason).containsExactly(reason);
    }

    @Test
    void rejectsJsonThatIsCutOrTooDeep() {
        json("{\"src\":1,");
        json("{\"x\":" + "[".repeat(5000) + "]".repeat(5000) + "}");
        json("{\"src\":" + "1".repeat(5000) + ",\"dst\":2}");
        assertThat(batch.isEmpty()).isTrue();
        assertThat(batch.rejected())
                .hasSize(3)
                .allSatisfy(record -> assertThat(record.reason()).startsWith("the value is not valid JSON: "));
    }

    private void json(String value) {
        decode(EdgeEventFormat.JSON, value.getBytes(StandardCharsets.UTF_8));
    }

    private void decode(EdgeEventFormat format, byte[] value) {
        format.decoder().decode(new ConsumerRecord<>("edges", 0, 0, null, value), batch);
    }
}
