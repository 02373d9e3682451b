package io.cutwater.kafka.shard;

import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.placement.ShardChange;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads topic {@code shards}, committed records only; those of one shard in order. */
public final class ShardTopicReader {
    private static final int ANY = 0;

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

    /** Takes what changes in the shards. */
    public interface ChangeHandler {
        /** Whether the records of a shard are to be read at all. */
        default boolean wants(int shard) {
            return true;
        }

        /**
         * Edges enter or leave a shard.
         *
         * @param edges as {@link ShardHandler} has them
         * @throws IllegalArgumentException with one sentence if that cannot be; the reader adds which record it is
         */
        void edges(int shard, Header header, EdgeBatch edges);

        /** What is known of a vertex from now on, as far as the shard has edges of it. */
        default void data(int shard, VertexRecord vertex) {}

        /** Nothing is known of a vertex any more. */
        default void gone(int shard, long vertex) {}
    }

    /** @param properties further client properties, such as those of TLS */
    public ShardTopicReader(String bootstrapServers, Map<String, ?> properties) {
        reader = new TopicReader(bootstrapServers, properties);
    }

    /**
     * Gives the edges of every record to the handler, in the order of their placing, of a topic to which no edges came
     * but new ones; what shards hold behind removals and moves tells {@link io.cutwater.kafka.replay.ShardReader}.
     *
     * @return the number of records
     * @throws BrokerException with one sentence if the topic cannot be read, or holds a record that is none of ours or
     *     has edges that leave or move
     */
    public long readAll(String topic, ShardHandler handler) {
        Decoder decoder = new Decoder(
                (shard, header, edges) -> {
                    if (header.kind().change() != ShardChange.ADD) {
                        throw new IllegalArgumentException(
                                "edges leave or move (%s), and this reader takes new ones only; use ./cutwater shard read"
                                        .formatted(header.kind()));
                    }
                    handler.accept(shard, edges);
                },
                ANY);
        return reader.readAll(topic, decoder::decode);
    }

    /** Reads as the other method does, for a recount that does not mind in which topic partition a shard is. */
    public long read(String topic, Map<Integer, Long> begins, Map<Integer, Long> ends, ChangeHandler handler) {
        return read(topic, ANY, begins, ends, handler);
    }

    /**
     * Gives the records of some topic partitions to the handler.
     *
     * @param topicPartitions that the job writes to: shard s is in the one of number s mod that, and nowhere else
     * @param begins offset of the first record, by number of topic partition
     * @param ends offset behind the last record of each topic partition that is read
     * @return the number of records
     * @throws BrokerException with one sentence if the topic cannot be read, or holds a record that is none of ours or
     *     that the handler refuses
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

        /** @param topicPartitions as {@link #read} has it, or {@link #ANY} */
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
                        "%s is no shard record: %s; check --topic-prefix".formatted(place(record), e.getMessage()), e);
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

        /** Else other records of the shard are in other topic partitions, and their order is not known. */
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
