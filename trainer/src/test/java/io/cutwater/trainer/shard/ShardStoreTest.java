package io.cutwater.trainer.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.SparseFeatures;
import io.cutwater.trainer.feature.VertexData;
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

public class ShardStoreTest {
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

    public static float[] row(ShardStore store, int local) {
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
        ShardStore store =
                ShardBuilder.build(0, graph.input(0, 1), graph.data(temp, FeatureScaling.COLUMN), temp.resolve("s"));
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
        ShardStore store =
                ShardBuilder.build(0, graph.input(0, 1), graph.data(temp, FeatureScaling.ROW), temp.resolve("s"));
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
                        .isEqualTo(isOwned ? graph.splits[(int) store.vertex(local)] : VertexSplit.NONE);
                assertThat(store.label(local)).isEqualTo(isOwned ? graph.labels[(int) store.vertex(local)] : -1);
            }
        }
        assertThat(owned).isEqualTo(60);
    }

    @Test
    void aVertexWithoutFeaturesIsNamed() throws IOException {
        RandomGraph graph = new RandomGraph(8, 10, 30, 5, 3, 0.5);
        Path features = Files.writeString(temp.resolve("few.svm"), "0 1:1\n1 2:1\n");
        VertexData data = VertexData.of(new VertexFiles(features, null, null), FeatureScaling.NONE, ShapeOptions.FOUND);
        assertThatThrownBy(() -> ShardBuilder.build(0, graph.input(0, 1), data, temp.resolve("s")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("shard 0 has 8 vertices without features, such as vertex 2; give a row")
                .hasMessageContaining("--allow-missing-features");
        ShapeOptions allowing = ShapeOptions.FOUND.allowingMissingFeatures(true);
        ShardStore store = ShardBuilder.build(0, graph.input(0, 1), data, temp.resolve("allowed"), allowing);
        assertThat(row(store, 1)).containsExactly(0, 1);
        assertThat(row(store, 2)).containsOnly(0);
    }

    @Test
    void rowsMayNameTheirVertices() throws IOException {
        Path table = Files.writeString(
                temp.resolve("t.csv"), "id,split,label,a,b\n-7,train,1,0.5,2\n900,test,0,3,4\n5,val,-1,1,0\n");
        Path edges = Files.writeString(temp.resolve("e.txt"), "900 -7\n");
        VertexData data = VertexData.of(new VertexFiles(table, null, null), FeatureScaling.NONE, ShapeOptions.FOUND);
        ShardStore store = ShardBuilder.build(
                0, new WholeGraph(List.of(edges), null, data, ShapeOptions.FOUND), data, temp.resolve("s"));
        assertThat(data.classCount()).isEqualTo(2);
        assertThat(store.vertexCount()).isEqualTo(3);
        assertThat(store.vertex(0)).isEqualTo(-7);
        assertThat(row(store, 0)).containsExactly(0.5f, 2);
        assertThat(store.label(0)).isEqualTo(1);
        assertThat(store.split(0)).isEqualTo(VertexSplit.TRAIN);
        assertThat(store.vertex(1)).isEqualTo(5);
        assertThat(store.split(1)).as("without a class it serves for nothing").isEqualTo(VertexSplit.NONE);
        assertThat(store.vertex(store.neighbour(store.begin(2)))).isEqualTo(-7);
    }

    @Test
    void labelsThatNoGraphHasAreRefused() throws IOException {
        Path features = Files.writeString(temp.resolve("f.csv"), "1,2\n3,4\n5,6\n");
        Path labels = Files.writeString(temp.resolve("l"), "0\n2147483647\n65536\n");
        VertexFiles files = new VertexFiles(features, labels, null);
        assertThatThrownBy(() -> VertexData.of(files, FeatureScaling.NONE, ShapeOptions.FOUND))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("2 of 3 vertices")
                .hasMessageContaining("vertex 1 has label 2147483647, vertex 2 has label 65536")
                .hasMessageContaining("--max-classes");
    }

    @Test
    void filesWithoutFeaturesAreRefused() throws IOException {
        Path labels = Files.writeString(temp.resolve("l"), "0\n1\n");
        assertThatThrownBy(() ->
                        VertexData.of(new VertexFiles(null, labels, null), FeatureScaling.NONE, ShapeOptions.FOUND))
                .hasMessageEndingWith("have no features; give --features");
    }
}
