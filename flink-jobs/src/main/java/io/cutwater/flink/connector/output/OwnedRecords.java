package io.cutwater.flink.connector.output;

import io.cutwater.flink.connector.restore.OwnerCheck;
import io.cutwater.flink.connector.restore.RestoreRule;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Serializes the records of a sink whose job owns the topics. The connector opens the schema before it aborts the
 * transactions of earlier attempts: without the check those could be the new owner's.
 */
record OwnedRecords<T>(
        KafkaRecordSerializationSchema<T> records,
        String bootstrapServers,
        Map<String, String> properties,
        RestoreRule rule)
        implements KafkaRecordSerializationSchema<T> {
    @Override
    public void open(SerializationSchema.InitializationContext context, KafkaSinkContext sink) throws Exception {
        try (OwnerCheck owner = new OwnerCheck(bootstrapServers, properties, rule, context.getMetricGroup())) {
            owner.require();
        }
        records.open(context, sink);
    }

    @Override
    public @Nullable ProducerRecord<byte[], byte[]> serialize(T element, KafkaSinkContext context, Long timestamp) {
        return records.serialize(element, context, timestamp);
    }
}
