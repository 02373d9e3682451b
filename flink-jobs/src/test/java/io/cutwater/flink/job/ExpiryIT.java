package io.cutwater.flink.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.connector.output.TopicOutput;
import io.cutwater.flink.job.fault.CrashOnce;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.replay.ShardReader;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.testkit.BrokerExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A sliding window of a live job that crashes: edges whose time is over, edges whose time ends soon, and edges that
 * stay, unless a record removes them. The shards are those that stay.
 */
final class ExpiryIT {
    private static final int EVENTS = 3_000;
    private static final int VERTICES = 40;
    private static final int CRASHES_AT_BATCH = 1;
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    private Topics topics = new Topics("window-");
    private final SplittableRandom random = new SplittableRandom(12);
    private final List<String> staying = new ArrayList<>();
    private long stayingAdded;
    private long leavingAdded;

    @ParameterizedTest(name = "bootstrap: {0}")
    @ValueSource(booleans = {false, true})
    void theShardsAreTheWindowAlsoAfterACrash(boolean bootstraps) throws Exception {
        topics = new Topics(bootstraps ? "bootstrap-window-" : "window-");
        LiveJobOptions options = LiveJobOptions.of(Map.ofEntries(
                Map.entry("bootstrap-servers", broker.bootstrapServers()),
                Map.entry("topic-prefix", topics.prefix()),
                Map.entry("partitions", "4"),
                Map.entry("wait-limit", "200ms"),
                Map.entry("keep-edges", "true"),
                Map.entry("event-format", "json"),
                Map.entry("bootstrap", bootstraps ? "now" : ""),
                Map.entry("ttl", "10min"),
                Map.entry("ttl-from", "ms")));
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.spec(topics.edges(), 1));
        }
        write();
        PartitionRequest request = LiveRequests.of(LivePartitionJob.fixed(options), false);
        String name = folder.toString();
        try (EmbeddedRun run = SharedCluster.start(
                name,
                env -> {
                    var read = CrashOnce.in(PartitionJob.read(env, request), name, CRASHES_AT_BATCH);
                    TopicOutput.attach(
                            PartitionJob.define(read, request), request.output().topics(), request.identity());
                },
                new EmbeddedOptions(folder, Duration.ofMillis(500), 64 << 20, 1))) {
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).until(() -> {
                writeLeaving(); // what was written may come in fewer batches, and a history is one
                return CrashOnce.hasCrashed(name);
            });
            write();
            // Whether edges come before their time is over depends on the machine, so more come until some have.
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).until(() -> {
                writeLeaving();
                return metric(run, "expiredEdges") > 0;
            });
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(300))
                    .untilAsserted(() -> assertThat(shards()).isEqualTo(expected()));
            RunReport report = new QualityReader(broker.bootstrapServers(), Map.of()).last(topics);
            assertThat(report).isNotNull();
            assertThat(report.quality().deadLetters()).isZero();
            assertThat(report.unknownRemovals()).isZero();
            assertThat(metric(run, "lateEdges")).isPositive();
            assertThat(metric(run, "lateEdges") + metric(run, "expiredEdges")).isEqualTo(leavingAdded);
            if (!bootstraps) { // in a history, removed edges do not come
                assertThat(metric(run, "windowEdges")).isEqualTo(stayingAdded);
            }
            assertThat(run.await(Duration.ZERO)).isFalse();
        }
    }

    /** Returns 0 while the job restarts. */
    private static long metric(EmbeddedRun run, String name) {
        return (long) run.metrics().value(name).orElse(0);
    }

    private Map<String, Integer> shards() {
        Map<String, Integer> copies = new TreeMap<>();
        new ShardReader(broker.bootstrapServers(), Map.of(), topics.shards())
                .readAll(shard -> shard.edges().forEach(batch -> {
                    for (int i = 0; i < batch.size(); i++) {
                        copies.merge(batch.source(i) + " " + batch.target(i), 1, Integer::sum);
                    }
                }));
        return copies;
    }

    private Map<String, Integer> expected() {
        Map<String, Integer> copies = new TreeMap<>();
        staying.forEach(edge -> copies.merge(edge, 1, Integer::sum));
        return copies;
    }

    /** Edges of each age lead from sources of their own, so that a removal takes one that stays. */
    private void write() {
        long now = System.currentTimeMillis();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            for (int i = 0; i < EVENTS; i++) {
                int target = random.nextInt(VERTICES);
                int source = random.nextInt(VERTICES);
                boolean isLate = random.nextInt(3) == 0;
                switch (random.nextInt(3)) {
                    case 0 -> {
                        staying.add(source + " " + target);
                        stayingAdded++;
                        send(producer, "add", source, target, now - TTL.toMillis() / 2);
                    }
                    case 1 -> {
                        long age = isLate ? 2 * TTL.toMillis() : TTL.minus(SOON).toMillis();
                        send(producer, "add", source + VERTICES, target, now - age);
                        leavingAdded++;
                    }
                    default -> {
                        if (isLate && staying.remove(source + " " + target)) {
                            send(producer, "remove", source, target, now);
                        }
                    }
                }
            }
        }
    }

    private void writeLeaving() {
        long time = System.currentTimeMillis() - TTL.minus(SOON).toMillis();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            send(producer, "add", VERTICES, 0, time);
            leavingAdded++;
        }
    }

    private void send(KafkaProducer<byte[], byte[]> producer, String operation, int source, int target, long time) {
        String json = "{\"op\":\"%s\",\"src\":%d,\"dst\":%d,\"timestamp\":%d}";
        producer.send(new ProducerRecord<>(
                topics.edges(), json.formatted(operation, source, target, time).getBytes(UTF_8)));
    }
}
