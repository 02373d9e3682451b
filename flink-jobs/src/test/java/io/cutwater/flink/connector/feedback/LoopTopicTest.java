package io.cutwater.flink.connector.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.vertex.VertexUpdateCodec;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.testkit.BrokerExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
final class LoopTopicTest {
    private static final int BUCKETS = 16;
    private static final int TOPIC_PARTITIONS = 4;

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @Test
    void readsFromTheEndAndCountsMalformedAndMisplacedRecords() throws Exception {
        String topic = topic("polluted-");
        byte[] first = VertexUpdateCodec.encode(update(5, 1));
        byte[] second = VertexUpdateCodec.encode(update(5, 2));
        byte[] otherVersion = second.clone();
        otherVersion[0]++;
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            producer.send(new ProducerRecord<>(topic, 1, null, first)).get();
            try (UpdateSource.Reader reader = loop(topic).open(5, 12, BUCKETS)) {
                for (int topicPartition = 0; topicPartition < TOPIC_PARTITIONS; topicPartition++) {
                    producer.send(new ProducerRecord<>(topic, topicPartition, null, null));
                    producer.send(new ProducerRecord<>(topic, topicPartition, null, new byte[0]));
                    producer.send(new ProducerRecord<>(topic, topicPartition, null, otherVersion));
                    producer.send(new ProducerRecord<>(
                            topic, topicPartition, null, VertexUpdateCodec.encode(update(BUCKETS, 3))));
                    producer.send(
                            new ProducerRecord<>(topic, topicPartition, null, VertexUpdateCodec.encode(update(-1, 3))));
                }
                VertexUpdate ofOthers = update(4, 2);
                producer.send(new ProducerRecord<>(
                        topic, 1, VertexUpdateCodec.key(ofOthers), VertexUpdateCodec.encode(ofOthers)));
                producer.send(new ProducerRecord<>(topic, 2, null, second));
                producer.send(new ProducerRecord<>(topic, 1, null, second));
                producer.flush();
                List<Long> sequences = new ArrayList<>();
                await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                    reader.poll().forEach(update -> sequences.add(update.sequence()));
                    assertThat(reader.malformed())
                            .as("in the two topic partitions of its buckets")
                            .isEqualTo(2 * 3);
                    assertThat(sequences).containsExactly(2L);
                });
            }
        }
    }

    private static LoopTopic loop(String topic) {
        return new LoopTopic(new LoopOptions(broker.bootstrapServers(), topic, Map.of()));
    }

    private static String topic(String prefix) {
        Topics topics = new Topics(prefix);
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.spec(topics.vertexUpdates(), TOPIC_PARTITIONS));
        }
        return topics.vertexUpdates();
    }

    private static VertexUpdate update(int bucket, long sequence) {
        VertexBatch added = new VertexBatch();
        added.add(42, 0, 1);
        added.addReplica(1);
        return new VertexUpdate(7, 0, 9, bucket, sequence, added);
    }
}
