package io.cutwater.flink.connector.source;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.state.graph.EdgeBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

final class TruncatedTopicTest {
    @Test
    void aTruncatedTableEndsTheJobWithoutRestarts() {
        EdgeEventDeserializer deserializer = new EdgeEventDeserializer(
                RecordFormatOptions.parse(
                        Map.of("event-format", "debezium-json", "source", "after.payer", "target", "after.payee")),
                null,
                false);
        deserializer.open(null);
        List<EdgeBatch> batches = new ArrayList<>();
        byte[] value = "{\"before\":null,\"after\":null,\"op\":\"t\"}".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> deserializer.deserialize(
                        new ConsumerRecord<>("payments", 1, 17, null, value), new ListCollector<>(batches)))
                .isInstanceOf(SuppressRestartsException.class)
                .rootCause()
                .hasMessageContaining("topic payments, partition 1, offset 17: the table of the edges was truncated");
    }
}
