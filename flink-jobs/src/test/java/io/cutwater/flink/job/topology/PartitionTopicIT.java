package io.cutwater.flink.job.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.format.audit.EdgePartitionAudit;
import io.cutwater.format.audit.EdgePartitionAudit.Fingerprint;
import io.cutwater.format.audit.PartitionAudit;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.client.DeadLetterRecords;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.testkit.BrokerExtension;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole job, topic to topics and folder, on an embedded broker and an embedded Flink cluster. */
final class PartitionTopicIT {
    private static final int K = 5;
    private static final int RECORDS = 60_000;
    private static final int SHARD_TOPIC_PARTITIONS = 3;
    private static final long CACHE_BYTES = 1 << 20;

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    private int runs;

    /** From 2 on, whose jobs have two passes, and edges that wait. */
    static LongStream seeds() {
        return LongStream.rangeClosed(2, 1 + Integer.getInteger("cutwater.seeds", 1));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"dbh", "cutwater"})
    void aTopicOfOnePartitionGivesTheShardsOfThePlainLoop(String algorithm) throws Exception {
        Topics topics = topics("one-" + algorithm + "-", 1);
        List<String> lines = produce(topics, 1);
        FolderRun run = run(topics, options(algorithm), FolderRun.NO_CRASH);
        Path file = Files.write(folder.resolve("edges.txt"), lines);
        assertThat(written(topics).shards()).isEqualTo(PlainLoop.shards(List.of(file), options(algorithm)));
        assertThat(run.shards()).isEqualTo(written(topics).shards());
    }

    /**
     * 60,000 edges are 15 batches and a pass. In the second of four passes; in a campaign also at the end of the first
     * two, and of the last.
     */
    static IntStream batchesOfCrashes() {
        return Integer.getInteger("cutwater.seeds") == null ? IntStream.of(16) : IntStream.of(14, 16, 33, 47);
    }

    @ParameterizedTest(name = "batch {0}")
    @MethodSource("batchesOfCrashes")
    void severalPassesReadInOneOrderAlsoAfterACrashInOrBetweenThem(int crashAt) throws Exception {
        Topics topics = topics("passes" + crashAt + "-", 4);
        List<String> lines = produce(topics, 3);
        PartitionerOptions options =
                PartitionerOptions.ofEdges("sigma-edge", K, 1, PassMode.BULK, Map.of("clustering", "edge-stream"));
        run(topics, options, crashAt);
        List<String> inOrder = IntStream.range(0, 3)
                .boxed()
                .flatMap(p ->
                        IntStream.iterate(p, i -> i < lines.size(), i -> i + 3).mapToObj(lines::get))
                .toList();
        Path file = Files.write(folder.resolve("edges.txt"), inOrder);
        assertThat(written(topics).shards()).isEqualTo(PlainLoop.shards(List.of(file), options));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aReaderOfCommittedShardsSeesEveryEdgeOnceAlsoAfterACrash(long seed) throws Exception {
        Topics topics = topics("crash" + seed + "-", 4);
        // Topic partition 3 stays empty: an idle one must not hold up the job.
        List<String> lines = produce(topics, 3);
        PartitionerOptions options = options(seed % 2 == 0 ? "greedy" : "hdrf");
        FolderRun run = run(topics, options, 2 + new SplittableRandom(seed).nextInt(10));
        List<String> seen = new ArrayList<>();
        written(topics).shards().forEach(seen::addAll);
        Collections.sort(seen);
        Collections.sort(lines);
        assertThat(seen).isEqualTo(lines);
        assertThat(run.shards()).isEqualTo(written(topics).shards());
        assertThat(run.report().report().quality())
                .isEqualTo(EdgePartitionAudit.of(run.output()).report(0));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aReaderOfCommittedShardsSeesEveryEdgeAtEachOwnerAlsoAfterACrash(long seed) throws Exception {
        Topics topics = topics("vertices" + seed + "-", 4);
        List<String> lines = produce(topics, 3);
        // Fewer edges than the input has, so that some go before its end.
        PartitionerOptions options = seed % 2 == 0
                ? PartitionerOptions.ofVertices("cutwater", K, 1, PassMode.LIVE, Map.of("window", "5000"))
                : PartitionerOptions.ofVertices("ldg", K, 1, PassMode.BULK, Map.of());
        FolderRun run = FolderRun.of(
                folder.resolve("run" + runs++),
                input(topics),
                options,
                CACHE_BYTES,
                output(topics),
                2 + new SplittableRandom(seed).nextInt(10));
        assertThat(written(topics).shards()).isEqualTo(run.shards());
        assertThat(written(topics).book()).isEqualTo(run.book());
        PartitionAudit recount = PartitionAudit.begin(run.output());
        run.output().readEdges(recount::add);
        assertThat(recount.firstDifference(run.output())).isEmpty();
        assertThat(recount.fingerprint()).isEqualTo(fingerprint(lines));
        assertThat(recount.report(0))
                .isEqualTo(run.report().report().quality())
                .isEqualTo(written(topics).lastReport().quality());
    }

    private static Fingerprint fingerprint(List<String> lines) {
        EdgeBatch edges = new EdgeBatch(lines.size());
        for (String line : lines) {
            String[] ends = line.split(" ");
            edges.add(Long.parseLong(ends[0]), Long.parseLong(ends[1]));
        }
        return Fingerprint.NONE.plus(edges);
    }

    @Test
    void bookTopicAndLastReportEqualThoseOfTheFolder() throws Exception {
        Topics topics = topics("book-", 1);
        produce(topics, 1);
        FolderRun run = run(topics, options("hdrf"), FolderRun.NO_CRASH);

        assertThat(written(topics).book()).isEqualTo(run.book());
        assertThat(written(topics).lastReport().quality())
                .isEqualTo(run.report().report().quality());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"hash", "cutwater"})
    void aMalformedRecordBecomesADeadLetterWithItsOrigin(String algorithm) throws Exception {
        Topics topics = topics("bad-" + algorithm + "-", 1);
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            producer.send(new ProducerRecord<>(topics.edges(), bytes("k1"), bytes("1 2")));
            producer.send(new ProducerRecord<>(topics.edges(), bytes("k2"), bytes("one two")));
            producer.send(new ProducerRecord<>(topics.edges(), null, null));
            producer.send(new ProducerRecord<>(topics.edges(), null, bytes("3 3")));
        }
        FolderRun run = run(topics, options(algorithm), FolderRun.NO_CRASH);
        assertThat(run.report().report().quality().edges()).isEqualTo(2);
        assertThat(run.report().report().quality().deadLetters()).isEqualTo(2);

        List<Map<String, String>> letters = new ArrayList<>();
        List<String> values = new ArrayList<>();
        read(topics.deadLetters(), record -> {
            Map<String, String> headers = new HashMap<>();
            record.headers().forEach(header -> headers.put(header.key(), text(header.value())));
            letters.add(headers);
            values.add(record.value() == null ? "" : text(record.value()));
        });
        assertThat(values).containsExactly("one two", "");
        assertThat(letters.get(0))
                .containsEntry(DeadLetterRecords.TOPIC, topics.edges())
                .containsEntry(DeadLetterRecords.PARTITION, "0")
                .containsEntry(DeadLetterRecords.OFFSET, "1");
        assertThat(letters.get(0).get(DeadLetterRecords.REASON)).contains("one");
        assertThat(letters.get(1)).containsEntry(DeadLetterRecords.OFFSET, "2");
    }

    private static PartitionerOptions options(String algorithm) {
        return PartitionerOptions.ofEdges(algorithm, K, 1, PassMode.BULK, Map.of());
    }

    private static Topics topics(String prefix, int edgePartitions) {
        Topics topics = new Topics(prefix);
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(
                    topics.spec(topics.edges(), edgePartitions),
                    topics.spec(topics.shards(), SHARD_TOPIC_PARTITIONS),
                    topics.spec(topics.partitionBook(), 2),
                    topics.spec(topics.quality(), 1),
                    topics.spec(topics.report(), 1),
                    topics.spec(topics.deadLetters(), 1));
        }
        return topics;
    }

    /** Sends random edges to the first topic partitions and returns them as lines. */
    private static List<String> produce(Topics topics, int topicPartitions) {
        SplittableRandom random = new SplittableRandom(5);
        List<String> lines = new ArrayList<>();
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int i = 0; i < RECORDS; i++) {
                String line = random.nextInt(2_000) + " " + (Long.MIN_VALUE + random.nextInt(5_000));
                lines.add(line);
                producer.send(
                        new ProducerRecord<>(topics.edges(), i % topicPartitions, null, bytes(line)),
                        (sent, exception) -> failure.compareAndSet(null, exception));
            }
        }
        assertThat(failure.get()).isNull();
        return lines;
    }

    private static KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()));
    }

    private FolderRun run(Topics topics, PartitionerOptions options, int crashAt) throws Exception {
        return FolderRun.of(
                folder.resolve("run" + runs++), input(topics), options, CACHE_BYTES, output(topics), crashAt);
    }

    private static EdgeInput input(Topics topics) {
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            return new EdgeInput.Topic(
                    broker.bootstrapServers(),
                    topics.edges(),
                    new RecordFormat.Own(EdgeEventFormat.CSV),
                    admin.offsets().beginnings(topics.edges()),
                    admin.offsets().ends(topics.edges()),
                    Map.of());
        }
    }

    private static TopicOutputOptions output(Topics topics) {
        return new TopicOutputOptions(
                broker.bootstrapServers(), topics.prefix(), topics.prefix() + "job", Duration.ofMinutes(5), Map.of());
    }

    private static OutputTopics written(Topics topics) {
        return new OutputTopics(broker.bootstrapServers(), topics, K, SHARD_TOPIC_PARTITIONS);
    }

    private static void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> handler) {
        new TopicReader(broker.bootstrapServers(), Map.of()).readAll(topic, handler);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
