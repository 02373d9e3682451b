package io.cutwater.kafka.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.testkit.BrokerExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class OutputTopicsTest {
    private static final String ADVICE = "choose another --topic-prefix";

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private static OutputTopics outputs;

    @BeforeAll
    static void start() throws Exception {
        outputs = new OutputTopics(broker.bootstrapServers(), Map.of());
    }

    @Test
    void makesWhatAJobWritesAndLeavesWhatIsThere() {
        Topics topics = new Topics("made.");
        outputs.make(topics, 3);
        outputs.make(topics, 7);

        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            assertThat(admin.partitionCount(topics.shards())).isEqualTo(3);
            assertThat(admin.partitionCount(topics.partitionBook())).isEqualTo(4);
            assertThat(admin.partitionCount(topics.quality())).isEqualTo(1);
            assertThat(admin.partitionCount(topics.deadLetters())).isEqualTo(1);
        }
        assertThatCode(() -> outputs.refuseUsed(topics, ADVICE)).doesNotThrowAnyException();
    }

    @Test
    void theNewestReportOutlivesTheSeries() throws Exception {
        Topics topics = new Topics("reported.");
        outputs.make(topics, 1);
        QualityReader reader = new QualityReader(broker.bootstrapServers(), Map.of());
        assertThat(reader.last(topics)).isNull();
        RunReport old = report(1);
        send(topics.quality(), ReportJson.toBytes(old));
        assertThat(reader.last(topics)).as("of an earlier build").isEqualTo(old);

        RunReport now = report(2).withShardTopicPartitions(7);
        send(topics.quality(), ReportJson.toShortBytes(now));
        assertThatThrownBy(() -> new QualityReader(broker.bootstrapServers(), Map.of(), Duration.ZERO).last(topics))
                .isInstanceOf(BrokerException.class)
                .hasMessageStartingWith("topic reported.quality has reports, and topic reported.report");
        CompletableFuture<RunReport> waiting = CompletableFuture.supplyAsync(() -> reader.last(topics));
        send(topics.report(), ReportJson.toBytes(now));
        assertThat(waiting.get(30, TimeUnit.SECONDS))
                .as("committed a little later")
                .isEqualTo(now);
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()))) {
            admin.deleteRecords(Map.of(new TopicPartition(topics.quality(), 0), RecordsToDelete.beforeOffset(2)))
                    .all()
                    .get();
            assertThat(reader.last(topics)).isEqualTo(now);
            admin.deleteTopics(List.of(topics.report())).all().get();
        }
        await().until(() -> reader.last(topics) == null);
    }

    private static RunReport report(long edges) {
        List<PartitionQuality> perPartition = List.of(new PartitionQuality(0, 2, edges));
        return new RunReport("hdrf", 1, Quality.ofEdges(1, 2, edges, 0, perPartition), 1, 1);
    }

    private static void send(String topic, byte[] value) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            producer.send(new ProducerRecord<>(topic, new byte[] {1}, value)).get();
        }
    }

    @Test
    void refusesTheShardsOfAnotherJob() {
        Topics topics = new Topics("shards.");
        outputs.make(topics, 3);
        write(topics.shards(), true);

        assertThatThrownBy(() -> outputs.refuseUsed(topics, ADVICE))
                .isInstanceOf(BrokerException.class)
                .hasMessage(
                        "topic shards.shards holds the shards of another job already; choose another --topic-prefix,"
                                + " or delete topics shards.shards and shards.partition-book");
    }

    @Test
    void refusesTheBookOfAnotherJob() {
        Topics topics = new Topics("book.");
        outputs.make(topics, 3);
        write(topics.partitionBook(), true);

        assertThatThrownBy(() -> outputs.refuseUsed(topics, ADVICE))
                .hasMessageStartingWith("topic book.partition-book holds the partition book of another job already; ");
    }

    @Test
    void aJobThatDiedBeforeItCommittedAnythingIsNoObstacle() {
        Topics topics = new Topics("aborted.");
        outputs.make(topics, 1);
        write(topics.shards(), false);

        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            assertThat(admin.offsets().ends(topics.shards())).isNotEqualTo(Map.of(0, 0L));
        }
        assertThatCode(() -> outputs.refuseUsed(topics, ADVICE)).doesNotThrowAnyException();
    }

    private static void write(String topic, boolean commits) {
        Map<String, Object> settings = ClientSettings.producer(
                broker.bootstrapServers(), Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topic));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, new byte[] {1}, new byte[] {1}));
            producer.flush();
            if (commits) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }
}
