package io.cutwater.flink.connector.output;

import io.cutwater.flink.types.shard.OutputRow;
import io.cutwater.kafka.client.DeadLetterRecords;
import io.cutwater.kafka.client.RecordLimits;
import io.cutwater.kafka.command.RepartitionStatusJson;
import io.cutwater.kafka.run.CommitMark;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Kafka records of the elements of each output stream. */
final class TopicRecords {
    private TopicRecords() {}

    /**
     * Sends shard s to topic partition s mod topic partitions, so that one consumer reads a whole shard in order; their
     * number is that of {@link FixTopicPartitions}. The book is keyed by vertex, so that compaction keeps the last row
     * of each vertex, and none of a vertex that is gone; texts are keyed likewise, and gone with a vertex that was
     * removed.
     *
     * @param writers null for one that marks nothing
     */
    record Rows(Topics topics, @Nullable ShardWriters writers)
            implements KafkaRecordSerializationSchema<Tuple2<Integer, OutputRow>> {
        @Override
        public ProducerRecord<byte[], byte[]> serialize(
                Tuple2<Integer, OutputRow> element, KafkaSinkContext context, Long timestamp) {
            OutputRow row = element.f1;
            return switch (row.shard()) {
                case OutputRow.BOOK -> keyed(topics.partitionBook(), row);
                case OutputRow.TEXT -> keyed(topics.ids(), row);
                case OutputRow.COMMIT ->
                    new ProducerRecord<>(
                            topics.commits(), CommitMark.read(row.value()).writer(), row.key(), row.value());
                default -> ofShard(row, element.f0, context);
            };
        }

        /** One writer leaves the choice of the topic partition to Kafka's producer. */
        private ProducerRecord<byte[], byte[]> keyed(String topic, OutputRow row) {
            return new ProducerRecord<>(
                    topic,
                    writers == null ? null : writers.topicPartition(row),
                    row.key(),
                    row.value().length == 0 ? null : RecordLimits.requireFits(topic, row.value()));
        }

        private ProducerRecord<byte[], byte[]> ofShard(OutputRow row, int topicPartitions, KafkaSinkContext context) {
            String shards = topics.shards();
            requireTopicPartitions(topicPartitions, context);
            return new ProducerRecord<>(
                    shards,
                    ShardRecordCodec.topicPartition(row.shard(), topicPartitions),
                    ShardRecordCodec.key(row.shard()),
                    RecordLimits.requireFits(shards, row.value()));
        }

        private void requireTopicPartitions(int written, KafkaSinkContext context) {
            String shards = topics.shards();
            int present = context.getPartitionsForTopic(shards).length;
            if (present < written) {
                throw new IllegalStateException(
                        "topic %s has %d partitions, but the job has written its shards to %d: the topic was created again; submit a new job under another --topic-prefix"
                                .formatted(shards, present, written));
            }
        }
    }

    record DeadLetter(String topic) implements KafkaRecordSerializationSchema<RejectedRecord> {
        @Override
        public ProducerRecord<byte[], byte[]> serialize(
                RejectedRecord record, KafkaSinkContext context, Long timestamp) {
            return DeadLetterRecords.toRecord(topic, record);
        }
    }

    /** Keyed by the id of the command, so that compaction keeps the last status of each. */
    record Plans(String topic) implements KafkaRecordSerializationSchema<RepartitionStatus> {
        @Override
        public ProducerRecord<byte[], byte[]> serialize(
                RepartitionStatus status, KafkaSinkContext context, Long timestamp) {
            return new ProducerRecord<>(
                    topic,
                    RepartitionStatusJson.key(status),
                    RecordLimits.requireFits(topic, RepartitionStatusJson.toBytes(status)));
        }
    }

    /** Topic and value; the key is the job's algorithm in the series, and constant where the newest report is kept. */
    record Report(String newestTopic, String algorithm)
            implements KafkaRecordSerializationSchema<Tuple2<String, byte[]>> {
        private static final String NEWEST = "newest";

        @Override
        public ProducerRecord<byte[], byte[]> serialize(
                Tuple2<String, byte[]> row, KafkaSinkContext context, Long timestamp) {
            String key = row.f0.equals(newestTopic) ? NEWEST : algorithm;
            return new ProducerRecord<>(
                    row.f0, key.getBytes(StandardCharsets.UTF_8), RecordLimits.requireFits(row.f0, row.f1));
        }
    }
}
