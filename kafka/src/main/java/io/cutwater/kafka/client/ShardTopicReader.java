package io.cutwater.kafka.client;

import io.cutwater.kafka.record.ShardRecordCodec;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.state.graph.EdgeBatch;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads topic {@code shards} from its beginning to the end it has at the start of the call. */
public final class ShardTopicReader {
    private final TopicReader reader;

    /** Takes the edges that one record adds to a shard. */
    @FunctionalInterface
    public interface ShardHandler {
        /**
         * Takes the edges of one record.
         *
         * @param edges valid during the call only; of a vertex partitioning each with the owners of its ends as its
         *     place, and a cut edge comes twice, once for each shard
         */
        void accept(int shard, EdgeBatch edges);
    }

    /** @param properties further client properties, such as those of TLS */
    public ShardTopicReader(String bootstrapServers, Map<String, ?> properties) {
        reader = new TopicReader(bootstrapServers, properties);
    }

    /**
     * Gives every committed record to the handler; the records of one shard in order.
     *
     * @return the number of records
     * @throws BrokerException with one sentence if the topic cannot be read or holds a record that is none of ours
     */
    public long readAll(String topic, ShardHandler handler) {
        EdgeBatch edges = new EdgeBatch();
        return reader.readAll(topic, record -> {
            edges.clear();
            handler.accept(decode(record, edges), edges);
        });
    }

    private static int decode(ConsumerRecord<byte[], byte[]> record, EdgeBatch into) {
        try {
            if (record.value() == null) {
                throw new IllegalArgumentException("it has no value");
            }
            ShardRecordCodec.decode(record.value(), into);
            return ShardRecordCodec.shard(record.key());
        } catch (IllegalArgumentException e) {
            throw new BrokerException(
                    "topic %s, topic partition %d, offset %d is no shard record: %s; check --topic-prefix"
                            .formatted(record.topic(), record.partition(), record.offset(), e.getMessage()),
                    e);
        }
    }
}
