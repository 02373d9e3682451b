package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.connector.bulk.work.BulkStage;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.input.StartPlaces;
import io.cutwater.flink.connector.output.PartitionStreams;
import io.cutwater.flink.connector.output.TopicOutput;
import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.flink.job.fault.CrashAtTime;
import io.cutwater.flink.job.fault.CrashOnce;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.flink.job.topology.PlainLoop;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.command.PlanTopics;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.replay.ShardReader;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.textid.VertexTextCodec;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.bulk.BulkRun;
import io.cutwater.state.bulk.GivenPlaces;
import io.cutwater.state.bulk.PlacedInput;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.parts.ThreadExchange;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.testkit.BrokerExtension;
import java.io.IOException;
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
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** History in bulk, then live: the whole job on an embedded broker and an embedded Flink cluster. */
final class BootstrapIT {
    private static final int K = 4;
    private static final int HISTORY = 30_000;
    private static final int LIVE = 10_000;
    private static final int REMOVALS = 40;
    private static final String REMOVED = "removed ";
    private static final int TOPIC_PARTITIONS = 3;
    private static final int BATCHES_OF_HISTORY = HISTORY / EdgeBatch.DEFAULT_CAPACITY + TOPIC_PARTITIONS;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    @Test
    void placesTheHistoryAsABulkRunInThreadsAndContinuesLive() throws Exception {
        Scene scene = new Scene("calm-", 1);
        scene.write(0, TOPIC_PARTITIONS, HISTORY);
        PartitionRequest request = scene.request("--bootstrap-threads", "2");
        try (EmbeddedRun run = scene.start(request, 0, edges -> edges)) {
            scene.awaitAll();
            assertThat(scene.placed)
                    .isEqualTo(scene.placedInMemory(
                            Algorithms.of(request.assigner().partitioner())
                                    .beforeLive(request.assigner().partitioner()),
                            null,
                            2));
            scene.write(0, TOPIC_PARTITIONS, LIVE);
            scene.awaitAll();
            assertThat(run.metrics().text(BulkStage.STAGE)).contains(BulkStage.DONE);
        }
    }

    @Test
    void takesOverGivenPlacesAndPlacesTheRestBesideThem() throws Exception {
        Scene scene = new Scene("given-", 3);
        scene.write(0, TOPIC_PARTITIONS, HISTORY);
        Path file = Files.write(
                folder.resolve("places.txt"),
                scene.written.stream()
                        .filter(line -> line.hashCode() % 3 != 0)
                        .map(line -> line + " " + Math.floorMod(line.hashCode(), K - 1))
                        .toList());
        PartitionRequest request = scene.request("--start-from", file.toString());
        try (EmbeddedRun run = scene.start(request, 0, edges -> edges)) {
            scene.awaitAll();
            PartitionerOptions live = request.assigner().partitioner();
            PartitionerOptions bulk = Algorithms.of(live).beforeLive(live);
            assertThat(scene.placed)
                    .isEqualTo(scene.placedInMemory(
                            bulk, StartPlaces.parse(file.toString()).read(bulk, null), 1));
            // Given lines are everywhere but on the last partition, copies and all.
            assertThat(scene.placed)
                    .filteredOn(line -> line.endsWith(" on " + (K - 1)))
                    .allMatch(line -> line.substring(0, line.indexOf(" on ")).hashCode() % 3 == 0)
                    .isNotEmpty();
            scene.write(0, TOPIC_PARTITIONS, 1_000);
            scene.awaitAll();
        }
    }

