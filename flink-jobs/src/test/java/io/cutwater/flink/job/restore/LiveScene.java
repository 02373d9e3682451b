package io.cutwater.flink.job.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.job.EmbeddedOptions;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.job.JobFailedException;
import io.cutwater.flink.job.LiveRequests;
import io.cutwater.flink.job.SharedCluster;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.command.PlanTopics;
import io.cutwater.kafka.replay.ShardReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A live job without a command line: its topics, and its attempts. */
final class LiveScene {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final Topics topics;
    String servers;
    private final Path folder;
    private int written;

    private static EmbeddedOptions options(Path folder) {
        return new EmbeddedOptions(folder, Duration.ofMillis(500), 256 << 20, 1_000);
    }

    /** @param folder for what the job writes */
    LiveScene(String servers, Path folder, String prefix) throws Exception {
        this.servers = servers;
        this.folder = folder;
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

    RepartitionStatus planned(String id) {
        send(id);
        try (PlanTopics plans = plans()) {
            await().atMost(PATIENCE).until(() -> {
                plans.poll();
                RepartitionStatus status = plans.status(id);
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
            return admin.offsets().beginnings(topics.edges()).getOrDefault(0, -1L);
        }
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
        PartitionRequest request = LiveRequests.of(options, savepoint != null);
        Path work = Files.createDirectories(folder.resolve("work"));
        Configuration configuration = EmbeddedRun.configuration(options(work));
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(1);
        PartitionJob.build(env, request);
        return SharedCluster.submit(env, savepoint);
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
