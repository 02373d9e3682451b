package io.cutwater.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.testkit.BrokerExtension;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class TopicAdminTest {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @Test
    void createsWhatIsMissingAndLeavesTheRest() {
        Topics topics = new Topics("ensure.");
        try (TopicAdmin admin = connect()) {
            admin.ensure(topics.spec(topics.edges(), 3));
            admin.ensure(topics.spec(topics.edges(), 5), topics.spec(topics.shards(), 2));
            admin.ensure();
            assertThat(admin.partitionCount(topics.edges())).isEqualTo(3);
            assertThat(admin.partitionCount(topics.shards())).isEqualTo(2);
        }
    }

    @Test
    void warnsOfRetentionThatWouldDeleteShardsAndSaysWhatHelps() throws Exception {
        Topics topics = new Topics("kept.");
        try (TopicAdmin admin = connect()) {
            admin.ensure(topics.outputs(2));
            TopicSettings settings = new TopicSettings(admin, "broker:9092");
            settings.requireWritable(topics.outputs(2));
            assertThat(settings.warnings(topics.outputs(2))).isEmpty();
            assertThat(admin.settings(List.of(topics.shards())).get(topics.shards()))
                    .containsEntry("retention.ms", "-1")
                    .containsEntry("retention.bytes", "-1");

            set(topics.shards(), "retention.ms", "604800000");
            set(topics.partitionBook(), "cleanup.policy", "compact,delete");
            assertThat(settings.warnings(topics.outputs(2)))
                    .hasSize(2)
                    .contains(
                            "topic kept.shards deletes records after 7.0 days (retention.ms=604800000), and all records of a shard"
                                    + " are needed, from the first; run kafka-configs.sh --bootstrap-server broker:9092 --alter"
                                    + " --entity-type topics --entity-name kept.shards --add-config retention.ms=-1")
                    .anyMatch(warning -> warning.startsWith("topic kept.partition-book deletes records after"));

            set(topics.shards(), "cleanup.policy", "compact");
            assertThatThrownBy(() -> settings.requireWritable(topics.outputs(2)))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageStartingWith("topic kept.shards is compacted");
            set(topics.shards(), "cleanup.policy", "delete");
            set(topics.quality(), "max.message.bytes", "65536");
            assertThatThrownBy(() -> settings.requireWritable(topics.outputs(2)))
                    .hasMessageStartingWith("topic kept.quality takes records of 65536 bytes at most");
        }
    }

    private static void set(String topic, String name, String value) throws Exception {
        try (Admin kafka =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()))) {
            kafka.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, topic),
                            List.of(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
        try (TopicAdmin admin = connect()) {
            await().until(() ->
                    value.equals(admin.settings(List.of(topic)).get(topic).get(name)));
        }
    }

    @Test
    void createsTopicsThatTakeRecordsAtOnce() throws Exception {
        Map<String, Object> impatient = ClientSettings.producer(
                broker.bootstrapServers(),
                Map.of(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false, ProducerConfig.RETRIES_CONFIG, 0));
        try (TopicAdmin admin = connect();
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(impatient)) {
            for (int i = 0; i < 20; i++) {
                Topics topics = new Topics("at-once." + i + ".");
                admin.ensure(topics.spec(topics.edges(), 2));
                for (int topicPartition = 0; topicPartition < 2; topicPartition++) {
                    producer.send(new ProducerRecord<>(topics.edges(), topicPartition, null, new byte[1]))
                            .get();
                }
                assertThat(admin.offsets().ends(topics.edges())).isEqualTo(Map.of(0, 1L, 1, 1L));
            }
        }
    }

    @Test
    void givesTopicsTheCleanupOfTheContract() throws Exception {
        Topics topics = new Topics("cleanup.");
        try (TopicAdmin admin = connect()) {
            admin.ensure(
                    topics.spec(topics.edges(), 1),
                    topics.spec(topics.partitionBook(), 1),
                    topics.spec(topics.vertexUpdates(), 1));
        }
        assertThat(setting(topics.edges(), "cleanup.policy")).isEqualTo("delete");
        assertThat(setting(topics.partitionBook(), "cleanup.policy")).isEqualTo("compact");
        assertThat(setting(topics.partitionBook(), "min.compaction.lag.ms")).isEqualTo("86400000");
        assertThat(setting(topics.vertexUpdates(), "cleanup.policy")).isEqualTo("delete");
        assertThat(setting(topics.vertexUpdates(), "retention.ms")).isEqualTo("86400000");
    }

    @Test
    void namesATopicThatIsMissing() {
        try (TopicAdmin admin = connect()) {
            assertThatThrownBy(() -> admin.partitionCount("absent"))
                    .isInstanceOf(TopicMissingException.class)
                    .hasMessage("topic absent does not exist at %s; create it, or check --topic and --topic-prefix"
                            .formatted(broker.bootstrapServers()));
            assertThatThrownBy(() -> admin.offsets().ends("no such:name")).isInstanceOf(TopicMissingException.class);
        }
    }

    @Test
    void aTopicThatIsMadeAnewHasAnotherId() throws Exception {
        Topics topics = new Topics("anew.");
        try (TopicAdmin admin = connect();
                Admin kafka =
                        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()))) {
            admin.ensure(topics.spec(topics.shards(), 1));
            String id = admin.topicId(topics.shards());
            assertThat(admin.topicId(topics.shards())).isEqualTo(id);
            kafka.deleteTopics(List.of(topics.shards())).all().get();
            // The broker lists a deleted topic until its metadata has caught up.
            await().until(() -> !kafka.listTopics().names().get().contains(topics.shards()));
            admin.ensure(topics.spec(topics.shards(), 1));
            assertThat(admin.topicId(topics.shards())).isNotEqualTo(id);
        }
    }

    @Test
    void tellsTheLongestTransactionOfTheBroker() {
        try (TopicAdmin admin = connect()) {
            assertThat(admin.transactionMaxTimeoutMillis())
                    .isEqualTo(Duration.ofHours(24).toMillis());
        }
    }

    @Test
    void saysWithinTheTimeoutThatNoBrokerAnswers() throws Exception {
        // Takes connections and says nothing, as a service that is no broker may.
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            assertThatThrownBy(() -> TopicAdmin.connect(address, Map.of(), Duration.ofSeconds(2)))
                    .isInstanceOf(BrokerUnavailableException.class)
                    .hasMessage(
                            "no Kafka broker answers at %s within 2 s; check --bootstrap-servers".formatted(address));
        }
    }

    @Test
    void saysWithinTheTimeoutThatNobodyListens() throws Exception {
        String address;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            address = "127.0.0.1:" + gone.getLocalPort();
        }
        long start = System.nanoTime();
        assertThatThrownBy(() -> TopicAdmin.connect(address, Map.of(), Duration.ofSeconds(2)))
                .isInstanceOf(BrokerUnavailableException.class)
                .hasMessage("no Kafka broker answers at %s within 2 s; check --bootstrap-servers".formatted(address));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void saysWhatIsWrongWithTheAddress() {
        assertThatThrownBy(() -> TopicAdmin.connect("localhost", Map.of()))
                .isInstanceOf(BrokerUnavailableException.class)
                .hasMessage("cannot use the Kafka broker at localhost: Invalid url in bootstrap.servers: localhost; "
                        + "check --bootstrap-servers and the client properties");
    }

    private static String setting(String topic, String name) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            return admin.describeConfigs(List.of(resource))
                    .all()
                    .get()
                    .get(resource)
                    .get(name)
                    .value();
        }
    }

    private static TopicAdmin connect() {
        return TopicAdmin.connect(broker.bootstrapServers(), Map.of());
    }
}
