package io.cutwater.flink.connector.transaction;

import io.cutwater.flink.connector.transaction.fate.TopicOffsets;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Offsets of the records of the current transaction, as the producer's thread learns them from the broker. */
final class WrittenRecords {
    private TopicOffsets offsets = new TopicOffsets();

    synchronized void add(RecordMetadata written) {
        if (written.hasOffset()) {
            offsets.add(written.topic(), written.partition(), written.offset());
        }
    }

    /** Returns those since the last call; complete when the producer has been flushed. */
    synchronized TopicOffsets take() {
        TopicOffsets taken = offsets;
        offsets = new TopicOffsets();
        return taken;
    }
}