    /** A given placement beyond every cap is taken and reported; a re-partitioning under a budget improves it. */
    @Test
    void aGivenPlacementIsReportedAndImprovedUnderABudget() throws Exception {
        Scene scene = new Scene("improved-", 5);
        scene.write(0, TOPIC_PARTITIONS, LIVE);
        Path file = Files.write(
                folder.resolve("places.txt"),
                scene.written.stream()
                        .map(line -> line + " " + Math.floorMod(line.hashCode(), K - 1))
                        .toList());
        PartitionRequest request =
                scene.request("--start-from", file.toString(), "--keep-edges", "true", "--refine", "0");
        try (EmbeddedRun run = scene.start(request, 0, edges -> edges);
                PlanTopics plans = new PlanTopics(broker.bootstrapServers(), Map.of(), scene.topics)) {
            scene.awaitAll();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(balance(scene)).isGreaterThan(1.3));
            plans.send(new JobCommand.Repartition("improve", K, 0.4, Long.MAX_VALUE, false));
            AtomicReference<RepartitionStatus> last = new AtomicReference<>();
            await().atMost(PATIENCE).until(() -> {
                scene.write(0, TOPIC_PARTITIONS, 1); // statuses are committed with the edges
                plans.poll();
                last.set(plans.status("improve"));
                return last.get() != null && last.get().state().isOver();
            });
            RepartitionStatus done = last.get();
            assertThat(done.state()).as(done.reason()).isEqualTo(PlanState.DONE);
            assertThat(done.edgesMoved()).isBetween(1L, (long) (0.4 * done.edges()));
            assertThat(done.after().get("replicationFactor"))
                    .isLessThan(done.before().get("replicationFactor"));
            scene.awaitAll();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(balance(scene)).isLessThan(1.3));
            assertThat(run.await(Duration.ZERO)).isFalse();
        }
    }

    private static double balance(Scene scene) {
        RunReport report = new QualityReader(broker.bootstrapServers(), Map.of()).last(scene.topics);
        assertThat(report).isNotNull();
        return report.quality().loadBalance();
    }

    /** Two seeds: one crash before and one after the switch; all four in a campaign. */
    static LongStream seeds() {
        return Integer.getInteger("cutwater.seeds") == null ? LongStream.of(2, 3) : LongStream.of(1, 2, 3, 4);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aCrashBeforeAtOrAfterTheSwitchLosesAndDuplicatesNoEdge(long seed) throws Exception {
        int batch = new int[] {1, 9, 11, 13}[(int) seed - 1];
        boolean areTexts = seed == 3;
        Scene scene = new Scene("emit" + seed + "-", seed, areTexts);
        scene.write(0, TOPIC_PARTITIONS, HISTORY / 2);
        if (areTexts) {
            scene.removeVertex(scene.written.get(0), 1);
        }
        scene.write(0, TOPIC_PARTITIONS, HISTORY / 2);
        boolean isInTasks = scene.isDistributed;
        if (isInTasks) {
            scene.removeEdges(REMOVALS); // of edges in all topic partitions
        }
        PartitionRequest request = areTexts
                ? scene.request("--keep-edges", "true", "--remove-vertices", "true")
                : isInTasks ? scene.request("--keep-edges", "true", "--refine", "0") : scene.request();
        List<String> ofTasks =
                isInTasks ? scene.placedInTasks(request.assigner().partitioner(), 2) : List.of();
        if (isInTasks) {
            scene.removeEdges(REMOVALS); // the first live records, and none may overtake its edge
        }
        scene.write(0, TOPIC_PARTITIONS, LIVE / 2);
        // One that comes when the job is submitted already, and that no offsets name.
        scene.addTopicPartition();
        scene.write(TOPIC_PARTITIONS, TOPIC_PARTITIONS + 1, LIVE / 2);
        String name = folder.toString();
        try (EmbeddedRun run = scene.start(request, 1, edges -> CrashOnce.in(edges, name, batch))) {
            scene.awaitAll();
            assertThat(scene.unplaced(ofTasks)).isBetween(0, isInTasks ? REMOVALS : 0);
            if (areTexts) {
                String removed = scene.removeVertex(scene.written.get(1), TOPIC_PARTITIONS + 1);
                scene.awaitAll();
                assertThat(scene.texts().values()).doesNotContain(removed);
            }
            do {
                scene.write(0, TOPIC_PARTITIONS + 1, 100);
                scene.awaitAll();
            } while (!CrashOnce.hasCrashed(name));
            System.out.printf(
                    "seed %d: crashed at batch %d of about %d of the history%n", seed, batch, BATCHES_OF_HISTORY);
            assertThat(run.await(Duration.ZERO)).isFalse();
        }
    }

    /** Even seeds: two tasks; odd ones, in a campaign: threads of one task. */
    static LongStream seedsOfPasses() {
        return LongStream.rangeClosed(12, 11 + Integer.getInteger("cutwater.seeds", 1));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seedsOfPasses")
    void aCrashDuringReadingOrPassesLosesAndDuplicatesNoEdge(long seed) throws Exception {
        Scene scene = new Scene("passes" + seed + "-", seed);
        scene.write(0, TOPIC_PARTITIONS, HISTORY);
        PartitionRequest request = scene.isDistributed ? scene.request() : scene.request("--bootstrap-threads", "2");
        List<String> ofTasks =
                scene.isDistributed ? scene.placedInTasks(request.assigner().partitioner(), 2) : List.of();
        scene.write(0, TOPIC_PARTITIONS, LIVE);
        int millis = new SplittableRandom(seed).nextInt(1_500);
        String name = folder.toString();
        try (EmbeddedRun run = scene.start(request, 1, edges -> CrashAtTime.beside(edges, name, millis))) {
            await().atMost(PATIENCE).until(() -> CrashAtTime.hasCrashed(name));
            System.out.printf(
                    "seed %d: crashed after %d ms, stage now: %s%n",
                    seed, millis, run.metrics().text(BulkStage.STAGE).orElse("none"));
            scene.awaitAll();
            assertThat(scene.unplaced(ofTasks)).isZero();
            scene.write(0, TOPIC_PARTITIONS, 100);
            scene.awaitAll();
        }
    }

    @Test
    void twoTasksPlaceTheVerticesOfAHistory() throws Exception {
        Scene scene = new Scene("owned-", 4);
        scene.write(0, TOPIC_PARTITIONS, LIVE);
        PartitionRequest request = scene.request("--kind", "vertex");
        List<String> ofTasks = scene.placedInTasks(request.assigner().partitioner(), 2);
        try (EmbeddedRun run = scene.start(request, 0, edges -> edges)) {
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(300))
                    .until(() -> scene.shards().size() >= ofTasks.size());
            assertThat(scene.shards().stream().sorted().toList().equals(ofTasks))
                    .isTrue();
            assertThat(run.await(Duration.ZERO)).isFalse();
        }
    }

    /** A graph's topics, and all edges that were ever written to them. */
    private final class Scene {
        private final Topics topics;
        private final SplittableRandom random;
        private final boolean isDistributed;
        private final int assigners;
        private final boolean areTexts;
        private final List<String> written = new ArrayList<>();
        private final List<List<String>> byTopicPartition = new ArrayList<>();
        private List<String> placed = List.of();

        Scene(String prefix, long seed) {
            this(prefix, seed, false);
        }

        /** @param areTexts whether the job takes the ids for text, such as 17 */
        Scene(String prefix, long seed, boolean areTexts) {
            this.areTexts = areTexts;
            topics = new Topics(prefix);
            random = new SplittableRandom(seed);
            isDistributed = seed % 2 == 0;
            assigners = seed % 4 == 2 ? 2 : 1;
            try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
                admin.ensure(topics.spec(topics.edges(), TOPIC_PARTITIONS));
            }
            for (int p = 0; p <= TOPIC_PARTITIONS; p++) {
                byTopicPartition.add(new ArrayList<>());
            }
        }

        /** Edges of communities, spread over topic partitions. */
        void write(int from, int to, int edges) {
            AtomicReference<Exception> failure = new AtomicReference<>();
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
                for (int i = 0; i < edges; i++) {
                    int community = 300 * random.nextInt(20);
                    String line = (community + random.nextInt(300)) + " " + (community + random.nextInt(310));
                    written.add(line);
                    byTopicPartition.get(from + i % (to - from)).add(line);
                    producer.send(
                            new ProducerRecord<>(
                                    topics.edges(),
                                    from + i % (to - from),
                                    null,
                                    line.getBytes(StandardCharsets.UTF_8)),
                            (sent, exception) -> failure.compareAndSet(null, exception));
                }
            }
            assertThat(failure.get()).isNull();
        }

        /** Removes edges by records in the last of the topic partitions, which is read last. */
        void removeEdges(int edges) {
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
                for (int i = 0; i < edges; i++) {
                    String edge = written.remove(random.nextInt(written.size()));
                    byTopicPartition.get(TOPIC_PARTITIONS - 1).add(REMOVED + edge);
                    String[] ends = edge.split(" ", -1);
                    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                            topics.edges(),
                            TOPIC_PARTITIONS - 1,
                            null,
                            "{\"op\":\"remove\",\"src\":%s,\"dst\":%s}"
                                    .formatted(ends[0], ends[1])
                                    .getBytes(StandardCharsets.UTF_8));
                    record.headers().add(EdgeEventFormat.HEADER, EdgeEventFormat.JSON.header());
                    producer.send(record);
                }
            }
        }

        /**
         * Removes the source of an edge by a record in topic partition 0.
         *
         * @param partitions whose edges so far come before the record
         * @return the vertex
         */
        String removeVertex(String edge, int partitions) {
            String vertex = edge.substring(0, edge.indexOf(' '));
            for (List<String> lines : byTopicPartition.subList(0, partitions)) {
                assertThat(lines.removeIf(line -> List.of(line.split(" ", -1)).contains(vertex)))
                        .isTrue();
            }
            written.clear();
            byTopicPartition.forEach(written::addAll);
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
                ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                        topics.edges(),
                        0,
                        null,
                        "{\"op\":\"remove\",\"vertex\":%s}".formatted(vertex).getBytes(StandardCharsets.UTF_8));
                record.headers().add(EdgeEventFormat.HEADER, EdgeEventFormat.JSON.header());
                producer.send(record);
            }
            return vertex;
        }

        void addTopicPartition() throws Exception {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
                admin.createPartitions(Map.of(topics.edges(), NewPartitions.increaseTo(TOPIC_PARTITIONS + 1)))
                        .all()
                        .get();
            }
        }

        /** Creates the request of a submission, with the history at this time. */
        PartitionRequest request(String... more) throws IOException {
            List<String> words = new ArrayList<>(List.of(
                    "--bootstrap-servers",
                    broker.bootstrapServers(),
                    "--topic-prefix",
                    topics.prefix(),
                    "--partitions",
                    "" + K,
                    "--wait-limit",
                    "200ms",
                    "--parallelism",
                    isDistributed ? "2" : "1",
                    "--assigners",
                    "" + assigners,
                    "--ids",
                    areTexts ? "text" : "integer",
                    "--bootstrap",
                    "now"));
            words.addAll(List.of(more));
            LiveJobOptions options = LivePartitionJob.fixed(LiveJobOptions.parse(words.toArray(String[]::new)));
            return LivePartitionJob.request(options, LiveTopics.prepare(options, false));
        }

        EmbeddedRun start(PartitionRequest request, int restarts, UnaryOperator<DataStream<EdgeBatch>> between)
                throws Exception {
            Path work = Files.createDirectories(folder.resolve("work"));
            assertThat(request.input()).isInstanceOf(EdgeInput.Bootstrap.class);
            TopicOutputOptions output = request.output().topics();
            return SharedCluster.start(
                    folder.toString(),
                    env -> {
                        DataStream<EdgeBatch> edges = between.apply(PartitionJob.read(env, request));
                        PartitionStreams streams = PartitionJob.define(edges, request);
                        TopicOutput.attach(streams, output, request.identity());
                    },
                    new EmbeddedOptions(work, Duration.ofMillis(500), 64 << 20, restarts));
        }

        /** All edges with the places of a bulk run over the topic partitions in their order, sorted. */
        List<String> placedInMemory(PartitionerOptions bulk, @Nullable GivenPlaces given, int threads)
                throws Exception {
            EdgeBatch edges = new EdgeBatch();
            for (List<String> lines : byTopicPartition) {
                for (String line : lines) {
                    int blank = line.indexOf(' ');
                    edges.add(Long.parseLong(line.substring(0, blank)), Long.parseLong(line.substring(blank + 1)));
                }
            }
            try (BulkRun run = BulkRun.create(
                    new BulkRequest(bulk, null, given == null ? null : "given", threads),
                    folder.resolve("in-memory"))) {
                run.add(edges);
                run.place(BulkProgress.NONE, given);
                try (PlacedInput places = run.places(0)) {
                    places.fill(edges);
                }
            }
            return IntStream.range(0, edges.size())
                    .mapToObj(i -> PlainLoop.edge(edges, i) + " on " + Place.ofSource(edges.place(i)))
                    .sorted()
                    .toList();
        }

        /** What is left of the rows so far, on each of its partitions by a bulk run in so many tasks, sorted. */
        List<String> placedInTasks(PartitionerOptions live, int tasks) throws Exception {
            EdgeBatch rows = new EdgeBatch();
            for (List<String> lines : byTopicPartition) {
                for (String line : lines) {
                    String[] ends = line.substring(line.startsWith(REMOVED) ? REMOVED.length() : 0)
                            .split(" ", -1);
                    rows.add(Long.parseLong(ends[0]), Long.parseLong(ends[1]));
                    if (line.startsWith(REMOVED)) {
                        rows.setRemoval(rows.size() - 1);
                    }
                }
            }
            PartitionerOptions bulk = Algorithms.of(live).beforeLive(live);
            List<List<String>> ofTasks = ThreadExchange.run(tasks, exchange -> {
                int task = exchange.part();
                EdgeBatch piece = new EdgeBatch();
                int size = rows.size() / tasks;
                int more = rows.size() % tasks;
                int first = size * task + Math.min(task, more);
                for (int i = 0; i < size + (task < more ? 1 : 0); i++) {
                    piece.addFrom(rows, first + i);
                }
                Path scratch = folder.resolve("in-memory-" + task);
                try (BulkRun run = BulkRun.create(new BulkRequest(bulk, null, null, tasks), scratch, exchange)) {
                    run.add(piece);
                    run.place(BulkProgress.NONE);
                    try (PlacedInput places = run.places(0)) {
                        places.fill(piece);
                    }
                }
                return IntStream.range(0, piece.size())
                        .boxed()
                        .flatMap(i -> IntStream.of(Place.ofSource(piece.place(i)), Place.ofTarget(piece.place(i)))
                                .distinct()
                                .mapToObj(partition -> PlainLoop.edge(piece, i) + " on " + partition))
                        .toList();
            });
            return ofTasks.stream().flatMap(List::stream).sorted().toList();
        }

        /** Returns how many of some placed edges are not in the shards. */
        int unplaced(List<String> edges) {
            List<String> left = new ArrayList<>(edges);
            Map<String, Integer> there = new HashMap<>();
            placed.forEach(edge -> there.merge(edge, 1, Integer::sum));
            left.removeIf(edge -> there.merge(edge, -1, Integer::sum) >= 0);
            return left.size();
        }

        List<String> shards() {
            List<String> shards = new ArrayList<>();
            Map<Long, String> texts = areTexts ? texts() : Map.of();
            new ShardReader(broker.bootstrapServers(), Map.of(), topics.shards())
                    .readAll(shard -> shard.edges().forEach(edges -> {
                        for (int i = 0; i < edges.size(); i++) {
                            String edge = areTexts
                                    ? texts.get(edges.source(i)) + " " + texts.get(edges.target(i))
                                    : PlainLoop.edge(edges, i);
                            shards.add(edge + " on " + shard.shard());
                        }
                    }));
            return shards;
        }

        /** The texts of topic ids, of which each is there once, until its vertex is removed. */
        private Map<Long, String> texts() {
            Map<Long, String> texts = new HashMap<>();
            new TopicReader(broker.bootstrapServers(), Map.of()).readAll(topics.ids(), record -> {
                long vertex = VertexTextCodec.vertex(record.key());
                if (record.value() == null) {
                    assertThat(texts.remove(vertex)).isNotNull();
                    return;
                }
                byte[] text = VertexTextCodec.text(record.value());
                assertThat(texts.put(vertex, new String(text, StandardCharsets.UTF_8)))
                        .isNull();
            });
            return texts;
        }

        /** Waits until every edge is committed, and checks that each is there once. */
        void awaitAll() {
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).until(() -> {
                long[] edges = new long[1];
                new ShardReader(broker.bootstrapServers(), Map.of(), topics.shards())
                        .readAll(shard -> shard.edges().forEach(batch -> edges[0] += batch.size()));
                return edges[0] == written.size();
            });
            placed = shards();
            Collections.sort(placed);
            List<String> edges = placed.stream()
                    .map(edge -> edge.substring(0, edge.indexOf(" on ")))
                    .sorted()
                    .toList();
            List<String> expected = written.stream().sorted().toList();
            assertThat(edges.equals(expected))
                    .as("%d edges are placed, and each of the %d once", edges.size(), expected.size())
                    .isTrue();
        }
    }
}
