package io.cutwater.flink.connector;

import io.cutwater.flink.stream.JobQuality;
import io.cutwater.flink.stream.OutputRow;
import io.cutwater.flink.stream.RunIdentity;
import io.cutwater.kafka.client.DeadLetters;
import io.cutwater.kafka.record.PlanStatus;
import io.cutwater.kafka.record.PlanStatusJson;
import io.cutwater.kafka.record.RecordLimits;
import io.cutwater.kafka.record.ReportJson;
import io.cutwater.kafka.record.ShardRecordCodec;
import io.cutwater.state.graph.RejectedRecord;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** What the elements of each output stream look like as Kafka records. */
final class TopicRecords {
    private TopicRecords() {}

    /**
     * Shard s goes to topic partition s mod topic partitions, so that one consumer reads a whole shard in order. The
     * book is keyed by vertex, so that compaction keeps the last row of each, and none of a vertex that is gone.
     */
    record Rows(String shards, String book) implements KafkaRecordSerializationSchema<OutputRow> {
        @Override
        public ProducerRecord<byte[], byte[]> serialize(OutputRow row, KafkaSinkContext context, Long timestamp) {
            int shard = row.shard();
            if (shard == OutputRow.BOOK) {
                return new ProducerRecord<>(
                        book, row.key(), row.value().length == 0 ? null : RecordLimits.requireFits(book, row.value()));
            }
            int topicPartition = ShardRecordCodec.topicPartition(shard, context.getPartitionsForTopic(shards).length);
            return new ProducerRecord<>(
                    shards, topicPartition, ShardRecordCodec.key(shard), RecordLimits.requireFits(shards, row.value()));
        }
    }

    record DeadLetter(String topic) implements KafkaRecordSerializationSchema<RejectedRecord> {
        @Override
        public ProducerRecord<byte[], byte[]> serialize(
                RejectedRecord record, KafkaSinkContext context, Long timestamp) {
            return DeadLetters.toRecord(topic, record);
        }
    }

    /** Keyed by the id of the command, so that compaction keeps how each ended. */
    record Plans(String topic) implements KafkaRecordSerializationSchema<PlanStatus> {
        @Override
        public ProducerRecord<byte[], byte[]> serialize(PlanStatus status, KafkaSinkContext context, Long timestamp) {
            return new ProducerRecord<>(
                    topic, PlanStatusJson.key(status), RecordLimits.requireFits(topic, PlanStatusJson.toBytes(status)));
        }
    }

    /** Keyed by the job's algorithm; the value is the report as JSON. */
    static final class Quality implements KafkaRecordSerializationSchema<JobQuality> {
        private static final long serialVersionUID = 1;
        private static final double NANOS = 1e9;

        private final String topic;
        private final RunIdentity identity;
        private transient long start;

        Quality(String topic, RunIdentity identity) {
            this.topic = topic;
            this.identity = identity;
        }

        @Override
        public void open(SerializationSchema.InitializationContext context, KafkaSinkContext sinkContext) {
            start = System.nanoTime();
        }

        @Override
        public ProducerRecord<byte[], byte[]> serialize(JobQuality quality, KafkaSinkContext context, Long timestamp) {
            LiveReport live = LiveReport.of(quality, identity, (System.nanoTime() - start) / NANOS);
            byte[] key = identity.algorithm().getBytes(StandardCharsets.UTF_8);
            return new ProducerRecord<>(topic, key, RecordLimits.requireFits(topic, ReportJson.toBytes(live.report())));
        }
    }
}
