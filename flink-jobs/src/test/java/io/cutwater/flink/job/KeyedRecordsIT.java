package io.cutwater.flink.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.cutwater.flink.connector.output.TopicOutput;
import io.cutwater.flink.job.fault.CrashOnce;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.replay.ShardReader;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.textid.TextHash;
import io.cutwater.kafka.textid.VertexTextCodec;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.Hashing;
import io.cutwater.testkit.BrokerExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A topic of upserts in Avro, whose schemas a registry has, through a live job that crashes, against a map from keys to
 * edges: each edge of a shard has the key of its record. The source delivers some records twice. Vertices are text, in
 * one of the schemas as numbers. Where the topic has one partition, records in JSON among the others remove vertices.
 */
final class KeyedRecordsIT {
    private static final int EVENTS = 3_000;
    private static final int VERTICES = 60;
    private static final int CRASHES_AT_BATCH = 1;
    private static final long IDS_SEED = 7;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String FIRST =
            "{\"type\":\"record\",\"name\":\"P\",\"fields\":[{\"name\":\"payer\",\"type\":\"long\"},{\"name\":\"payee\",\"type\":\"long\"}]}";
    private static final String SECOND =
            "{\"type\":\"record\",\"name\":\"P\",\"fields\":[{\"name\":\"payee\",\"type\":[\"null\",\"string\"]},{\"name\":\"note\",\"type\":\"string\"},{\"name\":\"payer\",\"type\":\"string\"}]}";

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    private final SplittableRandom random = new SplittableRandom(11);
    private final Map<Integer, String> edges = new HashMap<>();
    private long removedInVain;
    private final AtomicInteger questions = new AtomicInteger();
    private final HttpServer registry = registry();

    KeyedRecordsIT() throws IOException {}

    private HttpServer registry() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/schemas/ids/", exchange -> {
            questions.incrementAndGet();
            String schema = exchange.getRequestURI().getPath().endsWith("/1") ? FIRST : SECOND;
            byte[] answer = "{\"schema\":\"%s\"}"
                    .formatted(schema.replace("\"", "\\\""))
                    .getBytes(UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.createContext("/subjects/", exchange -> {
            byte[] answer = "{\"error_code\":40401,\"message\":\"Subject not found\"}".getBytes(UTF_8);
            exchange.sendResponseHeaders(404, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return server;
    }

    @AfterEach
    void stop() {
        registry.stop(0);
    }

    @ParameterizedTest(name = "tables: {0}, topic partitions: {1}")
    @CsvSource({"1, 1", "2, 3"})
    void shardsEqualTheNewestRecordOfEachKeyAlsoAfterACrash(int tables, int topicPartitions) throws Exception {
        boolean removesVertices = topicPartitions == 1;
        Topics topics = new Topics("keyed" + tables + "-");
        LiveJobOptions options = LiveJobOptions.of(Map.ofEntries(
                Map.entry("bootstrap-servers", broker.bootstrapServers()),
                Map.entry("topic-prefix", topics.prefix()),
                Map.entry("partitions", "4"),
                Map.entry("parallelism", Integer.toString(tables)),
                Map.entry("wait-limit", "200ms"),
                Map.entry("keep-edges", "true"),
                Map.entry("event-format", "avro"),
                Map.entry(
                        "schema-registry",
                        "http://localhost:" + registry.getAddress().getPort()),
                Map.entry("source", "payer"),
                Map.entry("target", "payee"),
                Map.entry("ids", "text"),
                Map.entry("ids-seed", Long.toString(IDS_SEED)),
                Map.entry("edge-key", ":key"),
                Map.entry("remove-vertices", Boolean.toString(removesVertices))));
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.spec(topics.edges(), topicPartitions));
            admin.ensure(topics.texts());
        }
        PartitionRequest request = LiveRequests.of(options, false);
        write(topics, removesVertices);
        String name = folder.toString();
        try (EmbeddedRun run = SharedCluster.start(
                name,
                env -> {
                    var read = CrashOnce.in(PartitionJob.read(env, request), name, CRASHES_AT_BATCH);
                    TopicOutput.attach(
                            PartitionJob.define(read, request), request.output().topics(), request.identity());
                },
                new EmbeddedOptions(folder, Duration.ofMillis(500), 64 << 20, 1))) {
            await().atMost(PATIENCE).until(() -> CrashOnce.hasCrashed(name));
            write(topics, removesVertices);
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(300))
                    .untilAsserted(() -> assertThat(shards(topics)).isEqualTo(expected()));
            assertThat(vertices(topics).values())
                    .hasSizeLessThanOrEqualTo(VERTICES)
                    .containsAll(ends());
            RunReport report = new QualityReader(broker.bootstrapServers(), Map.of()).last(topics);
            assertThat(report).isNotNull();
            assertThat(report.quality().deadLetters()).isZero();
            assertThat(report.unknownRemovals()).isEqualTo(removedInVain);
            assertThat(run.metrics().value("repeatedEdges").orElseThrow()).isPositive();
            assertThat(run.metrics().value("unknownKeys").orElseThrow()).isPositive();
            assertThat(questions.get())
                    .as("each schema is asked for once in an attempt")
                    .isLessThanOrEqualTo(4);
            assertThat(run.await(Duration.ZERO)).isFalse();
        }
    }

