package io.cutwater.flink.job.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.connector.file.EdgeFileSource.EdgeFile;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.job.EmbeddedOptions;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.job.LivePartitionJob;
import io.cutwater.flink.job.LiveRequests;
import io.cutwater.flink.job.SharedCluster;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.EdgeEventEncoder;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.placement.ShardChange;
import io.cutwater.testkit.BrokerExtension;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bounded runs over topics on which edges are taken away: the result is that of the edges that are left. */
final class NetTopicIT {
    private static final int K = 4;
    private static final int ROWS = 24_000;
    private static final int TOPIC_PARTITIONS = 3;
    private static final long CACHE_BYTES = 1 << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    /**
     * About 4 batches in a pass. sigma-edge with its stream's clusters makes four passes over what is left. Batches say
     * that they are some.
     */
    @ParameterizedTest(name = "{0}, duplicates {2}, crash at batch {3}")
    @CsvSource({"hdrf, BATCH, , 3", "hdrf, JSON, UNDIRECTED, 5", "sigma-edge, JSON, , 9", "cutwater, BATCH, DIRECTED, 3"
    })
    void placesEdgesAsIfTheNetEdgesWereTheInput(
            String algorithm, EdgeEventFormat format, @Nullable DuplicateRule dedupe, int crashAt) throws Exception {
        Written written = write(algorithm + format, format, 5);
        NetRows net = new NetRows(written.inOrder(), dedupe);
        PartitionerOptions options = options(algorithm);
        FolderRun run = FolderRun.of(folder, written.input(dedupe), options, CACHE_BYTES, null, crashAt);

        Path file = Files.write(folder.resolve("left.txt"), net.left());
        assertThat(run.shards()).isEqualTo(PlainLoop.shards(List.of(file), options));
        assertThat(run.unknownRemovals()).isEqualTo(net.unknownRemovals()).isPositive();
        assertThat(run.duplicates()).isEqualTo(net.duplicates());
        assertThat(run.takenAway()).isEqualTo(net.takenAway());
        assertThat(run.report().report().quality().edges()).isEqualTo(net.left().size());
        assertThat(run.report().report().quality().deadLetters()).isEqualTo(TOPIC_PARTITIONS);
    }

    @Test
    void placesVerticesAsIfTheNetEdgesWereTheInput() throws Exception {
        Written written = write("vertices", EdgeEventFormat.JSON, 6);
        PartitionerOptions options = PartitionerOptions.ofVertices("ldg", K, 1, PassMode.BULK, Map.of());
        FolderRun run = FolderRun.of(folder.resolve("topic"), written.input(null), options, CACHE_BYTES, null, 3);
        Path file = Files.write(folder.resolve("left.txt"), new NetRows(written.inOrder(), null).left());
        EdgeInput files =
                new EdgeInput.Files(List.of(new EdgeFile(file.toString(), EdgeFileFormat.TEXT, Files.size(file))));
        FolderRun ofFile = FolderRun.of(folder.resolve("file"), files, options, CACHE_BYTES, null, FolderRun.NO_CRASH);
        assertThat(run.hashes()).isEqualTo(ofFile.hashes());
    }

