package io.cutwater.flink.connector.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.types.graph.VertexEvent;
import io.cutwater.format.VertexSplit;
import io.cutwater.format.vertex.VertexRecordCodec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class VertexEventDeserializerTest {
    private final VertexEventDeserializer deserializer = new VertexEventDeserializer();

    @BeforeEach
    void open() {
        deserializer.open(null);
    }

    @Test
    void decodesJsonAndBinaryToTheSameData() {
        byte[] binary = VertexRecordCodec.value(new float[] {0.5f, 0}, 2, 3, VertexSplit.TEST);
        VertexEvent event = read(VertexRecordCodec.key(7), binary);
        assertThat(event.vertex()).isEqualTo(7);
        assertThat(event.data()).isEqualTo(binary);
        VertexEvent ofJson = read(text("7"), text("{\"features\":[0.5,0],\"label\":3,\"split\":\"test\"}"));
        assertThat(ofJson).usingRecursiveComparison().isEqualTo(event);
    }

    @Test
    void aRecordWithoutValueDeletesTheVertex() {
        VertexEvent event = read(text("-7"), null);
        assertThat(event.vertex()).isEqualTo(-7);
        assertThat(event.data()).isNull();
        assertThat(event.rejected()).isNull();
    }

    @Test
    void rejectsMalformedRecordsWithReasonAndOrigin() {
        VertexEvent event = read(text("7"), text("{\"label\":\"cat\"}"));
        assertThat(event.rejected()).isNotNull().satisfies(rejected -> {
            assertThat(rejected.reason()).isEqualTo("label is not an integer from 0, or -1: '\"cat\"'");
            assertThat(rejected.origin()).isEqualTo("vertices");
            assertThat(rejected.topicPartition()).isEqualTo(2);
            assertThat(rejected.offset()).isEqualTo(9);
            assertThat(rejected.key()).isEqualTo(text("7"));
            assertThat(rejected.value()).isEqualTo(text("{\"label\":\"cat\"}"));
        });
        assertThat(read(null, null).rejected()).isNotNull();
    }

    /** A producer that fails over a record that is too large would do so again after every restart. */
    @Test
    void rejectsDataLargerThanAShardRecord() {
        byte[] fits = VertexRecordCodec.value(filled(230_000), 230_000, 1, VertexSplit.NONE);
        assertThat(read(text("7"), fits).rejected()).isNull();
        byte[] tooMuch = VertexRecordCodec.value(filled(240_000), 240_000, 1, VertexSplit.NONE);
        assertThat(read(text("7"), tooMuch).rejected())
                .extracting("reason")
                .isEqualTo("the data of vertex 7 take 960011 bytes, and a record takes 921600 at most");
    }

    private static float[] filled(int count) {
        float[] features = new float[count];
        Arrays.fill(features, 1);
        return features;
    }

    private VertexEvent read(byte[] key, byte[] value) {
        return deserializer.event(new ConsumerRecord<>("vertices", 2, 9, key, value));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
