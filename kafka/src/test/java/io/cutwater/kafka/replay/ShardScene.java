package io.cutwater.kafka.replay;

import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.format.vertex.VertexRecordCodec;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.replay.RandomShards.ShardChangeRecord;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.shard.ShardVertexCodec;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Topic {@code shards} of one graph, written in transactions as a job does. */
final class ShardScene implements AutoCloseable {
    private static final int TOPIC_PARTITIONS = 2;

    private final Topics topics;
    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;

    ShardScene(String bootstrapServers, String prefix) {
        topics = new Topics(prefix);
        topic = topics.shards();
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
            admin.ensure(topics.spec(topic, TOPIC_PARTITIONS), topics.spec(topics.report(), 1));
        }
        producer = new KafkaProducer<>(ClientSettings.producer(
                bootstrapServers, Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, prefix + "shards")));
        producer.initTransactions();
    }

    String topic() {
        return topic;
    }

    void write(List<ShardChangeRecord> records, boolean commits) {
        begin(records);
        end(commits);
    }

    /** Commits a report that says how many topic partitions shards are in. */
    void report(int shards, int topicPartitions) {
        List<PartitionQuality> perPartition = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            perPartition.add(new PartitionQuality(shard, 1, 1));
        }
        RunReport report = new RunReport("test", 1, Quality.ofEdges(shards, 1, 1, 0, perPartition), 1, 1)
                .withShardTopicPartitions(topicPartitions);
        producer.beginTransaction();
        Future<RecordMetadata> unused =
                producer.send(new ProducerRecord<>(topics.report(), new byte[] {1}, ReportJson.toBytes(report)));
        end(true);
    }

    /** Writes records and leaves the transaction open. */
    void begin(List<ShardChangeRecord> records) {
        producer.beginTransaction();
        records.forEach(record -> send(record.shard(), record.value()));
        producer.flush();
    }

    private void send(int shard, byte[] value) {
        // An error of the send comes back from the flush.
        Future<RecordMetadata> unused = producer.send(new ProducerRecord<>(
                topic, ShardRecordCodec.topicPartition(shard, TOPIC_PARTITIONS), ShardRecordCodec.key(shard), value));
    }

    /** Commits what is known of vertices. */
    void writeData(int shard, VertexRecord... vertices) {
        List<byte[]> data = new ArrayList<>();
        for (VertexRecord vertex : vertices) {
            data.add(VertexRecordCodec.value(vertex));
        }
        long[] ids = Arrays.stream(vertices).mapToLong(VertexRecord::vertex).toArray();
        producer.beginTransaction();
        send(shard, ShardVertexCodec.data(ids, data));
        end(true);
    }

    /** Commits that nothing is known of vertices any more. */
    void writeGone(int shard, long... vertices) {
        producer.beginTransaction();
        send(shard, ShardVertexCodec.gone(vertices, vertices.length));
        end(true);
    }

    void end(boolean commits) {
        if (commits) {
            producer.commitTransaction();
        } else {
            producer.abortTransaction();
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
