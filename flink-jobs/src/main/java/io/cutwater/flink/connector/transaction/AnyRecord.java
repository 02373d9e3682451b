package io.cutwater.flink.connector.transaction;

import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Serializes the elements of a stream, and passes records through that are written again.
 *
 * @param <T> of the elements
 */
record AnyRecord<T>(KafkaRecordSerializationSchema<T> elements) implements KafkaRecordSerializationSchema<Object> {
    /** A record that is written again as it is. */
    record Replayed(ProducerRecord<byte[], byte[]> record) {}

    @Override
    public void open(SerializationSchema.InitializationContext context, KafkaSinkContext sinkContext) throws Exception {
        elements.open(context, sinkContext);
    }

    @Override
    @SuppressWarnings("unchecked") // the sink takes nothing else
    public @Nullable ProducerRecord<byte[], byte[]> serialize(
            Object element, KafkaSinkContext context, Long timestamp) {
        return element instanceof Replayed replayed
                ? replayed.record()
                : elements.serialize((T) element, context, timestamp);
    }
}
