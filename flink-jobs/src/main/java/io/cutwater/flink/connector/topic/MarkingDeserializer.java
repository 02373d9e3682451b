package io.cutwater.flink.connector.topic;

import java.io.IOException;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Passes each record to the guard of its reader, in the reader's thread. Created by the task, and never sent to
 * another.
 */
@SuppressWarnings("serial")
final class MarkingDeserializer<T> implements KafkaRecordDeserializationSchema<T> {
    private static final long serialVersionUID = 1;

    private final KafkaRecordDeserializationSchema<T> records;
    private final TopicGuard guard;

    MarkingDeserializer(KafkaRecordDeserializationSchema<T> records, TopicGuard guard) {
        this.records = records;
        this.guard = guard;
    }

    @Override
    public void open(DeserializationSchema.InitializationContext context) throws Exception {
        records.open(context);
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<T> out) throws IOException {
        guard.see(record);
        records.deserialize(record, out);
    }

    @Override
    public TypeInformation<T> getProducedType() {
        return records.getProducedType();
    }
}
