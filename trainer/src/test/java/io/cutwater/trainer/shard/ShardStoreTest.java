package io.cutwater.trainer.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardStoreTest {
    @TempDir
    Path temp;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void holdsTheNeighboursThatTheEdgesSay(long seed) throws IOException {
        RandomGraph graph = new RandomGraph(seed, 40, 150, 9, 3, seed % 2 == 0 ? 0.02 : 0.5);
        for (ShardStore store : graph.shards(temp, 3)) {
            Map<Long, List<Long>> expected = new HashMap<>();
            graph.edges.stream()
                    .filter(edge -> edge[0] % 3 == store.shard() || edge[1] % 3 == store.shard())
                    .filter(edge -> edge[0] != edge[1])
                    .forEach(edge -> {
                        expected.computeIfAbsent(edge[0], v -> new ArrayList<>())
                                .add(edge[1]);
                        expected.computeIfAbsent(edge[1], v -> new ArrayList<>())
                                .add(edge[0]);
                    });
            for (int local = 0; local < store.vertexCount(); local++) {
                List<Long> neighbours = new ArrayList<>();
                for (long at = store.begin(local); at < store.begin(local + 1); at++) {
                    neighbours.add(store.vertex(store.neighbour(at)));
                }
                assertThat(neighbours).containsExactlyElementsOf(expected.getOrDefault(store.vertex(local), List.of()));
                assertThat(store.degree(local)).isGreaterThanOrEqualTo(neighbours.size());
            }
        }
    }

    @ParameterizedTest(name = "density {0}")
    @ValueSource(doubles = {0.02, 0.5})
    void holdsTheFeaturesOfTheFile(double density) throws IOException {
        RandomGraph graph = new RandomGraph(5, 200, 300, 60, 3, density);
        ShardStore store = graph.shards(temp, 2)[1];
        for (int local = 0; local < store.vertexCount(); local++) {
            assertThat(row(store, local)).containsExactly(graph.features[(int) store.vertex(local)]);
        }
        assertThat(store.features()).isInstanceOf(density < 0.1 ? SparseFeatures.class : DenseFeatures.class);
    }

    private static float[] row(ShardStore store, int local) {
        float[] row = new float[store.features().columns()];
        if (store.features() instanceof SparseFeatures sparse) {
            for (long at = sparse.begin(local); at < sparse.begin(local + 1); at++) {
                row[sparse.column(at)] = sparse.value(at);
            }
        } else {
            ((DenseFeatures) store.features()).copyRow(local, FloatBuffer.wrap(row));
        }
        return row;
    }

    @Test
    void scalesColumnsToMeanZeroAndDeviationOne() throws IOException {
        RandomGraph graph = new RandomGraph(6, 50, 60, 7, 3, 0.6);
        ShardStore store = ShardBuilder.build(
                0,
                graph.input(0, 1),
                graph.featureFile(temp, FeatureScaling.COLUMN),
                graph.labels(temp),
                temp.resolve("s"));
        for (int column = 0; column < 7; column++) {
            double sum = 0;
            double squares = 0;
            for (int local = 0; local < 50; local++) {
                float value = row(store, local)[column];
                sum += value;
                squares += value * value;
            }
            assertThat(sum / 50).isBetween(-1e-6, 1e-6);
            assertThat(squares / 50).isBetween(1 - 1e-5, 1 + 1e-5);
        }
    }

    @Test
    void scalesRowsToSumOne() throws IOException {
        RandomGraph graph = new RandomGraph(6, 50, 60, 70, 3, 0.05);
        ShardStore store = ShardBuilder.build(
                0,
                graph.input(0, 1),
                graph.featureFile(temp, FeatureScaling.ROW),
                graph.labels(temp),
                temp.resolve("s"));
        for (int local = 0; local < 50; local++) {
            double sum = 0;
            for (float value : row(store, local)) {
                sum += value;
            }
            assertThat(sum)
                    .satisfiesAnyOf(
                            s -> assertThat(s).isZero(), s -> assertThat(s).isBetween(1 - 1e-6, 1 + 1e-6));
        }
    }

    @Test
    void verticesOfOtherOwnersServeForNothing() throws IOException {
        RandomGraph graph = new RandomGraph(7, 60, 200, 5, 3, 0.5);
        int owned = 0;
        for (ShardStore store : graph.shards(temp, 3)) {
            owned += store.ownedCount();
            for (int local = 0; local < store.vertexCount(); local++) {
                boolean isOwned = store.vertex(local) % 3 == store.shard();
                assertThat(local < store.ownedCount()).isEqualTo(isOwned);
                assertThat(store.split(local))
                        .isEqualTo(isOwned ? graph.splits[(int) store.vertex(local)] : Split.NONE);
                assertThat(store.label(local)).isEqualTo(isOwned ? graph.labels[(int) store.vertex(local)] : -1);
            }
        }
        assertThat(owned).isEqualTo(60);
    }

    @Test
    void aVertexWithoutFeaturesIsNamed() throws IOException {
        RandomGraph graph = new RandomGraph(8, 10, 30, 5, 3, 0.5);
        Path features = Files.writeString(temp.resolve("few.svm"), "0 1:1\n1 2:1\n");
        FeatureFile file = FeatureFile.open(features, FeatureScaling.NONE);
        assertThatThrownBy(() -> ShardBuilder.build(0, graph.input(0, 1), file, graph.labels(temp), temp.resolve("s")))
                .isInstanceOf(IOException.class)
                .hasMessage("shard 0 has vertex 2, but there are features for vertices 0 to 1 only;"
                        + " give a line for each vertex");
    }

    @Test
    void aLineThatIsWrongIsNamed() throws IOException {
        assertWrong("0 1:1\n0 0:1\n", "line 2 has index 0, but the first one is 1");
        assertWrong("0 1:1 7\n", "line 1 must be 'label index:value …', but has '7'");
        Path labels = Files.writeString(temp.resolve("l"), "0\nx\n");
        Path split = Files.writeString(temp.resolve("sp"), "train\ntrial\n");
        assertThatThrownBy(() -> VertexLabels.read(labels, split))
                .hasMessage(labels + ": line 2 must be a class from 0, or -1 for none, and is 'x'");
        Path good = Files.writeString(temp.resolve("g"), "0\n1\n");
        assertThatThrownBy(() -> VertexLabels.read(good, split))
                .hasMessage(split + ": line 2 must be train, val, test or none, and is 'trial'");
    }

    private void assertWrong(String text, String sentence) throws IOException {
        Path file = Files.writeString(temp.resolve("w.svm"), text);
        assertThatThrownBy(() -> FeatureFile.open(file, FeatureScaling.NONE)).hasMessage(file + ": " + sentence);
    }
}
