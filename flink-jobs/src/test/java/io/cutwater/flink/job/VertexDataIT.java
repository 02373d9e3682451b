package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.connector.output.PartitionStreams;
import io.cutwater.flink.connector.output.TopicOutput;
import io.cutwater.flink.job.fault.CrashOnce;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.format.VertexSplit;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.format.vertex.VertexRecordCodec;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.command.PlanTopics;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.replay.ReplayedVertices;
import io.cutwater.kafka.replay.ShardReader;
import io.cutwater.kafka.replay.ShardReplay;
import io.cutwater.kafka.textid.TextHash;
import io.cutwater.kafka.textid.VertexTextCodec;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.testkit.BrokerExtension;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The live job with topic {@code vertices}, on an embedded broker and an embedded Flink cluster, over a crash. */
final class VertexDataIT {
    private static final int K = 5;
    private static final int EDGES = 20_000;
    private static final int VERTICES = 1_000;
    /** Vertices below 0 have no edges. */
    private static final int LOWEST = -100;

    private static final int TOPIC_PARTITIONS = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    /**
     * Edges and vertices are also removed, and vertices leave with their last edge. With one task, ids are hashes of
     * text, and the graph is re-partitioned.
     */
    @ParameterizedTest(name = "{0} of kind {1}, {2} tasks with vertices, a crash at batch {3}")
    @CsvSource({"cutwater, vertex, 1, 3", "hdrf, edge, 2, 2"})
    void everyShardHasTheLastDataOfExactlyItsVertices(String algorithm, String kind, int tables, int batch)
            throws Exception {
        Scene scene = new Scene(algorithm + "-", tables == 1);
        // Some before the edges, more while they come, of some vertices again; and some of vertices without edges.
        scene.describe(VERTICES / 2);
        scene.link(EDGES / 2);
        LiveJobOptions options = LiveJobOptions.parse(
                "--bootstrap-servers",
                broker.bootstrapServers(),
                "--topic-prefix",
                scene.topics.prefix(),
                "--partitions",
                "" + K,
                "--algorithm",
                algorithm,
                "--kind",
                kind,
                "--parallelism",
                "" + tables,
                "--event-format",
                "json",
                "--keep-edges",
                "true",
                "--remove-vertices",
                "true",
                "--ids",
                tables == 1 ? "text" : "integer",
                "--wait-limit",
                "200ms",
                "--vertex-data",
                "true");
        PartitionRequest request = LivePartitionJob.request(options, LiveTopics.prepare(options, false));
        String name = folder.toString();
        try (EmbeddedRun run = SharedCluster.start(
                name,
                env -> {
                    DataStream<EdgeBatch> edges = CrashOnce.in(PartitionJob.read(env, request), name, batch);
                    PartitionStreams streams = PartitionJob.define(edges, request);
                    TopicOutput.attach(streams, request.output().topics(), request.identity());
                },
                new EmbeddedOptions(folder, Duration.ofMillis(500), 64 << 20, 1))) {
            scene.describe(VERTICES);
            scene.sendMalformed();
            do {
                scene.unlink(EDGES / 4);
                scene.link(EDGES / 8);
                scene.describe(VERTICES / 10);
                scene.awaitAll();
                scene.forget(VERTICES / 100);
                scene.awaitAll();
            } while (!CrashOnce.hasCrashed(name));
            if (tables == 1) {
                assertThat(scene.repartition(K + 2)).isPositive();
                scene.awaitAll();
            }
            await().atMost(PATIENCE)
                    .until(scene::deadLetters, List.of("label is not an integer from 0, or -1: '-2'")::equals);
            assertThat(run.await(Duration.ZERO)).isFalse();
        }
    }

    /** A graph's topics, and all that was ever written to them. */
    private static final class Scene {
        private final Topics topics;
        private final SplittableRandom random = new SplittableRandom(7);
        private final VertexRecordCodec codec = new VertexRecordCodec();
        private final Map<Long, VertexRecord> described = new HashMap<>();
        private final List<String> links = new ArrayList<>();
        private final Set<Long> forgotten = new HashSet<>();
        private final boolean areTexts;

        /** @param areTexts whether the numbers of vertices are text, whose hashes are the ids */
        Scene(String prefix, boolean areTexts) {
            this.areTexts = areTexts;
            topics = new Topics(prefix);
            try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
                admin.ensure(topics.spec(topics.edges(), 1), topics.spec(topics.vertices(), TOPIC_PARTITIONS));
            }
        }

        private long id(long vertex) {
            return areTexts ? TextHash.of(0).id(bytes(Long.toString(vertex))) : vertex;
        }

        /** Edges between the vertices from 0, those of high numbers seldom. */
        void link(int edges) {
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (int i = 0; i < edges; i++) {
                long source = (long) (random.nextDouble() * random.nextDouble() * VERTICES);
                long target = source / 50 * 50 + random.nextInt(70);
                String ends = "\"src\":%d,\"dst\":%d}".formatted(source, target);
                links.add(ends);
                forgotten.removeAll(List.of(source, target));
                records.add(new ProducerRecord<>(topics.edges(), bytes("{" + ends)));
            }
            send(records);
        }

        /** Takes some of the edges away that are there. */
        void unlink(int edges) {
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (int i = 0; i < edges; i++) {
                String ends = links.remove(random.nextInt(links.size()));
                records.add(new ProducerRecord<>(topics.edges(), bytes("{\"op\":\"remove\"," + ends)));
            }
            send(records);
        }

