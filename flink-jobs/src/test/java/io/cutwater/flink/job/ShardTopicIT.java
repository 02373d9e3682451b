package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.connector.output.TopicOutput;
import io.cutwater.flink.job.fault.CrashOnDemand;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.command.PlanTopics;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.replay.ShardCheck;
import io.cutwater.kafka.replay.ShardReader;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.testkit.BrokerExtension;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Topic {@code shards} of a live job, to which somebody adds partitions. */
final class ShardTopicIT {
    private static final int K = 8;
    private static final int WRITTEN = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private final Topics topics = new Topics("added-");
    private int sent;

    @TempDir
    private Path folder;

    @Test
    void aShardStaysInItsTopicPartitionWhenPartitionsAreAdded() throws Exception {
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.spec(topics.shards(), WRITTEN));
        }
        PartitionRequest request = LiveRequests.keepingEdges(broker.bootstrapServers(), topics, "edge", K);
        String name = folder.toString();
        try (EmbeddedRun run = SharedCluster.start(
                name,
                env -> {
                    var edges = CrashOnDemand.in(PartitionJob.read(env, request), name);
                    TopicOutput.attach(
                            PartitionJob.define(edges, request),
                            request.output().topics(),
                            request.identity());
                },
                new EmbeddedOptions(folder, Duration.ofMillis(500), 64 << 20, 2))) {
            send(100);
            awaitAll(K);
            addPartitions(10);
            CrashOnDemand.ask(name);
            send(10);
            awaitAll(K);
            assertThat(CrashOnDemand.isPending(name)).isFalse();

            repartition(K + 4);
            send(10);
            awaitAll(K + 4);
            ShardCheck.Findings findings =
                    new ShardCheck(broker.bootstrapServers(), Map.of(), topics.shards()).readOn();
            assertThat(findings.problem()).isEmpty();
            assertThat(findings.edges()).isEqualTo(sent);
            RunReport report = new QualityReader(broker.bootstrapServers(), Map.of()).last(topics);
            assertThat(report).isNotNull();
            assertThat(report.shardTopicPartitions()).isEqualTo(WRITTEN);
            assertThat(run.await(Duration.ZERO)).isFalse();
        }
    }

    /** Shard by shard, as their readers ask for them. */
    private void awaitAll(int shards) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).untilAsserted(() -> {
            ShardReader reader = new ShardReader(broker.bootstrapServers(), Map.of(), topics.shards());
            long edges = 0;
            for (int shard = 0; shard < shards; shard++) {
                ShardReader.Found found = reader.read(shard);
                assertThat(found.topicPartition()).isEqualTo(shard % WRITTEN);
                edges += found.shard().edges().copies();
            }
            assertThat(edges).isEqualTo(sent);
        });
    }

    private void addPartitions(int count) throws Exception {
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()))) {
            admin.createPartitions(Map.of(topics.shards(), NewPartitions.increaseTo(count)))
                    .all()
                    .get();
        }
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            await().atMost(PATIENCE).until(() -> admin.partitionCount(topics.shards()) == count);
        }
    }

    private void repartition(int partitions) {
        try (PlanTopics plans = new PlanTopics(broker.bootstrapServers(), Map.of(), topics)) {
            plans.send(new JobCommand.Repartition("grow", partitions, 1, Long.MAX_VALUE, false));
            await().atMost(PATIENCE).until(() -> {
                plans.poll();
                RepartitionStatus status = plans.status("grow");
                return status != null && status.state() == PlanState.DONE;
            });
        }
    }

    private void send(int edges) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            for (int i = 0; i < edges; i++, sent++) {
                String edge = "{\"src\":%d,\"dst\":%d}".formatted(sent, 1000 + sent % 37);
                producer.send(new ProducerRecord<>(topics.edges(), edge.getBytes(StandardCharsets.UTF_8)));
            }
        }
    }
}
