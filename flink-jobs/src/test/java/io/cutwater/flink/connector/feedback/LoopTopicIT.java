package io.cutwater.flink.connector.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A reader of vertex updates fails when its topic is deleted or replaced. */
final class LoopTopicIT {
    private static final int BUCKETS = 4;

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private static Admin admin;

    @BeforeAll
    static void start() throws Exception {
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    }

    @AfterAll
    static void stop() throws Exception {
        admin.close();
    }

    private static LoopTopic loop(String topic) {
        LoopOptions options = new LoopOptions(broker.bootstrapServers(), topic, Map.of());
        return new LoopTopic(options, Duration.ofMillis(500), Duration.ofSeconds(2));
    }

    private static String newTopic(String prefix) throws Exception {
        Topics topics = new Topics(prefix);
        try (TopicAdmin topicAdmin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            topicAdmin.ensure(topics.spec(topics.vertexUpdates(), 1));
        }
        return topics.vertexUpdates();
    }

    private static void send(String topic, int count) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            for (int i = 1; i <= count; i++) {
                VertexUpdate update = new VertexUpdate(1, 0, 7, 0, i, new VertexBatch(0));
                producer.send(new ProducerRecord<>(
                        topic, 0, VertexUpdateCodec.key(update), VertexUpdateCodec.encode(update)));
            }
        }
    }

    private static void pollForEver(UpdateSource.Reader reader) {
        while (true) {
            reader.poll();
        }
    }

    @Test
    @Timeout(60)
    void tellsWhenWhatItReadsWasSentAndIsNotDisturbedByLongSilence() throws Exception {
        String topic = newTopic("quiet-");
        send(topic, 2);
        try (UpdateSource.Reader reader = loop(topic).open(0, BUCKETS, BUCKETS)) {
            for (int i = 0; i < 12; i++) {
                assertThat(reader.poll()).isEmpty();
            }
            long before = System.currentTimeMillis();
            send(topic, 1_500);
            List<VertexUpdate> updates = new ArrayList<>();
            while (updates.isEmpty()) {
                updates.addAll(reader.poll());
            }
            assertThat(reader.sentMillis()).isBetween(before, System.currentTimeMillis());
            assertThat(updates.size() + reader.waiting()).isEqualTo(1_500);
            while (updates.size() < 1_500) {
                updates.addAll(reader.poll());
            }
            assertThat(updates.get(1_499).sequence()).isEqualTo(1_500);
            assertThat(reader.waiting()).isZero();
        }
    }

    @Test
    @Timeout(60)
    void failsWhenTheTopicIsDeleted() throws Exception {
        String topic = newTopic("deleted-");
        send(topic, 5);
        try (UpdateSource.Reader reader = loop(topic).open(0, BUCKETS, BUCKETS)) {
            admin.deleteTopics(Set.of(topic)).all().get();
            assertThatThrownBy(() -> pollForEver(reader))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("topic deleted-vertex-updates could not be reached")
                    .hasMessageContaining("was the topic deleted?");
        }
        assertThatThrownBy(() -> loop(topic).open(0, BUCKETS, BUCKETS))
                .hasMessageContaining("topic deleted-vertex-updates, which carries the vertex updates, does not");
    }

    @Test
    @Timeout(60)
    void failsWhenTheTopicIsEmptiedBeforeItHasReadAll() throws Exception {
        String topic = newTopic("emptied-");
        try (UpdateSource.Reader reader = loop(topic).open(0, BUCKETS, BUCKETS)) {
            send(topic, 5);
            admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(5)))
                    .all()
                    .get();
            assertThatThrownBy(() -> pollForEver(reader))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no longer has the next update");
        }
    }
}
