package io.cutwater.kafka.shard;

import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.placement.ShardChange;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads committed records of topic {@code shards}; records of one shard come in order. */
public final class ShardTopicReader {
    private static final int ANY = 0;

    private final TopicReader reader;

    /** Receives the edges that one record adds to a shard. */
    @FunctionalInterface
    public interface ShardHandler {
        /**
         * Receives the edges of one record.
         *
         * @param edges valid only during the call; in a vertex partitioning each has the owners of its endpoints as its
         *     place, and a cut edge comes twice, once for each shard
         */
        void accept(int shard, EdgeBatch edges);
    }

    /** Receives the changes of the shards. */
    public interface ChangeHandler {
        /** Returns whether to read the records of a shard. */
        default boolean wants(int shard) {
            return true;
        }

        /**
         * Called when edges enter or leave a shard.
         *
         * @param edges as {@link ShardHandler} receives them
         * @throws IllegalArgumentException if the change is impossible; the reader adds the position of the record
         */
        void edges(int shard, Header header, EdgeBatch edges);

        /** Called with the new data of a vertex, which hold as long as the shard has edges of it. */
        default void data(int shard, VertexRecord vertex) {}

        /** Called when the data of a vertex are removed. */
        default void gone(int shard, long vertex) {}
    }

    /** @param properties further client properties, such as those of TLS */
    public ShardTopicReader(String bootstrapServers, Map<String, ?> properties) {
        reader = new TopicReader(bootstrapServers, properties);
    }

    /**
     * Passes the edges of every record to the handler, in the order of their placement. The topic must only add edges;
     * use {@link io.cutwater.kafka.replay.ShardReader} for shards with removals and moves.
     *
     * @return the number of records
     * @throws BrokerException if the topic cannot be read, holds a malformed record, or has edges that leave or move
     */
    public long readAll(String topic, ShardHandler handler) {
        Decoder decoder = new Decoder(
                (shard, header, edges) -> {
                    if (header.kind().change() != ShardChange.ADD) {
                        throw new IllegalArgumentException(
                                "edges are removed or moved (%s), and this reader accepts added edges only; use ./cutwater shard read"
                                        .formatted(header.kind()));
                    }
                    handler.accept(shard, edges);
                },
                ANY);
        return reader.readAll(topic, decoder::decode);
    }

    /** Reads like the other method, for an audit that ignores the topic partition of a shard. */
    public long read(String topic, Map<Integer, Long> begins, Map<Integer, Long> ends, ChangeHandler handler) {
        return read(topic, ANY, begins, ends, handler);
    }

    /**
     * Passes the records of some topic partitions to the handler.
     *
     * @param topicPartitions the number of partitions that the job writes to: shard s is in partition s mod this
     *     number, and nowhere else
     * @param begins offset of the first record, by number of topic partition
     * @param ends offset after the last record of each topic partition to read
     * @return the number of records
     * @throws BrokerException if the topic cannot be read, or holds a record that is malformed or that the handler
     *     rejects
     */
    public long read(
            String topic,
            int topicPartitions,
            Map<Integer, Long> begins,
            Map<Integer, Long> ends,
            ChangeHandler handler) {
        return reader.read(topic, begins, ends, new Decoder(handler, topicPartitions)::decode);
    }

    private static final class Decoder {
        private final ChangeHandler handler;
        private final int topicPartitions;
        private final EdgeBatch edges = new EdgeBatch();

        /** @param topicPartitions the parameter of {@link #read}, or {@link #ANY} */
        Decoder(ChangeHandler handler, int topicPartitions) {
            this.handler = handler;
            this.topicPartitions = topicPartitions;
        }

        void decode(ConsumerRecord<byte[], byte[]> record) {
            int shard;
            Header header = null;
            edges.clear();
            try {
                shard = ShardRecordCodec.shard(record.key());
                requirePlace(shard, record);
                if (!handler.wants(shard)) {
                    return;
                }
                if (record.value() == null) {
                    throw new IllegalArgumentException("it has no value");
                }
                if (ShardVertexCodec.tellsOfVertices(record.value())) {
                    decodeVertices(shard, record.value());
                } else {
                    header = ShardRecordCodec.decode(record.value(), edges);
                }
            } catch (IllegalArgumentException e) {
                throw new BrokerException(
                        "%s is not a shard record: %s; check --topic-prefix".formatted(place(record), e.getMessage()),
                        e);
            }
            if (header == null) {
                return;
            }
            try {
                handler.edges(shard, header, edges);
            } catch (IllegalArgumentException e) {
                throw new BrokerException("%s: %s".formatted(place(record), e.getMessage()), e);
            }
        }

        /** Otherwise other records of the shard are in other topic partitions, in unknown order. */
        private void requirePlace(int shard, ConsumerRecord<?, ?> record) {
            if (topicPartitions == ANY) {
                return;
            }
            int place = ShardRecordCodec.topicPartition(shard, topicPartitions);
            if (place != record.partition()) {
                throw new BrokerException(
                        "%s: the record is of shard %d, whose place of %d topic partitions is number %d; partitions were added to the topic while a job of an earlier build wrote it, and the order of its records is lost: begin a new job under another --topic-prefix"
                                .formatted(place(record), shard, topicPartitions, place));
            }
        }

        private void decodeVertices(int shard, byte[] value) {
            ShardVertexCodec.decode(value, new ShardVertexCodec.Handler() {
                @Override
                public void data(VertexRecord vertex) {
                    handler.data(shard, vertex);
                }

                @Override
                public void gone(long vertex) {
                    handler.gone(shard, vertex);
                }
            });
        }

        private static String place(ConsumerRecord<?, ?> record) {
            return "topic %s, topic partition %d, offset %d"
                    .formatted(record.topic(), record.partition(), record.offset());
        }
    }
}
