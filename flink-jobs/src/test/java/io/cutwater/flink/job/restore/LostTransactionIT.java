package io.cutwater.flink.job.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.job.EmbeddedOptions;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.job.LiveRequests;
import io.cutwater.flink.job.SharedCluster;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.replay.EdgeMultiset;
import io.cutwater.kafka.replay.ShardCheck;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.testkit.BrokerExtension;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.client.JobExecutionException;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Live jobs whose state names transactions that Kafka has not committed, on a broker and a Flink cluster. */
@Timeout(180)
final class LostTransactionIT {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private static Path folder;

    private static Configuration configuration;
    private static MiniCluster cluster;

    @BeforeAll
    static void configure() throws Exception {
        // No checkpoint but those that a test asks for.
        configuration = EmbeddedRun.configuration(new EmbeddedOptions(folder, Duration.ofHours(1), 64 << 20, 5));
        cluster = SharedCluster.cluster();
    }

    @Test
    void aTransactionThatIsStillOpenIsCommitted() throws Exception {
        Scene scene = new Scene("open-");
        String savepoint = scene.stateWithOpenTransaction();

        JobID resumed = scene.start(savepoint);
        scene.write(100);
        scene.awaitInShards(2_100, resumed);
        cluster.cancelJob(resumed).get();
    }

    @Test
    void recordsOfALostTransactionAreDetectedAndWrittenAgain() throws Exception {
        Scene scene = new Scene("lost-");
        String savepoint = scene.stateWithOpenTransaction();
        scene.transactions().terminate(scene.transactions().open());

        assertThat(scene.failureOf(scene.start(savepoint)))
                .matches("(?s).*lost-shards lacks 1,000 edges in [0-9,]+ records that the restored state counts as"
                        + " written, by topic partition:offsets of lost-partition-book .* and lost-shards"
                        + " 0:[0-9]+-[0-9]+,.*: Kafka aborted .*"
                        + "cutwater-lost-shards-0-[0-9]+ before .* --replay-lost .* --accept-loss .*");
        assertThat(scene.edgesInShards()).isEqualTo(1_000);

        JobID resumed = scene.start(savepoint, "--replay-lost", "true");
        scene.write(100);
        scene.awaitInShards(2_100, resumed);
        cluster.cancelJob(resumed).get();
    }

    @Test
    void theLostPartOfOneOfTwoWritersIsWrittenAgainByTheOnlyOneOfTheResumedJob() throws Exception {
        Scene scene = new Scene("writers-");
        scene.tasks = List.of("--algorithm", "hdrf", "--set", "solo=0", "--parallelism", "2", "--assigners", "2");
        String savepoint = scene.stateWithOpenTransaction();
        List<String> ofSecond = scene.transactions().open().stream()
                .filter(id -> id.contains("writers-shards-1-"))
                .toList();
        assertThat(ofSecond).isNotEmpty();
        scene.transactions().terminate(ofSecond);

        assertThat(scene.failureOf(scene.start(savepoint))).contains("writers-shards lacks ", "writers-shards-1-");

        scene.tasks = List.of("--algorithm", "hdrf", "--set", "solo=0", "--parallelism", "2", "--assigners", "1");
        JobID resumed = scene.start(savepoint, "--replay-lost", "true");
        scene.write(100);
        scene.awaitInShards(2_100, resumed);
        cluster.cancelJob(resumed).get();
    }

    @Test
    void aLostTransactionOfAnotherTopicIsDetected() throws Exception {
        Scene scene = new Scene("reports-");
        String savepoint = scene.stateWithOpenTransaction();
        scene.transactions()
                .terminate(scene.transactions().open().stream()
                        .filter(id -> id.contains("quality"))
                        .toList());

        JobID refused = scene.start(savepoint);
        assertThat(scene.failureAtCheckpoint(refused))
                .contains("reports-quality lacks ")
                .contains("--replay-lost");
    }

    @Test
    void aLossIsAcceptedForTheStateThatIsResumedOnly() throws Exception {
        Scene scene = new Scene("accepted-");
        String savepoint = scene.stateWithOpenTransaction();
        scene.transactions().terminate(scene.transactions().open());

        JobID resumed = scene.start(savepoint, "--accept-loss", "true");
        scene.forget(1_000, 2_000);
        scene.write(100);
        scene.awaitInShards(1_100, resumed);

        scene.write(1_000);
        scene.savepointWith(3_100, resumed);
        scene.transactions()
                .terminate(scene.transactions().open().stream()
                        .filter(id -> id.contains("shards"))
                        .toList());
        assertThat(scene.failureAtCheckpoint(resumed)).contains("accepted-shards lacks 1,000 edges");
        assertThat(scene.edgesInShards()).isEqualTo(1_100);
    }

    @Test
    void aRefusedCommitRestartsTheJobWhichWritesTheRecordsAgain() throws Exception {
        Scene scene = new Scene("refused-");
        JobID job = scene.start(null, "--replay-lost", "true");
        scene.write(1_000);
        scene.awaitInShards(1_000, job);
        scene.write(1_000);
        // The savepoint commits nothing: that is left to the next checkpoint, and refused then.
        scene.savepointWith(2_000, job);
        scene.transactions()
                .terminate(scene.transactions().open().stream()
                        .filter(id -> id.contains("shards"))
                        .toList());

        scene.write(100);
        scene.awaitInShards(2_100, job);
        cluster.cancelJob(job).get();
    }

