package io.cutwater.trainer.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.input.VertexFiles;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.replay.ShardReader;
import io.cutwater.kafka.replay.ShardReplay;
import io.cutwater.kafka.run.BoundedRunMark;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.testkit.BrokerExtension;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.launch.GraphOrigin;
import io.cutwater.trainer.launch.PredictionRun;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.output.ModelFile;
import io.cutwater.trainer.output.PredictionFormat;
import io.cutwater.trainer.output.TrainedModel;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.shard.ShardStoreTest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class TopicShardsTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final DataShape SHAPE = new DataShape(SimulatedLiveJob.COLUMNS, SimulatedLiveJob.CLASSES);

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    Path temp;

    private final String prefix = "s" + NAMES.incrementAndGet() + "-";
    private final List<MadeShard> made = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    private SimulatedLiveJob scene(PartitioningKind kind, int k, long seed) {
        return new SimulatedLiveJob(broker.bootstrapServers(), prefix, kind, k, seed);
    }

    private TopicShards open(String folder) {
        return open(folder, SimulatedLiveJob.CLASSES, null, Duration.ofSeconds(20));
    }

    private TopicShards open(String folder, int classes, @Nullable VertexFiles files, Duration patience) {
        return open(folder, classes, files, patience, FeatureScaling.NONE);
    }

    private TopicShards open(
            String folder, int classes, @Nullable VertexFiles files, Duration patience, FeatureScaling scaling) {
        return open(folder, ShapeOptions.ofClasses(classes), files, patience, scaling);
    }

    private TopicShards open(
            String folder, ShapeOptions shape, @Nullable VertexFiles files, Duration patience, FeatureScaling scaling) {
        TopicShardsOptions options = new TopicShardsOptions(
                broker.bootstrapServers(),
                Map.of(),
                new Topics(prefix),
                temp.resolve(folder),
                scaling,
                files,
                shape,
                patience);
        return new TopicShards(options, new TopicShardsListener() {
            @Override
            public void waiting(String sentence) {
                told.add(sentence);
            }

            @Override
            public void readAgain(String sentence) {
                told.add(sentence);
            }

            @Override
            public void misfits(String sentence) {
                told.add(sentence);
            }

            @Override
            public void made(MadeShard shard) {
                made.add(shard);
            }
        });
    }

    private Path next() {
        return temp.resolve("store-" + NAMES.incrementAndGet());
    }

    private static List<String> lines(ShardStore store) {
        List<String> lines = new ArrayList<>();
        for (int local = 0; local < store.vertexCount(); local++) {
            List<Long> neighbours = new ArrayList<>();
            for (long at = store.begin(local); at < store.begin(local + 1); at++) {
                neighbours.add(store.vertex(store.neighbour(at)));
            }
            lines.add(SimulatedLiveJob.line(
                    store.vertex(local),
                    local < store.ownedCount(),
                    neighbours,
                    store.label(local),
                    store.split(local),
                    ShardStoreTest.row(store, local)));
        }
        return lines.stream().sorted().toList();
    }

    /** Takes cuts after commits and aborted transactions, reopens the store, and increases the number of shards. */
    @ParameterizedTest
    @EnumSource(PartitioningKind.class)
    void theShardsOfACutAreThoseThatWereCommitted(PartitioningKind kind) throws Exception {
        List<ShardCut> cuts = new ArrayList<>();
        List<List<List<String>>> expected = new ArrayList<>();
        try (SimulatedLiveJob scene = scene(kind, 3, 7)) {
            TopicShards shards = open("kept");
            for (int round = 0; round < 4; round++) {
                if (round == 2) {
                    scene.setShards(5);
                }
                scene.change(40, true);
                scene.change(15, false);
                scene.change(10, true);
                if (round == 1 || round == 3) {
                    shards.close();
                    shards = open("kept");
                }
                ShardCut cut = shards.latest();
                assertThat(cut.shards()).isEqualTo(scene.shards());
                made.clear();
                List<List<String>> all = new ArrayList<>();
                for (int shard = 0; shard < cut.shards(); shard++) {
                    ShardStore store = shards.make(shard, cut, next());
                    all.add(lines(store));
                    assertThat(lines(store)).isEqualTo(scene.expected(shard));
                    assertThat(made.get(shard).withoutFeatures()).isEqualTo(scene.withoutFeatures(shard));
                    assertThat(made.get(shard).vertices()).isEqualTo(store.vertexCount());
                    if (shard == round % 3) {
                        assertIsReplay(store, cut);
                    }
                    for (int local = 0; local < store.vertexCount(); local++) {
                        assertThat(store.degree(local)).isEqualTo(scene.degree(shard, store.vertex(local)));
                    }
                }
                cuts.add(cut);
                expected.add(all);
            }
            shards.close();
        }
        assertThat(told).isEmpty();
        try (TopicShards again = open("kept")) {
            for (int round : new int[] {2, 0}) {
                for (int shard = 0; shard < cuts.get(round).shards(); shard++) {
                    ShardStore store = again.make(shard, cuts.get(round), next());
                    assertThat(lines(store)).isEqualTo(expected.get(round).get(shard));
                }
            }
        }
    }

    /** Compares a store with an in-memory replay of the shard. */
    private void assertIsReplay(ShardStore store, ShardCut cut) {
        int topicPartition = store.shard() % cut.shardOffsets().size();
        ShardReplay replay = new ShardReader(broker.bootstrapServers(), Map.of(), new Topics(prefix).shards())
                .readAt(store.shard(), cut.shardOffsets().get(topicPartition))
                .shard();
        assertThat(made.get(store.shard()).edges()).isEqualTo(replay.edges().copies());
        assertThat(store.vertexCount()).isEqualTo(replay.vertices().size());
    }

    @Test
    void theSameCutGivesTheSameBytesAfterAnyHistory() throws Exception {
        try (SimulatedLiveJob scene = scene(PartitioningKind.VERTEX, 2, 3);
                TopicShards steps = open("steps");
                TopicShards atOnce = open("at-once", SimulatedLiveJob.CLASSES, null, Duration.ZERO)) {
            for (int round = 0; round < 3; round++) {
                scene.change(60, true);
                steps.make(1, steps.latest(), next());
            }
            ShardCut cut = steps.latest();
            Path one = next();
            Path other = next();
            steps.make(1, cut, one);
            atOnce.make(1, cut, other);
            assertThat(contents(one)).containsKey("neighbours").isEqualTo(contents(other));
        }
    }

    private static Map<String, String> contents(Path folder) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path file : all.toList()) {
                contents.put(file.getFileName().toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return contents;
    }

    @Test
    void aVertexWithoutAKnownMasterBelongsToNoShardUntilALaterCut() throws Exception {
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 1, 5);
                TopicShards shards = open("without-master")) {
            scene.change(40, true);
            ShardStore before = shards.make(0, shards.latest(), next());
            assertThat(before.ownedCount()).isEqualTo(before.vertexCount());
            long vertex = before.vertex(3);

            scene.commit(() -> scene.writeBookEntry(vertex, 1_000));
            ShardStore without = shards.make(0, shards.latest(), next());
            assertThat(without.ownedCount()).isEqualTo(before.vertexCount() - 1);
            assertThat(without.vertex(without.ownedCount())).isEqualTo(vertex);
            assertThat(without.degree(without.ownedCount())).isBetween(900, 1_000);

            scene.commit(() -> scene.writeBookEntry(vertex, 1_000, 0));
            assertThat(shards.make(0, shards.latest(), next()).ownedCount()).isEqualTo(before.vertexCount());
        }
    }

    @Test
    void predictionsFromShardsOfAFailedRunAreRefused() throws Exception {
        ModelOptions options = new ModelOptions("gcn", 2, 4, 1, Aggregator.MEAN, 0);
        float[][] weights =
                new GnnNetwork(options, SimulatedLiveJob.COLUMNS, SimulatedLiveJob.CLASSES).initialWeights(1);
        TrainedModel model = new TrainedModel(
                options, SimulatedLiveJob.COLUMNS, SimulatedLiveJob.CLASSES, FeatureScaling.NONE, weights);
        ModelFile.write(model, temp);
        GraphOrigin graph = new GraphOrigin.Topic(
                broker.bootstrapServers(),
                Map.of(),
                new Topics(prefix),
                temp.resolve("kept"),
                null,
                TopicShardsListener.NONE);
        PredictionRun run = new PredictionRun(temp, graph, false, true, "cpu", temp);
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 1, 5)) {
            BoundedRunMark mark = new BoundedRunMark(broker.bootstrapServers(), Map.of(), new Topics(prefix));
            mark.begin();
            scene.change(40, true);
            mark.fail("the disk is full");
            assertThatThrownBy(() -> run.run(PredictionFormat.CSV, temp.resolve("out")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("failed: the disk is full")
                    .hasMessageContaining("publish again");
            assertThat(temp.resolve("out")).doesNotExist();

            mark.complete();
            assertThat(run.run(PredictionFormat.CSV, temp.resolve("out"))).isPositive();
        }
    }

    @Test
    void aDamagedJournalIsReadAgain() throws Exception {
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 1, 5);
                TopicShards shards = open("kept")) {
            scene.change(80, true);
            ShardCut cut = shards.latest();
            shards.make(0, cut, next());
            try (Stream<Path> files = Files.list(temp.resolve("kept/book"))) {
                for (Path file : files.toList()) {
                    byte[] bytes = Files.readAllBytes(file);
                    bytes[bytes.length - 1] ^= 1;
                    Files.write(file, bytes);
                }
            }
            scene.change(10, true); // the book is read once for each cut
            assertThat(lines(shards.make(0, shards.latest(), next()))).isEqualTo(scene.expected(0));
            assertThat(told).singleElement().asString().endsWith("is damaged: its length or a checksum is wrong");
        }
    }

    /**
     * Compares bytes sent by the broker: 12 shards are in 2 topic partitions, so reading them one by one would take 6
     * times as much.
     */
    @Test
    void shardsThatAreExpectedTogetherAreReadOnce() throws Exception {
        int k = 12;
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, k, 21);
                TopicShards shards = open("kept")) {
            scene.change(800, true);
            ShardCut cut = shards.latest();
            shards.shape();
            String topic = scene.topics().shards();
            long sentBefore = bytes("BytesOutPerSec", topic);
            shards.expect(cut, IntStream.range(0, k).boxed().toList());
            for (int shard = 0; shard < k; shard++) {
                assertThat(lines(shards.make(shard, cut, next()))).isEqualTo(scene.expected(shard));
            }
            assertThat(bytes("BytesOutPerSec", topic) - sentBefore)
                    .isPositive()
                    .isLessThan(2 * bytes("BytesInPerSec", topic));
        }
    }

    private static long bytes(String meter, String topic) throws JMException {
        return (long) ManagementFactory.getPlatformMBeanServer()
                .getAttribute(
                        new ObjectName("kafka.server:type=BrokerTopicMetrics,name=%s,topic=%s".formatted(meter, topic)),
                        "Count");
    }

    @Test
    void theShapeIsThatOfTheRecords() throws Exception {
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 2, 9)) {
            scene.change(60, true);
            try (TopicShards all = open("a", 0, null, Duration.ZERO);
                    TopicShards given = open("b", 7, null, Duration.ZERO)) {
                assertThat(all.shape()).isEqualTo(SHAPE);
                assertThat(given.shape()).isEqualTo(new DataShape(SimulatedLiveJob.COLUMNS, 7));
            }
        }
    }

    @Test
    void aVertexThatDoesNotFitTheModelIsCountedAndServesForNothing() throws Exception {
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 1, 2);
                TopicShards shards = open("kept")) {
            scene.change(300, true);
            ShardStore any = shards.make(0, shards.latest(), next());
            long vertex = any.vertex(0);
            long other = any.vertex(1);
            scene.commit(() -> {
                scene.writeRow(0, vertex, 0, 1, 2, 3, 4, 5);
                scene.writeRow(0, other, 1, 1, 2, 3, 4, 5);
            });
            ShardStore fits = shards.make(0, shards.latest(), next());
            assertThat(fits.label(1)).isEqualTo(1);
            scene.commit(() -> {
                scene.writeRow(0, vertex, SimulatedLiveJob.CLASSES, 1, 2, 3, 4, 5);
                scene.writeRow(0, other, 1, 1, 2, 3);
                scene.writeRow(0, 1000, 1, 1, 2, 3, 4, 5);
            });
            ShardStore store = shards.make(0, shards.latest(), next());
            assertThat(store.vertexCount())
                    .as("a vertex without edges is not there")
                    .isEqualTo(fits.vertexCount());
            assertThat(store.label(0)).isEqualTo(-1);
            assertThat(store.label(1)).isEqualTo(-1);
            assertThat(ShardStoreTest.row(store, 0)).containsExactly(1, 2, 3, 4, 5);
            assertThat(ShardStoreTest.row(store, 1)).containsOnly(0);
            assertThat(made.get(2).beyondClasses()).isEqualTo(1);
            assertThat(made.get(2).withoutFeatures()).isEqualTo(made.get(1).withoutFeatures() + 1);
            assertThat(made.get(2).sentence())
                    .contains("have no features yet", "1 have a class that the model does not have, see --classes")
                    .contains("vertex %d has label 3".formatted(vertex), "vertex %d has 3 features".formatted(other));
        }
    }

    /**
     * Writes 1,000 vertices with 8 features, one with as many features as fit a record, and one with an impossible
     * class.
     */
    @Test
    void oneBadRecordDecidesNothing() throws Exception {
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 2, 11)) {
            scene.commit(() -> {
                for (int vertex = 0; vertex < 1_000; vertex++) {
                    scene.writeRow(vertex % 2, vertex, vertex % 7, 1, 2, 3, 4, 5, 6, 7, 8);
                }
                float[] wide = new float[1 << 20];
                wide[9] = 1;
                scene.writeRow(0, 5_000, 1, wide);
                scene.writeRow(1, 5_001, Integer.MAX_VALUE, 1, 2, 3, 4, 5, 6, 7, 8);
            });
            try (TopicShards shards = open("kept", 0, null, Duration.ZERO)) {
                assertThat(shards.shape()).isEqualTo(new DataShape(8, 7));
            }
            assertThat(told)
                    .singleElement()
                    .asString()
                    .contains("2 of 1,002 vertices in shards do not have 8 features and a label below 65536")
                    .contains("vertex 5000 has 1048576 features", "vertex 5001 has label 2147483647");
        }
    }

    @Test
    void manyVerticesThatDoNotFitAreRefusedUnlessItIsSaidWhatFits() throws Exception {
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 1, 12)) {
            scene.commit(() -> {
                for (int vertex = 0; vertex < 90; vertex++) {
                    scene.writeRow(0, vertex, 0, vertex < 80 ? new float[3] : new float[2]);
                }
            });
            try (TopicShards found = open("kept", 2, null, Duration.ZERO);
                    TopicShards given =
                            open("kept", new ShapeOptions(2, 2, 9, false), null, Duration.ZERO, FeatureScaling.NONE)) {
                assertThatThrownBy(found::shape)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("10 of 90 vertices in shards do not have 3 features")
                        .hasMessageContaining("vertex 80 has 2 features")
                        .hasMessageContaining("--feature-count N");
                assertThat(given.shape()).isEqualTo(new DataShape(2, 2));
            }
            // A later record replaces an earlier one.
            scene.commit(() -> {
                for (int vertex = 0; vertex < 80; vertex++) {
                    scene.writeRow(0, vertex, 0, new float[2]);
                }
            });
            try (TopicShards found = open("kept", 2, null, Duration.ZERO)) {
                assertThat(found.shape()).isEqualTo(new DataShape(2, 2));
            }
        }
    }

    @Test
    void featuresMayComeFromFiles() throws Exception {
        RandomGraph known = new RandomGraph(4, 10, 1, 6, 2, 0.9);
        try (SimulatedLiveJob scene = scene(PartitioningKind.VERTEX, 2, 4);
                TopicShards strict = open("strict", 0, known.files(temp), Duration.ofSeconds(20));
                TopicShards shards = open(
                        "kept",
                        ShapeOptions.FOUND.allowingMissingFeatures(true),
                        known.files(temp),
                        Duration.ofSeconds(20),
                        FeatureScaling.NONE)) {
            scene.change(60, true);
            assertThatThrownBy(() -> strict.make(0, strict.latest(), next()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("vertices without features")
                    .hasMessageContaining("--allow-missing-features");
            assertThat(shards.shape()).isEqualTo(new DataShape(6, 2));
            ShardStore store = shards.make(0, shards.latest(), next());
            int unknown = 0;
            for (int local = 0; local < store.vertexCount(); local++) {
                boolean isKnown = store.vertex(local) >= 0 && store.vertex(local) < 10;
                unknown += isKnown ? 0 : 1;
                assertThat(ShardStoreTest.row(store, local))
                        .containsExactly(isKnown ? known.features[(int) store.vertex(local)] : new float[6]);
            }
            assertThat(made.get(0).withoutFeatures()).isEqualTo(unknown).isPositive();
        }
    }

    @Test
    void rowsMayBeScaled() throws Exception {
        try (SimulatedLiveJob scene = scene(PartitioningKind.VERTEX, 1, 4);
                TopicShards shards = open("kept");
                TopicShards scaled = open("scaled", 0, null, Duration.ZERO, FeatureScaling.ROW)) {
            scene.change(80, true);
            ShardCut cut = shards.latest();
            ShardStore plain = shards.make(0, cut, next());
            ShardStore store = scaled.make(0, cut, next());
            for (int local = 0; local < plain.vertexCount(); local++) {
                float[] row = ShardStoreTest.row(plain, local);
                double sum =
                        IntStream.range(0, row.length).mapToDouble(i -> row[i]).sum();
                for (int column = 0; column < row.length; column++) {
                    assertThat(ShardStoreTest.row(store, local)[column])
                            .isEqualTo(sum == 0 ? 0 : (float) (row[column] / sum));
                }
            }
        }
    }

    @Test
    void whatHasNotComeIsWaitedFor() throws Exception {
        try (TopicShards hasty = open("hasty", 0, null, Duration.ZERO)) {
            assertThatThrownBy(hasty::latest)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("topic %squality does not exist", prefix);
        }
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 2, 6);
                TopicShards shards = open("kept")) {
            Thread job = new Thread(() -> scene.change(80, true));
            try (TopicShards hasty = open("hasty", 0, null, Duration.ZERO)) {
                assertThatThrownBy(hasty::latest)
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("no job has committed shards to topic " + prefix + "shards");
            }
            job.start();
            assertThat(shards.latest().shards()).isEqualTo(2);
            job.join();
            scene.commit(() -> {});
        }
    }

    @Test
    void aCutOfSomethingElseIsRefused() throws Exception {
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 1, 6);
                TopicShards shards = open("kept")) {
            scene.change(80, true);
            ShardCut cut = shards.latest();
            assertThatThrownBy(() -> shards.make(0, new ShardCut(1, List.of(9999L, 0L), cut.bookOffsets()), next()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the cut is at offset 9999 of topic partition 0 of topic " + prefix);
            assertThatThrownBy(() -> shards.make(0, ShardCut.only(1), next()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the cut belongs to shards of a folder");
        }
    }

    /** A job may commit its report after the moves that the report describes. */
    @Test
    void anotherNumberOfShardsIsAnotherCut() throws Exception {
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 2, 6);
                TopicShards shards = open("kept")) {
            scene.change(20, true);
            ShardCut cut = shards.latest();
            assertThat(shards.latest()).isEqualTo(cut);
            scene.setShards(3);
            scene.commit(() -> {});
            assertThat(shards.latest()).isEqualTo(new ShardCut(3, cut.shardOffsets(), cut.bookOffsets()));
            assertThat(shards.make(2, shards.latest(), next()).vertexCount()).isZero();
        }
    }

    @Test
    void aFolderHasOneOwner() throws Exception {
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 1, 6);
                TopicShards one = open("kept");
                TopicShards two = open("kept")) {
            scene.change(80, true);
            ShardCut cut = one.latest();
            one.make(0, cut, next());
            assertThatThrownBy(() -> two.make(0, cut, next()))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith(
                            "kept is in use by another training; give each training a --store folder of its own");
            one.close();
            two.make(0, cut, next());
        }
    }

    /** Topics of the same names, with offsets of the old topics. */
    @Test
    void topicsThatWereMadeAnewAreReadAnew() throws Exception {
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 1, 6)) {
            scene.change(80, true);
            try (TopicShards shards = open("kept")) {
                shards.make(0, shards.latest(), next());
            }
        }
        try (Admin admin = admin()) {
            Topics topics = new Topics(prefix);
            admin.deleteTopics(List.of(topics.shards(), topics.partitionBook(), topics.quality()))
                    .all()
                    .get();
        }
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 1, 8);
                TopicShards shards = open("kept")) {
            scene.change(120, true);
            assertThat(lines(shards.make(0, shards.latest(), next()))).isEqualTo(scene.expected(0));
            assertThat(told).hasSize(2);
        }
    }

    @Test
    void whatRetentionHasDeletedMustHaveBeenRead() throws Exception {
        try (SimulatedLiveJob scene = scene(PartitioningKind.EDGE, 1, 6);
                TopicShards shards = open("kept");
                TopicShards late = open("late");
                Admin admin = admin()) {
            scene.change(80, true);
            ShardCut first = shards.latest();
            shards.make(0, first, next());
            TopicPartition deleted = new TopicPartition(scene.topics().shards(), 0);
            admin.deleteRecords(Map.of(
                            deleted,
                            RecordsToDelete.beforeOffset(first.shardOffsets().get(0))))
                    .all()
                    .get();
            scene.change(40, true);
            ShardCut cut = shards.latest();
            assertThat(lines(shards.make(0, cut, next()))).isEqualTo(scene.expected(0));
            assertThatThrownBy(() -> late.make(0, cut, next()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("retention has deleted the records in between");
        }
    }

    private static Admin admin() {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()));
    }

    @Test
    void optionsAreCheckedAndKeepSecrets() {
        assertThatThrownBy(() -> new TopicShardsOptions(
                        "x:1",
                        Map.of(),
                        new Topics(""),
                        temp,
                        FeatureScaling.COLUMN,
                        null,
                        ShapeOptions.FOUND,
                        Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--feature-scaling column would change with every new vertex");
        assertThat(new TopicShardsOptions(
                                "x:1",
                                Map.of("key", "secret"),
                                new Topics(""),
                                temp,
                                FeatureScaling.ROW,
                                null,
                                ShapeOptions.FOUND,
                                Duration.ZERO)
                        .toString())
                .contains("key")
                .doesNotContain("secret");
    }
}
