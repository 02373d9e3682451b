package io.cutwater.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.testkit.BrokerExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class OffsetAdminTest {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @Test
    void countsEveryCommittedTransactionAndNoOpenOne() throws Exception {
        Topics topics = new Topics("offsets.");
        Map<String, Object> settings = ClientSettings.producer(
                broker.bootstrapServers(), Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "offsets"));
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of());
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
            admin.ensure(topics.spec(topics.shards(), 2));
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topics.shards(), 1, null, new byte[1]))
                    .get();
            assertThat(admin.offsets().ends(topics.shards())).isEqualTo(Map.of(0, 0L, 1, 0L));
            producer.commitTransaction();
            // The record, and the mark of the commit.
            assertThat(admin.offsets().ends(topics.shards())).isEqualTo(Map.of(0, 0L, 1, 2L));
            assertThat(admin.offsets().beginnings(topics.shards())).isEqualTo(Map.of(0, 0L, 1, 0L));
            for (long commit = 2; commit <= 20; commit++) {
                producer.beginTransaction();
                Future<RecordMetadata> unused =
                        producer.send(new ProducerRecord<>(topics.shards(), 1, null, new byte[1]));
                producer.commitTransaction();
                assertThat(admin.offsets().ends(topics.shards())).isEqualTo(Map.of(0, 0L, 1, 2 * commit));
            }
        }
    }

    @Test
    void aTransactionLiesBeforeTheEndsOfTwoTopicsOrOfNone() throws Exception {
        Topics topics = new Topics("two.");
        Map<String, Object> settings = ClientSettings.producer(
                broker.bootstrapServers(), Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "two"));
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of());
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
            admin.ensure(topics.spec(topics.shards(), 1), topics.spec(topics.partitionBook(), 1));
            producer.initTransactions();
            Thread job = new Thread(() -> {
                for (int commit = 0; commit < 40; commit++) {
                    producer.beginTransaction();
                    List.of(topics.shards(), topics.partitionBook()).forEach(topic -> {
                        Future<RecordMetadata> unused =
                                producer.send(new ProducerRecord<>(topic, 0, new byte[1], new byte[1]));
                    });
                    producer.commitTransaction();
                    LockSupport.parkNanos(5_000_000); // or there is hardly a moment between two
                }
            });
            job.start();
            boolean isOver = false;
            while (!isOver) {
                isOver = !job.isAlive();
                List<Map<Integer, Long>> ends =
                        admin.offsets().consistentEnds(List.of(topics.shards(), topics.partitionBook()));
                assertThat(ends.get(0)).isEqualTo(ends.get(1));
            }
            job.join();
            assertThat(admin.offsets().consistentEnds(topics.shards())).isEqualTo(Map.of(0, 80L));
        }
    }

    @Test
    void aCutIsFoundWhileOthersCommitWithoutAPause() throws Exception {
        Topics own = new Topics("calm.");
        Topics others = new Topics("busy.");
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(own.spec(own.shards(), 2), others.spec(others.shards(), 64));
            AtomicBoolean isOver = new AtomicBoolean();
            List<Thread> writers = IntStream.range(0, 8)
                    .mapToObj(i -> new Thread(() -> commitUntil(isOver, others.shards(), "busy-" + i)))
                    .toList();
            writers.forEach(Thread::start);
            try {
                await().until(() -> admin.offsets().written(others.shards()).values().stream()
                                .mapToLong(Long::longValue)
                                .sum()
                        > 100);
                assertTimeout(Duration.ofSeconds(8), () -> {
                    for (int i = 0; i < 10; i++) {
                        assertThat(admin.offsets().consistentEnds(own.shards())).isEqualTo(Map.of(0, 0L, 1, 0L));
                    }
                });
            } finally {
                isOver.set(true);
                for (Thread writer : writers) {
                    writer.join();
                }
            }
        }
    }

    private static void commitUntil(AtomicBoolean isOver, String topic, String transactionalId) {
        Map<String, Object> settings = ClientSettings.producer(
                broker.bootstrapServers(),
                Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId, ProducerConfig.LINGER_MS_CONFIG, 0));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
            producer.initTransactions();
            while (!isOver.get()) {
                producer.beginTransaction();
                for (int topicPartition = 0; topicPartition < 64; topicPartition++) {
                    Future<RecordMetadata> unused =
                            producer.send(new ProducerRecord<>(topic, topicPartition, null, new byte[1]));
                }
                producer.commitTransaction();
            }
        }
    }
}