    /** The topics of one job, and the edges that were written to them. */
    private static final class Scene {
        private final Topics topics;
        private final ShardCheck check;
        private final EdgeMultiset written = new EdgeMultiset();
        private List<String> tasks = List.of();
        private long next;

        Scene(String prefix) {
            topics = new Topics(prefix);
            check = new ShardCheck(broker.bootstrapServers(), Map.of(), topics.shards());
        }

        JobID start(@Nullable String restoreFrom, String... more) throws Exception {
            List<String> args = new ArrayList<>(List.of("--bootstrap-servers", broker.bootstrapServers()));
            args.addAll(List.of("--topic-prefix", topics.prefix(), "--partitions", "3", "--wait-limit", "200ms"));
            args.addAll(tasks);
            args.addAll(List.of(more));
            LiveJobOptions options = LiveJobOptions.parse(args.toArray(String[]::new));
            PartitionRequest request = LiveRequests.of(options, restoreFrom != null);
            StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
            env.setParallelism(1);
            PartitionJob.build(env, request);
            return SharedCluster.submit(env, restoreFrom).getJobID();
        }

        /** Takes edges from those that are to be in the shards. */
        void forget(int from, int until) {
            EdgeBatch batch = new EdgeBatch();
            for (int i = from; i < until; i++) {
                batch.add(i, i * 7 + 1);
                written.change(batch, i - from, -1);
            }
        }

        void write(int edges) {
            EdgeBatch batch = new EdgeBatch();
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
                for (int i = 0; i < edges; i++) {
                    batch.add(next, next * 7 + 1);
                    String line = next + " " + (next * 7 + 1);
                    producer.send(new ProducerRecord<>(topics.edges(), line.getBytes(StandardCharsets.UTF_8)));
                    next++;
                }
            }
            for (int i = 0; i < edges; i++) {
                written.change(batch, i, 1);
            }
        }

        /** 1,000 edges are committed; 1,000 more are in transactions that only the savepoint names. */
        String stateWithOpenTransaction() throws Exception {
            JobID job = start(null);
            write(1_000);
            awaitInShards(1_000, job);
            write(1_000);
            String savepoint = savepointWith(2_000, job);
            cluster.cancelJob(job).get();
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> cluster.getJobStatus(job).get() == JobStatus.CANCELED);
            return savepoint;
        }

        /** A savepoint that is no stop commits nothing, but what it names is written. */
        String savepointWith(long edges, JobID job) throws Exception {
            String savepoint = "";
            while (writtenEdges() < edges) {
                savepoint = cluster.triggerSavepoint(
                                job, folder.toUri().toString(), false, SavepointFormatType.CANONICAL)
                        .get(30, TimeUnit.SECONDS);
            }
            return savepoint;
        }

        private long writtenEdges() {
            long[] edges = new long[1];
            try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
                new ShardTopicReader(broker.bootstrapServers(), Map.of("isolation.level", "read_uncommitted"))
                        .read(
                                topics.shards(),
                                Map.of(),
                                admin.offsets().written(topics.shards()),
                                (shard, header, batch) -> edges[0] += batch.size());
            }
            return edges[0];
        }

        void awaitInShards(long edges, JobID job) {
            await().atMost(Duration.ofSeconds(90)).pollDelay(Duration.ZERO).untilAsserted(() -> {
                checkpoint(job);
                assertThat(check.readOn().problem()).isEmpty();
                assertThat(check.edges().copies()).isEqualTo(edges);
            });
            assertThat(check.differenceFrom(written)).isEmpty();
        }

        /** Commits what is written, if all tasks run. */
        void checkpoint(JobID job) throws Exception {
            try {
                cluster.triggerCheckpoint(job).get(30, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                // asked for before all tasks run, or when the job has failed; the next look sees which
            }
        }

        OpenTransactions transactions() {
            return new OpenTransactions(broker.bootstrapServers(), topics.prefix());
        }

        long edgesInShards() {
            check.readOn();
            return check.edges().copies();
        }

        String failureAtCheckpoint(JobID job) {
            await().atMost(Duration.ofSeconds(90)).until(() -> {
                if (!cluster.getJobStatus(job).get().isGloballyTerminalState()) {
                    checkpoint(job);
                }
                return cluster.getJobStatus(job).get() == JobStatus.FAILED;
            });
            return failureOf(job);
        }

        /** The whole chain of causes, as a user sees it. */
        String failureOf(JobID job) {
            return ExceptionUtils.stringifyException(assertThatThrownBy(() -> cluster.requestJobResult(job)
                            .get(30, TimeUnit.SECONDS)
                            .toJobExecutionResult(getClass().getClassLoader()))
                    .isInstanceOf(JobExecutionException.class)
                    .actual());
        }
    }
}
