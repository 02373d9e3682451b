package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.client.PlanTopics;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.record.JobCommand;
import io.cutwater.kafka.record.PlanState;
import io.cutwater.kafka.record.PlanStatus;
import io.cutwater.kafka.shard.ShardReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.FileUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Live jobs that are restored when their topic is not as they left it: they fail and say what is lost, or are told to
 * go on.
 */
@Timeout(120)
final class LostRecordsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static Path brokerFolder;
    private static EmbeddedBroker broker;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startBroker() throws IOException {
        brokerFolder = Files.createTempDirectory("broker");
        broker = EmbeddedBroker.start(brokerFolder);
    }

    @AfterAll
    static void stopBroker() throws IOException {
        broker.close();
        FileUtils.deleteDirectory(brokerFolder.toFile());
    }

    @Test
    void recordsThatRetentionHasDeletedEndTheJobUnlessTheLossIsAccepted() throws Exception {
        Scene scene = new Scene("gone-");
        scene.write(300);
        String savepoint = scene.stop(scene.start(null), 300);
        scene.write(300);
        scene.deleteRecords(scene.topics.edges(), 450);

        assertThat(scene.failure(scene.start(savepoint)))
                .contains("topic gone-edges, topic partition 0: offsets 300 to 449 were deleted", "--accept-loss");
        assertThat(scene.edges()).isEqualTo(300);

        String accepted = scene.stop(scene.start(savepoint, "--accept-loss", "true"), 450);
        scene.write(10);
        scene.deleteRecords(scene.topics.edges(), 605);
        assertThat(scene.failure(scene.start(accepted))).contains("offsets 600 to 604 were deleted");
    }

    @Test
    void aLogThatLostRecordsEndsTheJobAlsoWhenItHasGrownAgain() throws Exception {
        Scene scene = new Scene("cut-");
        scene.write(200);
        scene.write(100);
        String savepoint = scene.stop(scene.start(null), 300);
        scene.truncateEdges(200);

        assertThat(scene.failure(scene.start(savepoint)))
                .contains("topic cut-edges, topic partition 0: offsets 200 to 299 were read", "ends at offset 200");
        scene.write(150);
        assertThat(scene.failure(scene.start(savepoint)))
                .contains("offsets 200 to 299 were read and hold other records now", "--accept-loss");
        assertThat(scene.edges()).isEqualTo(300);

        scene.stop(scene.start(savepoint, "--accept-loss", "true"), 450);
    }

    @Test
    void aTopicThatWasMadeAgainEndsTheJobUnlessItIsAccepted() throws Exception {
        Scene scene = new Scene("again-");
        scene.write(300);
        String savepoint = scene.stop(scene.start(null), 300);
        scene.recreateEdges();
        scene.write(400);

        assertThat(scene.failure(scene.start(savepoint)))
                .contains("topic again-edges was deleted and made again", "--accept-new-topic");
        assertThat(scene.edges()).isEqualTo(300);

        JobClient running = scene.start(savepoint, "--accept-new-topic", "true");
        scene.awaitEdges(700);
        // Again while the job runs, which Flink would start again for ever.
        scene.recreateEdges();
        scene.write(900);
        assertThat(scene.failure(running)).contains("topic again-edges was deleted and made again");
        assertThat(scene.edges()).isEqualTo(700);
    }

    @Test
    void anotherKafkaClusterEndsTheJob() throws Exception {
        Scene scene = new Scene("moved-");
        scene.write(300);
        String savepoint = scene.stop(scene.start(null), 300);
        Path otherFolder = Files.createDirectories(folder.resolve("other"));
        try (EmbeddedBroker other = EmbeddedBroker.start(otherFolder)) {
            scene.servers = other.bootstrapServers();
            scene.makeEdges();
            scene.write(400);
            assertThat(scene.failure(scene.start(savepoint)))
                    .contains("topic moved-edges is of another Kafka cluster", "--accept-new-topic");
            assertThat(scene.edges()).isZero();
        }
    }

    @Test
    void marksOfTransactionsThatRetentionDeletesAreNoLoss() throws Exception {
        Scene scene = new Scene("idle-");
        scene.writeInTransaction(300);
        JobClient job = scene.start(null);
        scene.awaitEdges(300);
        String savepoint = scene.stop(job, 300);
        scene.deleteRecords(scene.topics.edges(), -1);
        assertThat(scene.beginning()).as("the mark is gone, too").isEqualTo(301);

        JobClient restored = scene.start(savepoint);
        scene.writeInTransaction(50);
        scene.stop(restored, 350);
    }

    @Test
    void commandsThatRetentionDeletesAreMissedAndThoseThatAreDoneAreNotDoneAgain() throws Exception {
        Scene scene = new Scene("told-");
        scene.write(300);
        JobClient job = scene.start(null, "--keep-edges", "true");
        scene.awaitEdges(300);
        PlanStatus first = scene.planned("first");
        String savepoint = scene.stop(job, 300);
        scene.send("missed");
        scene.deleteRecords(scene.topics.commands(), -1);

        JobClient resumed = scene.start(savepoint, "--keep-edges", "true");
        scene.planned("second");
        savepoint = scene.stop(resumed, 300);
        scene.recreate(scene.topics.commands());
        scene.send("first");
        JobClient again = scene.start(savepoint, "--keep-edges", "true");
        scene.planned("third");
        try (PlanTopics plans = scene.plans()) {
            assertThat(plans.status("first")).as("told again, not done again").isEqualTo(first);
            assertThat(plans.status("missed")).isNull();
        }
        scene.stop(again, 300);
    }

    /** One job's topics. */
    private final class Scene {
        final Topics topics;
        String servers = broker.bootstrapServers();
        private int written;

        Scene(String prefix) throws Exception {
            topics = new Topics(prefix);
            makeEdges();
        }

        void makeEdges() throws Exception {
            try (TopicAdmin admin = TopicAdmin.connect(servers, Map.of())) {
                admin.ensure(topics.spec(topics.edges(), 1));
            }
        }

        PlanTopics plans() {
            return new PlanTopics(servers, Map.of(), topics);
        }

        void send(String id) {
            try (PlanTopics plans = plans()) {
                plans.send(new JobCommand.Repartition(id, 3, 1, 1_000, true));
            }
        }

        PlanStatus planned(String id) {
            send(id);
            try (PlanTopics plans = plans()) {
                await().atMost(PATIENCE).until(() -> {
                    plans.poll();
                    PlanStatus status = plans.status(id);
                    return status != null && status.state() == PlanState.PLANNED;
                });
                return Objects.requireNonNull(plans.status(id));
            }
        }

        void recreateEdges() throws Exception {
            recreate(topics.edges());
            makeEdges();
        }

        void recreate(String topic) throws Exception {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
                admin.deleteTopics(List.of(topic)).all().get();
                await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                    admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1)))
                            .all()
                            .get();
                    return true;
                });
            }
        }

        void deleteRecords(String topic, long before) throws Exception {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
                admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(before)))
                        .all()
                        .get();
            }
        }

        long beginning() {
            try (TopicAdmin admin = TopicAdmin.connect(servers, Map.of())) {
                return admin.beginningOffsets(topics.edges()).getOrDefault(0, -1L);
            }
        }

        /** As a broker that dies before it has written the end of its log to disk. */
        void truncateEdges(long firstLost) throws Exception {
            int port = Integer.parseInt(servers.substring(servers.indexOf(':') + 1));
            broker.close();
            Path log = brokerFolder.resolve("log");
            Files.deleteIfExists(log.resolve(".kafka_cleanshutdown"));
            Path segment = log.resolve(topics.edges() + "-0").resolve("00000000000000000000.log");
            try (FileChannel file = FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                ByteBuffer head = ByteBuffer.allocate(Long.BYTES + Integer.BYTES);
                for (long at = 0; at < file.size(); ) {
                    head.clear();
                    file.read(head, at);
                    if (head.getLong(0) >= firstLost) {
                        file.truncate(at);
                    }
                    at += head.capacity() + head.getInt(Long.BYTES);
                }
            }
            broker = EmbeddedBroker.start(brokerFolder, port);
        }

        void write(int edges) throws Exception {
            send(edges, ClientSettings.producer(servers, Map.of()), false);
        }

        void writeInTransaction(int edges) throws Exception {
            Map<String, Object> settings = new HashMap<>(ClientSettings.producer(servers, Map.of()));
            settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topics.prefix());
            send(edges, settings, true);
        }

        private void send(int edges, Map<String, Object> settings, boolean inTransaction) throws Exception {
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
                if (inTransaction) {
                    producer.initTransactions();
                    producer.beginTransaction();
                }
                for (int i = 0; i < edges; i++, written++) {
                    byte[] edge = "%d %d".formatted(written, written + 1).getBytes(StandardCharsets.UTF_8);
                    producer.send(new ProducerRecord<>(topics.edges(), edge));
                }
                producer.flush();
                if (inTransaction) {
                    producer.commitTransaction();
                }
            }
        }

        JobClient start(@Nullable String savepoint, String... more) throws Exception {
            List<String> args = new ArrayList<>(List.of(
                    "--bootstrap-servers",
                    servers,
                    "--topic-prefix",
                    topics.prefix(),
                    "--partitions",
                    "2",
                    "--wait-limit",
                    "100ms"));
            args.addAll(Arrays.asList(more));
            LiveJobOptions options = LiveJobOptions.parse(args.toArray(String[]::new));
            PartitionRequest request =
                    LivePartitionJob.request(options, LiveTopics.prepare(options, savepoint != null));
            Path work = Files.createDirectories(folder.resolve("work"));
            Configuration configuration =
                    EmbeddedRun.configuration(new EmbeddedOptions(work, Duration.ofMillis(200), 64 << 20, 1_000));
            if (savepoint != null) {
                configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
            }
            StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
            PartitionJob.build(env, request);
            return env.executeAsync(topics.prefix());
        }

        /** Stops the job when so many edges are in the shards. */
        String stop(JobClient job, int edges) throws Exception {
            awaitEdges(edges);
            String savepoint = job.stopWithSavepoint(
                            false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                    .get(60, TimeUnit.SECONDS);
            job.getJobExecutionResult().get(60, TimeUnit.SECONDS);
            assertThat(edges()).isEqualTo(edges);
            return savepoint;
        }

        void awaitEdges(int edges) {
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).until(() -> edges() >= edges);
        }

        int edges() {
            int[] edges = new int[1];
            new ShardReader(servers, Map.of(), topics.shards())
                    .readAll(shard -> shard.edges().forEach(batch -> edges[0] += batch.size()));
            return edges[0];
        }

        /** The sentence with which the job ends, however often Flink may start it again. */
        String failure(JobClient job) throws Exception {
            try {
                job.getJobExecutionResult().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                return fail("the job has ended without a failure");
            } catch (ExecutionException e) {
                return String.valueOf(JobFailedException.of(e).getMessage());
            }
        }
    }
}
