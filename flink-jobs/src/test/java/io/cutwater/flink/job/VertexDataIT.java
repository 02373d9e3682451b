package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.connector.TopicOutput;
import io.cutwater.flink.stream.PartitionStreams;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.client.TopicReader;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.record.ShardRecordCodec;
import io.cutwater.kafka.record.ShardVertexCodec;
import io.cutwater.kafka.record.VertexRecord;
import io.cutwater.kafka.record.VertexRecordCodec;
import io.cutwater.kafka.record.VertexSplit;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.OwnerPair;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The live job with topic {@code vertices}, on an embedded broker and an embedded Flink cluster, over a crash. */
final class VertexDataIT {
    private static final int K = 5;
    private static final int EDGES = 20_000;
    private static final int VERTICES = 1_000;
    private static final int TOPIC_PARTITIONS = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private static Path shared;

    private static EmbeddedBroker broker;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = EmbeddedBroker.start(shared.resolve("broker"));
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    @ParameterizedTest(name = "{0}, {1} tasks with vertices, a crash at batch {2}")
    @CsvSource({"cutwater, vertex, 1, 3", "hdrf, edge, 2, 2"})
    void everyShardHasTheLastDataOfExactlyItsVertices(String algorithm, String kind, int tables, int batch)
            throws Exception {
        Scene scene = new Scene(algorithm + "-");
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
                "--wait-limit",
                "200ms",
                "--vertex-data",
                "true");
        PartitionRequest request = LivePartitionJob.request(options, LiveTopics.prepare(options, false));
        String name = folder.toString();
        try (EmbeddedRun run = EmbeddedRun.start(
                name,
                env -> {
                    DataStream<EdgeBatch> edges = CrashOnce.in(PartitionJob.read(env, request), name, batch);
                    PartitionStreams streams = PartitionJob.define(edges, request);
                    TopicOutput.attach(streams, request.topics(), request.identity());
                },
                new EmbeddedOptions(folder, Duration.ofMillis(200), 64 << 20, 1))) {
            scene.describe(VERTICES);
            scene.sendMalformed();
            do {
                scene.link(EDGES / 4);
                scene.describe(VERTICES / 10);
                scene.awaitAll();
            } while (!CrashOnce.hasCrashed(name));
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
        private int links;

        Scene(String prefix) {
            topics = new Topics(prefix);
            try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
                admin.ensure(topics.spec(topics.edges(), 1), topics.spec(topics.vertices(), TOPIC_PARTITIONS));
            }
        }

        /** Edges between the vertices from 0, those of high numbers seldom. */
        void link(int edges) {
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (int i = 0; i < edges; i++) {
                long source = (long) (random.nextDouble() * random.nextDouble() * VERTICES);
                records.add(new ProducerRecord<>(
                        topics.edges(), bytes(source + " " + (source / 50 * 50 + random.nextInt(70)))));
            }
            links += edges;
            send(records);
        }

        /** What is known of vertices now, that nothing is of some; in both formats. */
        void describe(int times) {
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                long vertex = random.nextInt(-100, VERTICES);
                byte[] value = value(vertex, random.nextInt(8));
                // One key for each vertex, so that its records are in one topic partition.
                records.add(new ProducerRecord<>(topics.vertices(), bytes(Long.toString(vertex)), value));
                if (value == null) {
                    described.remove(vertex);
                } else {
                    described.put(vertex, codec.decode(bytes(Long.toString(vertex)), value));
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
                            .formatted(vertex, vertex, label))
                    : VertexRecordCodec.value(new float[] {vertex, 0, .25f}, 3, label, VertexSplit.TRAIN);
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

        /** Waits until every edge is committed, and finds that the shards know what they should. */
        void awaitAll() {
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).untilAsserted(() -> {
                Shards shards = new Shards();
                new TopicReader(broker.bootstrapServers(), Map.of())
                        .readAll(topics.shards(), record -> shards.apply(record.key(), record.value()));
                assertThat(shards.edges).isEqualTo(links);
                assertThat(shards.data.equals(shards.expected(described)))
                        .as("%d copies of data", shards.data.size())
                        .isTrue();
            });
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

    /** What a reader of the whole topic has. */
    private static final class Shards {
        private long edges;
        private final Map<String, VertexRecord> data = new TreeMap<>();
        private final TreeSet<String> vertices = new TreeSet<>();

        void apply(byte[] key, byte[] value) {
            int shard = ShardRecordCodec.shard(key);
            if (ShardVertexCodec.tellsOfVertices(value)) {
                ShardVertexCodec.decode(value, new ShardVertexCodec.Handler() {
                    @Override
                    public void data(VertexRecord vertex) {
                        data.put(copy(shard, vertex.vertex()), vertex);
                    }

                    @Override
                    public void gone(long vertex) {
                        assertThat(data.remove(copy(shard, vertex))).isNotNull();
                    }
                });
                return;
            }
            EdgeBatch batch = new EdgeBatch();
            ShardRecordCodec.decode(value, batch);
            for (int i = 0; i < batch.size(); i++) {
                vertices.add(copy(shard, batch.source(i)));
                vertices.add(copy(shard, batch.target(i)));
                // A cut edge is in two shards, and counts in that of its source's owner.
                boolean isHalo = batch.hasPlaces() && OwnerPair.ofSource(batch.place(i)) != shard;
                edges += isHalo ? 0 : 1;
            }
        }

        Map<String, VertexRecord> expected(Map<Long, VertexRecord> described) {
            Map<String, VertexRecord> expected = new TreeMap<>();
            for (String copy : vertices) {
                VertexRecord record = described.get(Long.valueOf(copy.substring(copy.indexOf(' ') + 1)));
                if (record != null) {
                    expected.put(copy, record);
                }
            }
            return expected;
        }

        private static String copy(int shard, long vertex) {
            return shard + " " + vertex;
        }
    }
}
