package io.cutwater.flink.connector.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.state.graph.EdgeBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

final class EdgeEventDeserializerTest {
    private static final byte[] REMOVAL = "{\"op\":\"remove\",\"src\":1,\"dst\":2}".getBytes(StandardCharsets.UTF_8);

    @Test
    void rejectsARemovalWithItsOriginAndTheMissingOption() {
        EdgeBatch batch = read(false);
        assertThat(batch.isEmpty()).isTrue();
        assertThat(batch.rejected()).singleElement().satisfies(rejected -> {
            assertThat(rejected.reason()).contains("--keep-edges");
            assertThat(rejected.origin()).isEqualTo("edges");
            assertThat(rejected.offset()).isEqualTo(17);
        });
    }

    @Test
    void acceptsARemovalIfTheJobKeepsEdges() {
        EdgeBatch batch = read(true);
        assertThat(batch.size()).isEqualTo(1);
        assertThat(batch.isRemoval(0)).isTrue();
    }

    private static EdgeBatch read(boolean takesRemovals) {
        EdgeEventDeserializer deserializer = new EdgeEventDeserializer(
                new RecordFormat.Own(EdgeEventFormat.JSON),
                takesRemovals ? null : EdgeEventDeserializer.KEEPS_NO_EDGES,
                false);
        deserializer.open(null);
        List<EdgeBatch> batches = new ArrayList<>();
        deserializer.deserialize(new ConsumerRecord<>("edges", 3, 17, null, REMOVAL), new ListCollector<>(batches));
        return batches.get(0);
    }
}
