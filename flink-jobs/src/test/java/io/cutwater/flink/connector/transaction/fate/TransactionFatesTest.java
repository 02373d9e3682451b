package io.cutwater.flink.connector.transaction.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.connector.restore.LostRecords;
import io.cutwater.flink.connector.transaction.fate.TransactionFates.Fate;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.testkit.BrokerExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.connector.kafka.sink.internal.FlinkKafkaInternalProducer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
final class TransactionFatesTest {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @Test
    void aCommittedTransactionIsKnownByItsIdOrByItsRecords() throws Exception {
        try (Scene scene = new Scene("committed-")) {
            PendingTransaction written = scene.write(3);
            assertThat(scene.fate(written)).isEqualTo(Fate.OPEN);
            assertThat(scene.fate(PendingTransaction.known(written.transactionalId())))
                    .isEqualTo(Fate.OPEN);
            scene.producer.commitTransaction();

            assertThat(scene.fate(written)).isEqualTo(Fate.COMMITTED);
            assertThat(scene.fate(PendingTransaction.known(written.transactionalId())))
                    .isEqualTo(Fate.COMMITTED);
            assertThat(scene.fate(withId("forgotten", written))).isEqualTo(Fate.COMMITTED);
            scene.producer.setTransactionId(written.transactionalId());
            scene.producer.initTransactions();
            assertThat(scene.fate(written)).as("its id is in use again").isEqualTo(Fate.COMMITTED);
        }
    }

    @Test
    void anAbortedTransactionIsLostAndItsRecordsAreStillThere() throws Exception {
        try (Scene scene = new Scene("aborted-")) {
            PendingTransaction written = scene.write(3);
            scene.producer.abortTransaction();

            assertThat(scene.fate(written)).isEqualTo(Fate.LOST);
            assertThat(scene.fate(PendingTransaction.known(written.transactionalId())))
                    .isEqualTo(Fate.LOST);
            assertThat(scene.fate(withId("forgotten", written))).isEqualTo(Fate.LOST);
            assertThat(scene.fate(PendingTransaction.known("forgotten"))).isEqualTo(Fate.LOST);

            scene.write(5);
            scene.producer.commitTransaction();
            assertThat(scene.fate(written)).as("its id is in use again").isEqualTo(Fate.LOST);
            assertThat(scene.replay(written)).containsExactlyInAnyOrder("aborted-0", "aborted-1", "aborted-2");
        }
    }

    @Test
    void aTransactionThatTimedOutIsLost() throws Exception {
        try (Scene scene = new Scene("late-")) {
            PendingTransaction written = scene.write(2);
            await().atMost(Duration.ofSeconds(20)).until(() -> scene.fate(written) != Fate.OPEN);
            assertThat(scene.fate(written)).isEqualTo(Fate.LOST);
        }
    }

    @Test
    void recordsThatRetentionDeletedAreNotMissing() throws Exception {
        try (Scene scene = new Scene("deleted-");
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            PendingTransaction written = scene.write(4);
            scene.producer.abortTransaction();
            TopicPartition first = new TopicPartition(scene.topics.shards(), 0);
            TopicPartition second = new TopicPartition(scene.topics.shards(), 1);
            admin.deleteRecords(Map.of(first, RecordsToDelete.beforeOffset(2)))
                    .all()
                    .get();
            assertThat(scene.fate(withId("forgotten", written))).isEqualTo(Fate.LOST);
            assertThat(scene.replay(written)).containsExactlyInAnyOrder("deleted-1", "deleted-3");

            admin.deleteRecords(Map.of(second, RecordsToDelete.beforeOffset(2)))
                    .all()
                    .get();
            assertThat(scene.fate(withId("forgotten", written))).isEqualTo(Fate.COMMITTED);
        }
    }

    /** Writes the same records in a transaction of which the broker has no record. */
    private static PendingTransaction withId(String id, PendingTransaction transaction) {
        return new PendingTransaction(id, transaction.producerId(), transaction.epoch(), 0, transaction.offsets());
    }

    /** A topic of two topic partitions and the producer that writes it. */
    private static final class Scene implements AutoCloseable {
        final Topics topics;
        final FlinkKafkaInternalProducer<byte[], byte[]> producer;
        private final TransactionFates fates;

        Scene(String prefix) {
            topics = new Topics(prefix);
            try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
                admin.ensure(topics.spec(topics.shards(), 2));
            }
            Properties settings = new Properties();
            settings.put("bootstrap.servers", broker.bootstrapServers());
            settings.put("key.serializer", ByteArraySerializer.class.getName());
            settings.put("value.serializer", ByteArraySerializer.class.getName());
            settings.put("transaction.timeout.ms", prefix.equals("late-") ? "500" : "60000");
            producer = new FlinkKafkaInternalProducer<>(settings, prefix + "id");
            producer.initTransactions();
            fates = new TransactionFates(
                    new SinkTopic(topics.shards(), broker.bootstrapServers(), Map.of(), LostRecords.REFUSE, true));
        }

        /** Writes records into a new transaction, which stays open. */
        PendingTransaction write(int records) throws Exception {
            TopicOffsets written = new TopicOffsets();
            producer.beginTransaction();
            for (int i = 0; i < records; i++) {
                byte[] value = (topics.prefix() + i).getBytes(StandardCharsets.UTF_8);
                RecordMetadata metadata = producer.send(new ProducerRecord<>(topics.shards(), i % 2, null, value))
                        .get();
                written.add(metadata.topic(), metadata.partition(), metadata.offset());
            }
            return new PendingTransaction(
                    topics.prefix() + "id", producer.getProducerId(), producer.getEpoch(), 0, written);
        }

        Fate fate(PendingTransaction transaction) throws Exception {
            return fates.of(transaction);
        }

        List<String> replay(PendingTransaction transaction) {
            List<String> values = new ArrayList<>();
            assertThat(fates.replay(
                            transaction, record -> values.add(new String(record.value(), StandardCharsets.UTF_8))))
                    .isEqualTo(values.size());
            return values;
        }

        @Override
        public void close() {
            fates.close();
            producer.close();
        }
    }
}