        /** Removes vertices with their edges and data; those that come again later have no data. */
        void forget(int vertices) {
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (int i = 0; i < vertices; i++) {
                long vertex = (long) (random.nextDouble() * random.nextDouble() * VERTICES);
                links.removeIf(ends -> ends.contains("\"src\":%d,".formatted(vertex))
                        || ends.contains("\"dst\":%d}".formatted(vertex)));
                described.remove(vertex);
                forgotten.add(vertex);
                records.add(new ProducerRecord<>(
                        topics.edges(), bytes("{\"op\":\"remove\",\"vertex\":%d}".formatted(vertex))));
            }
            send(records);
        }

        /** Sends new data of vertices and deletions of others, in both formats. */
        void describe(int times) {
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                long vertex = random.nextInt(LOWEST, VERTICES);
                byte[] value = value(vertex, random.nextInt(8));
                // One key for each vertex, so that its records are in one topic partition.
                byte[] key = bytes(Long.toString(id(vertex)));
                records.add(new ProducerRecord<>(topics.vertices(), key, value));
                if (value == null) {
                    described.remove(vertex);
                } else {
                    described.put(vertex, codec.decode(key, value));
                }
            }
            send(records);
        }

        private byte @Nullable [] value(long vertex, int form) {
            int label = random.nextInt(100);
            if (form == 0) {
                return null;
            }
            return form < 4
                    ? bytes("{\"id\":%d,\"features\":[0.5,%d],\"label\":%d,\"split\":\"val\"}"
                            .formatted(id(vertex), vertex, label))
                    : VertexRecordCodec.value(new float[] {vertex, 0, 0.25f}, 3, label, VertexSplit.TRAIN);
        }

        void sendMalformed() {
            send(List.of(new ProducerRecord<>(topics.vertices(), bytes("3"), bytes("{\"label\":-2}"))));
        }

        private static void send(List<ProducerRecord<byte[], byte[]>> records) {
            AtomicReference<Exception> failure = new AtomicReference<>();
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
                records.forEach(
                        record -> producer.send(record, (sent, exception) -> failure.compareAndSet(null, exception)));
            }
            assertThat(failure.get()).isNull();
        }

        /** Waits until the shards have every edge, and know what they should of their vertices. */
        void awaitAll() {
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).untilAsserted(() -> {
                AtomicLong edges = new AtomicLong();
                new ShardReader(broker.bootstrapServers(), Map.of(), topics.shards()).readAll(shard -> {
                    edges.addAndGet(copies(shard));
                    requireTrue(shard);
                });
                assertThat(edges).hasValue(links.size());
                requireTexts();
            });
        }

        /** Every vertex with an edge has its text in topic ids, and none that was removed. */
        private void requireTexts() {
            if (!areTexts) {
                return;
            }
            Map<Long, String> texts = new HashMap<>();
            new TopicReader(broker.bootstrapServers(), Map.of()).readAll(topics.ids(), record -> {
                long vertex = VertexTextCodec.vertex(record.key());
                if (record.value() == null) {
                    assertThat(texts.remove(vertex)).isNotNull();
                } else {
                    String text = new String(VertexTextCodec.text(record.value()), StandardCharsets.UTF_8);
                    assertThat(texts.put(vertex, text)).isNull();
                    assertThat(id(Long.parseLong(text))).isEqualTo(vertex);
                }
            });
            assertThat(forgotten).noneMatch(vertex -> texts.containsKey(id(vertex)));
            Set<String> ends = links.stream()
                    .flatMap(link -> Stream.of(link.replaceAll("[^0-9,]", "").split(",")))
                    .collect(Collectors.toSet());
            assertThat(texts.values()).containsAll(ends);
        }

        /** A cut edge is in two shards, and counts in that of its source's owner. */
        private static long copies(ShardReplay shard) {
            AtomicLong copies = new AtomicLong();
            shard.edges().forEach(batch -> {
                for (int i = 0; i < batch.size(); i++) {
                    boolean isOthers = batch.hasPlaces() && Place.ofSource(batch.place(i)) != shard.shard();
                    copies.addAndGet(isOthers ? 0 : 1);
                }
            });
            return copies.get();
        }

        private void requireTrue(ShardReplay shard) {
            ReplayedVertices vertices = shard.vertices();
            Set<Long> there = new HashSet<>();
            for (int i = 0; i < vertices.size(); i++) {
                there.add(vertices.vertex(i));
            }
            List<Long> wrong = new ArrayList<>();
            for (long vertex = LOWEST; vertex < VERTICES + 100; vertex++) {
                VertexRecord expected = there.contains(id(vertex)) ? described.get(vertex) : null;
                if (!shard.data(id(vertex)).equals(Optional.ofNullable(expected))) {
                    wrong.add(vertex);
                }
            }
            assertThat(wrong).as("shard %d", shard.shard()).isEmpty();
        }

        /** Asks for as many partitions, and tells how many edges have moved. */
        long repartition(int partitions) {
            try (PlanTopics plans = new PlanTopics(broker.bootstrapServers(), Map.of(), topics)) {
                plans.send(new JobCommand.Repartition("grow", partitions, 1, Long.MAX_VALUE, false));
                await().atMost(PATIENCE).until(() -> {
                    plans.poll();
                    RepartitionStatus status = plans.status("grow");
                    return status != null && status.state().isOver();
                });
                RepartitionStatus last = Objects.requireNonNull(plans.status("grow"));
                assertThat(last.state()).as(last.reason()).isEqualTo(PlanState.DONE);
                return last.edgesMoved();
            }
        }

        List<String> deadLetters() {
            List<String> reasons = new ArrayList<>();
            new TopicReader(broker.bootstrapServers(), Map.of())
                    .readAll(
                            topics.deadLetters(),
                            letter -> reasons.add(new String(
                                    letter.headers().lastHeader("reason").value(), StandardCharsets.UTF_8)));
            return reasons;
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
