package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.connector.output.TopicOutput;
import io.cutwater.flink.job.fault.CrashOnDemand;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.replay.ShardCheck;
import io.cutwater.kafka.run.CommitMark;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.testkit.BrokerExtension;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Live jobs whose assigners share homes or propose owners, with a crash while edges wait in their buffers. */
final class SharedVerticesIT {
    private static final int EDGES = 3_000;
    private static final int BURSTS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    private final SplittableRandom random = new SplittableRandom(16);
    private long sent;

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({"edge, cutwater --set solo=2000 --buffer-size 3000", "vertex, cutwater --set solo=2000"})
    void theShardsAreWholeAtEveryCommitAlsoAfterACrash(String kind, String algorithm) throws Exception {
        Topics topics = new Topics(kind + algorithm.length() + "-");
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.spec(topics.edges(), 3)); // for two readers
        }
        String arguments =
                "--bootstrap-servers %s --topic-prefix %s --partitions 8 --event-format json --kind %s --algorithm %s"
                        .formatted(broker.bootstrapServers(), topics.prefix(), kind, algorithm);
        String tasks = " --parallelism 2 --assigners 2 --wait-limit 500ms --checkpoint-interval 500ms";
        PartitionRequest request = LiveRequests.of(LiveJobOptions.parse((arguments + tasks).split(" ")), false);
        String name = folder.toString();
        try (EmbeddedRun run = SharedCluster.start(
                name,
                env -> {
                    var edges = CrashOnDemand.in(PartitionJob.read(env, request), name);
                    assertThat(edges.getParallelism()).isEqualTo(2);
                    TopicOutput.attach(
                            PartitionJob.define(edges, request),
                            request.output().topics(),
                            request.identity());
                },
                new EmbeddedOptions(folder, Duration.ofMillis(500), 64 << 20, 1))) {
            ShardCheck check = new ShardCheck(broker.bootstrapServers(), Map.of(), topics.shards());
            for (int burst = 0; burst < BURSTS; burst++) {
                if (burst == BURSTS / 2) {
                    CrashOnDemand.ask(name);
                }
                send(topics);
                awaitAll(check);
            }
            assertThat(CrashOnDemand.isPending(name)).isFalse();
            assertThat(run.await(Duration.ZERO)).isFalse();
            Set<Integer> writers = new TreeSet<>();
            new TopicReader(broker.bootstrapServers(), Map.of())
                    .readAll(
                            topics.commits(),
                            record ->
                                    writers.add(CommitMark.read(record.value()).writer()));
            assertThat(writers).containsExactly(0, 1);
        }
    }

    @Tag("campaign")
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({"edge, cutwater --set solo=2000", "vertex, cutwater --set solo=2000 --buffer-size 3000", "vertex, ldg"})
    void theyAreWholeInOtherJobsToo(String kind, String algorithm) throws Exception {
        theShardsAreWholeAtEveryCommitAlsoAfterACrash(kind, algorithm);
    }

    private void awaitAll(ShardCheck check) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).until(() -> {
            ShardCheck.Findings findings = check.readOn();
            assertThat(findings.problem()).isEmpty();
            assertThat(findings.edges()).isLessThanOrEqualTo(sent);
            return findings.edges() == sent;
        });
    }

    private void send(Topics topics) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            for (int i = 0; i < EDGES; i++, sent++) {
                int community = 100 * random.nextInt(40);
                String edge = "{\"src\":%d,\"dst\":%d}"
                        .formatted(community + random.nextInt(100), community + random.nextInt(110));
                producer.send(new ProducerRecord<>(topics.edges(), edge.getBytes(StandardCharsets.UTF_8)));
            }
        }
    }
}
