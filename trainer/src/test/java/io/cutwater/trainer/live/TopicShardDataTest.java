package io.cutwater.trainer.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.input.VertexFiles;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.testkit.BrokerExtension;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.shard.ShardStoreTest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Features and labels of the vertices of shards from topics. */
@Timeout(120)
class TopicShardDataTest {
    private static final DataShape SHAPE = new DataShape(SimulatedLiveJob.COLUMNS, SimulatedLiveJob.CLASSES);

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    Path temp;

    private TopicShardsFixture live;

    @BeforeEach
    void nameTopics() {
        live = new TopicShardsFixture(broker.bootstrapServers(), temp);
    }

    @Test
    void theShapeIsThatOfTheRecords() throws Exception {
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 2, 9)) {
            scene.change(60, true);
            try (TopicShards all = live.open("a", 0, null, Duration.ZERO);
                    TopicShards given = live.open("b", 7, null, Duration.ZERO)) {
                assertThat(all.shape()).isEqualTo(SHAPE);
                assertThat(given.shape()).isEqualTo(new DataShape(SimulatedLiveJob.COLUMNS, 7));
            }
        }
    }

    @Test
    void aVertexThatDoesNotFitTheModelIsCountedAndServesForNothing() throws Exception {
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 1, 2);
                TopicShards shards = live.open("kept")) {
            scene.change(300, true);
            ShardStore any = shards.make(0, shards.latest(), live.next());
            long vertex = any.vertex(0);
            long other = any.vertex(1);
            scene.commit(() -> {
                scene.writeRow(0, vertex, 0, 1, 2, 3, 4, 5);
                scene.writeRow(0, other, 1, 1, 2, 3, 4, 5);
            });
            ShardStore fits = shards.make(0, shards.latest(), live.next());
            assertThat(fits.label(1)).isEqualTo(1);
            scene.commit(() -> {
                scene.writeRow(0, vertex, SimulatedLiveJob.CLASSES, 1, 2, 3, 4, 5);
                scene.writeRow(0, other, 1, 1, 2, 3);
                scene.writeRow(0, 1000, 1, 1, 2, 3, 4, 5);
            });
            ShardStore store = shards.make(0, shards.latest(), live.next());
            assertThat(store.vertexCount())
                    .as("a vertex without edges is not there")
                    .isEqualTo(fits.vertexCount());
            assertThat(store.label(0)).isEqualTo(-1);
            assertThat(store.label(1)).isEqualTo(-1);
            assertThat(ShardStoreTest.row(store, 0)).containsExactly(1, 2, 3, 4, 5);
            assertThat(ShardStoreTest.row(store, 1)).containsOnly(0);
            assertThat(live.made.get(2).beyondClasses()).isEqualTo(1);
            assertThat(live.made.get(2).withoutFeatures())
                    .isEqualTo(live.made.get(1).withoutFeatures() + 1);
            assertThat(live.made.get(2).sentence())
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
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 2, 11)) {
            scene.commit(() -> {
                for (int vertex = 0; vertex < 1_000; vertex++) {
                    scene.writeRow(vertex % 2, vertex, vertex % 7, 1, 2, 3, 4, 5, 6, 7, 8);
                }
                float[] wide = new float[1 << 20];
                wide[9] = 1;
                scene.writeRow(0, 5_000, 1, wide);
                scene.writeRow(1, 5_001, Integer.MAX_VALUE, 1, 2, 3, 4, 5, 6, 7, 8);
            });
            try (TopicShards shards = live.open("kept", 0, null, Duration.ZERO)) {
                assertThat(shards.shape()).isEqualTo(new DataShape(8, 7));
            }
            assertThat(live.told)
                    .singleElement()
                    .asString()
                    .contains("2 of 1,002 vertices in shards do not have 8 features and a label below 65536")
                    .contains("vertex 5000 has 1048576 features", "vertex 5001 has label 2147483647");
        }
    }

    @Test
    void manyVerticesThatDoNotFitAreRefusedUnlessItIsSaidWhatFits() throws Exception {
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 1, 12)) {
            scene.commit(() -> {
                for (int vertex = 0; vertex < 90; vertex++) {
                    scene.writeRow(0, vertex, 0, vertex < 80 ? new float[3] : new float[2]);
                }
            });
            try (TopicShards found = live.open("kept", 2, null, Duration.ZERO);
                    TopicShards given = live.open(
                            "kept", new ShapeOptions(2, 2, 9, false), null, Duration.ZERO, FeatureScaling.NONE)) {
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
            try (TopicShards found = live.open("kept", 2, null, Duration.ZERO)) {
                assertThat(found.shape()).isEqualTo(new DataShape(2, 2));
            }
        }
    }

    @Test
    void verticesWithLearnedRowsHaveLabelsOnly() throws Exception {
        ShapeOptions learned = ShapeOptions.FOUND.withEmbeddings(7);
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.VERTEX, 2, 9)) {
            scene.change(40, true); // vertices with features
            RandomGraph known = new RandomGraph(4, 10, 1, 6, 2, 0.9);
            VertexFiles files = known.files(temp);
            VertexFiles labels = new VertexFiles(null, files.labels(), files.split());
            try (TopicShards fromFiles = live.open("kept", learned, labels, Duration.ZERO, FeatureScaling.NONE)) {
                assertThat(fromFiles.shape()).isEqualTo(new DataShape(7, 2));
                ShardStore store = fromFiles.make(0, fromFiles.latest(), live.next());
                assertThat(store.features().columns()).isZero();
                for (int local = 0; local < store.ownedCount(); local++) {
                    long vertex = store.vertex(local);
                    assertThat(store.label(local))
                            .isEqualTo(vertex >= 0 && vertex < 10 ? known.labels[(int) vertex] : -1);
                }
            }
            try (TopicShards refused = live.open("kept", learned, null, Duration.ZERO, FeatureScaling.NONE)) {
                assertThatThrownBy(refused::shape).hasMessageContaining("no features and a class yet");
            }
        }
        live = new TopicShardsFixture(broker.bootstrapServers(), temp);
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.VERTEX, 1, 9)) {
            scene.commit(() -> {
                for (int vertex = 0; vertex < 20; vertex++) {
                    scene.writeRow(0, vertex, vertex % 3);
                }
            });
            try (TopicShards shards = live.open("labels", learned, null, Duration.ZERO, FeatureScaling.NONE)) {
                assertThat(shards.shape()).isEqualTo(new DataShape(7, 3));
            }
            scene.commit(() -> scene.writeRow(0, 4, 1, 0.5f));
            try (TopicShards refused = live.open("labels", learned, null, Duration.ZERO, FeatureScaling.NONE)) {
                assertThatThrownBy(refused::shape)
                        .hasMessageContaining("1 of 20 vertices")
                        .hasMessageContaining("--embeddings is for vertices without features");
            }
        }
    }

    @Test
    void featuresMayComeFromFiles() throws Exception {
        RandomGraph known = new RandomGraph(4, 10, 1, 6, 2, 0.9);
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.VERTEX, 2, 4);
                TopicShards strict = live.open("strict", 0, known.files(temp), Duration.ofSeconds(20));
                TopicShards shards = live.open(
                        "kept",
                        ShapeOptions.FOUND.allowingMissingFeatures(true),
                        known.files(temp),
                        Duration.ofSeconds(20),
                        FeatureScaling.NONE)) {
            scene.change(60, true);
            assertThatThrownBy(() -> strict.make(0, strict.latest(), live.next()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("vertices without features")
                    .hasMessageContaining("--allow-missing-features");
            assertThat(shards.shape()).isEqualTo(new DataShape(6, 2));
            ShardStore store = shards.make(0, shards.latest(), live.next());
            int unknown = 0;
            for (int local = 0; local < store.vertexCount(); local++) {
                boolean isKnown = store.vertex(local) >= 0 && store.vertex(local) < 10;
                unknown += isKnown ? 0 : 1;
                assertThat(ShardStoreTest.row(store, local))
                        .containsExactly(isKnown ? known.features[(int) store.vertex(local)] : new float[6]);
            }
            assertThat(live.made.get(0).withoutFeatures()).isEqualTo(unknown).isPositive();
        }
    }

    @Test
    void rowsMayBeScaled() throws Exception {
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.VERTEX, 1, 4);
                TopicShards shards = live.open("kept");
                TopicShards scaled = live.open("scaled", 0, null, Duration.ZERO, FeatureScaling.ROW)) {
            scene.change(80, true);
            ShardCut cut = shards.latest();
            ShardStore plain = shards.make(0, cut, live.next());
            ShardStore store = scaled.make(0, cut, live.next());
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