    @Tag("campaign")
    @ParameterizedTest(name = "tables: {0}, topic partitions: {1}")
    @CsvSource({"3, 1"})
    void equalThemWithVertexRemovalsInSeveralTasksToo(int tables, int topicPartitions) throws Exception {
        shardsEqualTheNewestRecordOfEachKeyAlsoAfterACrash(tables, topicPartitions);
    }

    /** The edge of each key. */
    private static Map<Long, String> shards(Topics topics) {
        Map<Long, String> edges = new HashMap<>();
        Map<Long, String> texts = vertices(topics);
        new ShardReader(broker.bootstrapServers(), Map.of(), topics.shards())
                .readAll(shard -> shard.edges().forEach(batch -> {
                    for (int i = 0; i < batch.size(); i++) {
                        String edge = texts.get(batch.source(i)) + " " + texts.get(batch.target(i));
                        assertThat(edges.put(batch.key(i), edge)).isNull();
                    }
                }));
        return edges;
    }

    /** The texts of topic ids, of which each is there once and has its hash for an id. */
    private static Map<Long, String> vertices(Topics topics) {
        Map<Long, String> texts = new HashMap<>();
        TextHash hash = TextHash.of(IDS_SEED);
        new TopicReader(broker.bootstrapServers(), Map.of()).readAll(topics.ids(), record -> {
            long vertex = VertexTextCodec.vertex(record.key());
            if (record.value() == null) {
                assertThat(texts.remove(vertex)).isNotNull();
                return;
            }
            byte[] text = VertexTextCodec.text(record.value());
            assertThat(hash.id(text)).isEqualTo(vertex);
            assertThat(texts.put(vertex, new String(text, UTF_8))).isNull();
        });
        return texts;
    }

    private Map<Long, String> expected() {
        Map<Long, String> expected = new HashMap<>();
        edges.forEach((key, edge) ->
                expected.put(ByteBuffer.wrap(Hashing.sha256().digest(key(key))).getLong(), edge));
        return expected;
    }

    private Set<String> ends() {
        return edges.values().stream()
                .flatMap(edge -> Stream.of(edge.split(" ")))
                .collect(Collectors.toSet());
    }

    private static byte[] key(int number) {
        return ("payment-" + number).getBytes(UTF_8);
    }

    private void write(Topics topics, boolean removesVertices) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            for (int i = 0; i < EVENTS; i++) {
                if (removesVertices && random.nextInt(100) == 0) {
                    removeVertex(Integer.toString(random.nextInt(VERTICES)), topics, producer);
                }
                int key = random.nextInt(EVENTS / 4);
                int payer = random.nextInt(VERTICES);
                int payee = random.nextInt(VERTICES);
                boolean isDeleted = random.nextInt(4) == 0;
                byte[] value = isDeleted ? null : random.nextBoolean() ? first(payer, payee) : second(payer, payee);
                if (isDeleted) {
                    edges.remove(key);
                } else {
                    edges.put(key, payer + " " + payee);
                }
                for (int copies = random.nextInt(5) == 0 ? 2 : 1; copies > 0; copies--) {
                    producer.send(new ProducerRecord<>(topics.edges(), key(key), value));
                }
            }
        }
    }

    private void removeVertex(String vertex, Topics topics, KafkaProducer<byte[], byte[]> producer) {
        boolean hadEdges =
                edges.values().removeIf(edge -> List.of(edge.split(" ")).contains(vertex));
        removedInVain += hadEdges ? 0 : 1;
        byte[] removal =
                "{\"op\":\"remove\",\"vertex\":\"%s\"}".formatted(vertex).getBytes(UTF_8);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topics.edges(), removal);
        record.headers().add(EdgeEventFormat.HEADER, EdgeEventFormat.JSON.header());
        producer.send(record);
    }

    private static byte[] first(int payer, int payee) {
        return record(1, 2).put(zigzag(payer)).put(zigzag(payee)).array();
    }

    private static byte[] second(int payer, int payee) {
        byte[] from = Integer.toString(payer).getBytes(UTF_8);
        byte[] to = Integer.toString(payee).getBytes(UTF_8);
        return record(2, 5 + from.length + to.length)
                .put(zigzag(1))
                .put(zigzag(to.length))
                .put(to)
                .put(zigzag(1))
                .put((byte) 'n')
                .put(zigzag(from.length))
                .put(from)
                .array();
    }

    private static ByteBuffer record(int schema, int length) {
        return ByteBuffer.allocate(1 + Integer.BYTES + length)
                .order(ByteOrder.BIG_ENDIAN)
                .put((byte) 0)
                .putInt(schema);
    }

    /** An Avro number below 64 takes one byte. */
    private static byte zigzag(long number) {
        return (byte) (number << 1);
    }
}