    /**
     * Records with keys, of which each replaces the one before, and removals of vertices. A crash makes the source find
     * the newest ones again.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"hdrf, 2", "cutwater, 2"})
    void placesTheNewestEdgeOfEachKey(String algorithm, int crashAt) throws Exception {
        Written written = new Written("keys-" + algorithm, EdgeEventFormat.JSON);
        List<String> left = written.sendKeyed(9);
        RecordFormat format = RecordFormatOptions.parse(
                Map.of("event-format", "json", "source", "a", "target", "b", "edge-key", ":key"));
        PartitionerOptions options = options(algorithm);
        FolderRun run = FolderRun.of(folder, written.inputIn(format), options, CACHE_BYTES, null, crashAt);
        Path file = Files.write(folder.resolve("left.txt"), left);
        assertThat(run.shards()).isEqualTo(PlainLoop.shards(List.of(file), options));
        assertThat(run.report().report().quality().edges()).isEqualTo(left.size());
        assertThat(run.report().report().quality().deadLetters()).isEqualTo(1);
    }

    /** Also checks that a live removal finds an edge of the history. */
    @Test
    void aBootstrapPlacesTheNetHistoryAndContinuesLive() throws Exception {
        Written written = write("bootstrap", EdgeEventFormat.JSON, 7);
        LiveJobOptions options = LivePartitionJob.fixed(LiveJobOptions.parse(
                ("--bootstrap-servers %s --topic-prefix %s --event-format json --partitions %d --bootstrap now"
                                + " --keep-edges true --remove-vertices true --ttl 1d")
                        .formatted(broker.bootstrapServers(), written.topics.prefix(), K)
                        .split(" ")));
        PartitionRequest request = LiveRequests.of(options, false);
        EmbeddedOptions embedded = new EmbeddedOptions(
                Files.createDirectories(folder.resolve("work")), Duration.ofMillis(200), 64 << 20, 0);
        try (EmbeddedRun run = SharedCluster.start(request, embedded)) {
            List<String> left = new NetRows(written.inOrder(), null).left();
            Collections.sort(left);
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(300))
                    .until(() -> written.shards().equals(left));
            EdgeBatch live = new EdgeBatch();
            for (int i = 0; i < left.size(); i += 100) {
                String[] ends = left.get(i).split(" ", -1);
                live.add(Long.parseLong(ends[0]), Long.parseLong(ends[1]));
                live.setRemoval(live.size() - 1);
            }
            List<String> later = IntStream.range(0, left.size())
                    .filter(i -> i % 100 != 0)
                    .mapToObj(left::get)
                    .toList();
            written.send(live, 1);
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(300))
                    .until(() -> written.shards().equals(later));
            assertThat(run.await(Duration.ZERO)).isFalse();
        }
    }

    private static PartitionerOptions options(String algorithm) {
        return PartitionerOptions.ofEdges(
                algorithm,
                K,
                1,
                PassMode.BULK,
                algorithm.equals("sigma-edge") ? Map.of("clustering", "edge-stream") : Map.of());
    }

    /** Edges that come and go: some before they are there, some twice, some of which there are several. */
    private static Written write(String prefix, EdgeEventFormat format, long seed) {
        System.out.printf("%s: seed %d%n", prefix, seed);
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch rows = new EdgeBatch();
        for (int i = 0; i < ROWS; i++) {
            if (i > 0 && random.nextInt(3) == 0) {
                int of = random.nextInt(i);
                rows.add(rows.source(of), rows.target(of));
                rows.setRemoval(i);
            } else if (format == EdgeEventFormat.JSON && random.nextInt(40) == 0) {
                long vertex = random.nextInt(320);
                rows.add(vertex, vertex);
                rows.setVertexRemoval(i);
            } else if (i > 0 && random.nextInt(9) == 0) {
                int of = random.nextInt(i);
                rows.add(rows.target(of), rows.source(of));
            } else {
                rows.add(random.nextInt(300), random.nextInt(320));
            }
        }
        Written written = new Written(prefix, format);
        written.send(rows, TOPIC_PARTITIONS);
        return written;
    }

    /** Events on a topic, with the resulting graph. */
    private static final class Written {
        private final Topics topics;
        private final EdgeEventFormat format;
        private final List<EdgeBatch> byTopicPartition = new ArrayList<>();

        Written(String prefix, EdgeEventFormat format) {
            topics = new Topics(prefix + "-");
            this.format = format;
            try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
                admin.ensure(topics.spec(topics.edges(), TOPIC_PARTITIONS));
            }
        }

        private boolean isLabelled() {
            return format == EdgeEventFormat.BATCH;
        }

        /** Sends the rows in turn to the topic partitions, each of which also gets a record that is no edge. */
        void send(EdgeBatch rows, int topicPartitions) {
            List<EdgeBatch> parts = new ArrayList<>();
            for (int p = 0; p < topicPartitions; p++) {
                parts.add(new EdgeBatch());
            }
            for (int i = 0; i < rows.size(); i++) {
                parts.get(i % topicPartitions).addFrom(rows, i);
            }
            byTopicPartition.addAll(parts);
            EdgeEventEncoder encoder = format.encoder();
            int step = format.holdsManyEdges() ? 500 : 1;
            AtomicReference<Exception> failure = new AtomicReference<>();
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
                for (int p = 0; p < topicPartitions; p++) {
                    EdgeBatch all = parts.get(p);
                    producer.send(new ProducerRecord<>(topics.edges(), p, null, new byte[] {'?'}));
                    for (int from = 0; from < all.size(); from += step) {
                        byte[] value = encoder.encode(all, from, Math.min(all.size(), from + step));
                        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topics.edges(), p, null, value);
                        if (isLabelled()) {
                            record.headers().add(EdgeEventFormat.HEADER, format.header());
                        }
                        producer.send(record, (sent, exception) -> failure.compareAndSet(null, exception));
                    }
                }
            }
            assertThat(failure.get()).isNull();
        }

        /**
         * The removal of a vertex before record {@code number} of all, which takes those before it in the input's
         * order.
         */
        private record Removal(String vertex, int partition, int number) {
            boolean takes(String edge, int partition, int number) {
                return List.of(edge.split(" ", -1)).contains(vertex)
                        && (partition < this.partition || partition == this.partition && number < this.number);
            }
        }

        /**
         * Sends records with keys, some of which have no value, and removals of vertices; returns the edges that are
         * left, in order.
         */
        List<String> sendKeyed(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            Map<Integer, String> newest = new LinkedHashMap<>();
            Map<Integer, Integer> numbers = new HashMap<>();
            List<Removal> removals = new ArrayList<>();
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
                producer.send(new ProducerRecord<>(topics.edges(), 0, null, new byte[] {'?'}));
                for (int i = 0; i < ROWS; i++) {
                    int key = random.nextInt(ROWS / 2);
                    int partition = key % TOPIC_PARTITIONS;
                    boolean isRemoval = random.nextInt(5) == 0;
                    String edge = random.nextInt(300) + " " + random.nextInt(320);
                    newest.remove(key);
                    numbers.put(key, i);
                    if (random.nextInt(200) == 0) {
                        removals.add(new Removal(edge.substring(0, edge.indexOf(' ')), partition, i));
                        producer.send(removal(removals.get(removals.size() - 1)));
                    }
                    byte[] value = null;
                    if (!isRemoval) {
                        newest.put(key, edge);
                        value = "{\"a\":%s,\"b\":%s}"
                                .formatted((Object[]) edge.split(" ", -1))
                                .getBytes(StandardCharsets.UTF_8);
                    }
                    byte[] keyBytes =
                            ByteBuffer.allocate(Integer.BYTES).putInt(key).array();
                    producer.send(new ProducerRecord<>(topics.edges(), partition, keyBytes, value));
                }
            }
            newest.entrySet()
                    .removeIf(entry -> removals.stream()
                            .anyMatch(removal -> removal.takes(
                                    entry.getValue(), entry.getKey() % TOPIC_PARTITIONS, numbers.get(entry.getKey()))));
            return IntStream.range(0, TOPIC_PARTITIONS)
                    .boxed()
                    .flatMap(p -> newest.entrySet().stream()
                            .filter(entry -> entry.getKey() % TOPIC_PARTITIONS == p)
                            .map(Map.Entry::getValue))
                    .toList();
        }

        private ProducerRecord<byte[], byte[]> removal(Removal removal) {
            byte[] value = "{\"op\":\"remove\",\"vertex\":%s}"
                    .formatted(removal.vertex())
                    .getBytes(StandardCharsets.UTF_8);
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(topics.edges(), removal.partition(), null, value);
            record.headers().add(EdgeEventFormat.HEADER, EdgeEventFormat.JSON.header());
            return record;
        }

        /** Returns the edges of all shards, sorted. */
        List<String> shards() {
            List<String> edges = new ArrayList<>();
            try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
                new ShardTopicReader(broker.bootstrapServers(), Map.of())
                        .read(
                                topics.shards(),
                                admin.offsets().beginnings(topics.shards()),
                                admin.offsets().ends(topics.shards()),
                                (shard, header, batch) -> {
                                    for (int i = 0; i < batch.size(); i++) {
                                        String edge = PlainLoop.edge(batch, i);
                                        if (header.kind().change() == ShardChange.ADD) {
                                            edges.add(edge);
                                        } else {
                                            assertThat(edges.remove(edge)).isTrue();
                                        }
                                    }
                                });
            }
            Collections.sort(edges);
            return edges;
        }

        EdgeBatch inOrder() {
            EdgeBatch rows = new EdgeBatch();
            byTopicPartition.forEach(rows::addAll);
            return rows;
        }

        EdgeInput input(@Nullable DuplicateRule dedupe) {
            EdgeInput net = inputIn(new RecordFormat.Own(isLabelled() ? EdgeEventFormat.CSV : format));
            return dedupe == null ? net : new EdgeInput.Distinct(net, dedupe);
        }

        EdgeInput inputIn(RecordFormat format) {
            try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
                return new EdgeInput.Net(
                        new EdgeInput.Topic(
                                broker.bootstrapServers(),
                                topics.edges(),
                                format,
                                admin.offsets().beginnings(topics.edges()),
                                admin.offsets().ends(topics.edges()),
                                Map.of()),
                        true);
            }
        }
    }
}
