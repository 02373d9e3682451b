package io.cutwater.kafka.vertex;

import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.format.vertex.VertexRecordCodec;
import io.cutwater.kafka.client.DeadLetterRecords;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.state.graph.RejectedRecord;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads topic {@code vertices} to the end at the time of the call. */
public final class VertexTopicReader {
    private final TopicReader reader;

    /** Receives vertex data; the last record of a vertex counts. */
    public interface VertexHandler {
        void accept(VertexRecord vertex);

        /** A record without a value: the vertex no longer has data. */
        void gone(long vertex);

        /** A record is malformed. */
        void rejected(RejectedRecord record);
    }

    /** @param properties further client properties, such as those of TLS */
    public VertexTopicReader(String bootstrapServers, Map<String, ?> properties) {
        reader = new TopicReader(bootstrapServers, properties);
    }

    /**
     * Passes every committed record to the handler; records of one vertex come in order.
     *
     * @return the number of records
     * @throws BrokerException if the topic cannot be read
     */
    public long readAll(String topic, VertexHandler handler) {
        VertexRecordCodec codec = new VertexRecordCodec();
        return reader.readAll(topic, record -> handle(record, codec, handler));
    }

    /**
     * Passes the last committed records of each topic partition to the handler.
     *
     * @param offsets the number of offsets before the end of each, at least 0
     * @return the number of records
     * @throws BrokerException if the topic cannot be read
     */
    public long readTail(String topic, long offsets, VertexHandler handler) {
        VertexRecordCodec codec = new VertexRecordCodec();
        return reader.readTail(topic, offsets, record -> handle(record, codec, handler));
    }

    private static void handle(ConsumerRecord<byte[], byte[]> record, VertexRecordCodec codec, VertexHandler handler) {
        try {
            if (record.value() == null) {
                handler.gone(codec.vertex(record.key(), null));
            } else {
                handler.accept(codec.decode(record.key(), record.value()));
            }
        } catch (IllegalArgumentException e) {
            handler.rejected(DeadLetterRecords.rejected(record, e));
        }
    }
}
