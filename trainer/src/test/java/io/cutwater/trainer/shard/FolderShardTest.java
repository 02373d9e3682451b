package io.cutwater.trainer.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.folder.FolderStaging;
import io.cutwater.format.folder.OutputFolder;
import io.cutwater.format.folder.RunDescription;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.VertexData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FolderShardTest {
    @TempDir
    Path temp;

    /** Edges 0-1 and 1-2 in shard 0, 1-3 in shard 1; vertices 4 to 6 have none. */
    @Test
    void readsAFolderAndGivesVerticesWithoutEdgesAnOwner() throws IOException {
        ShardFolder folder = folder(null);
        RandomGraph labelled = new RandomGraph(1, 7, 1, 4, 2, 0.9);
        VertexData data = labelled.data(temp, FeatureScaling.NONE);
        FolderShard[] shards = FolderShard.all(folder, data);
        ShardStore first = store(0, shards, data, "one");
        ShardStore second = store(1, shards, data, "two");
        assertThat(vertices(first)).containsExactly(0, 1, 2, 4, 6);
        assertThat(first.ownedCount()).isEqualTo(5);
        assertThat(vertices(second)).containsExactly(3, 5, 1);
        assertThat(second.ownedCount()).isEqualTo(2);
        assertThat(second.degree(2)).as("edges of vertex 1 in the whole graph").isEqualTo(3);
        assertThat(second.begin(3) - second.begin(2))
                .as("edges of vertex 1 here")
                .isEqualTo(1);
    }

    /** Vertex data in the shards are those of the files, except for vertices without edges. */
    @ParameterizedTest
    @EnumSource(FeatureScaling.class)
    void theShardsOwnDataAreThoseOfTheFiles(FeatureScaling scaling) throws IOException {
        RandomGraph labelled = new RandomGraph(2, 4, 1, 40, 2, 0.05);
        ShardFolder folder = folder(labelled.files(temp));
        VertexData own = VertexData.of(folder, scaling, ShapeOptions.FOUND);
        VertexData files = labelled.data(temp, scaling);
        assertThat(own.columns()).isEqualTo(files.columns());
        assertThat(own.classCount()).isEqualTo(files.classCount());
        FolderShard[] shards = FolderShard.all(folder, own);
        for (int shard = 0; shard < 2; shard++) {
            ShardStore ours = store(shard, shards, own, "own");
            ShardStore theirs = store(shard, shards, files, "files");
            assertThat(vertices(ours)).isEqualTo(vertices(theirs));
            for (int local = 0; local < ours.vertexCount(); local++) {
                assertThat(ours.label(local)).isEqualTo(theirs.label(local));
                assertThat(ours.split(local)).isEqualTo(theirs.split(local));
                assertThat(ShardStoreTest.row(ours, local))
                        .usingComparatorWithPrecision(1e-6f)
                        .containsExactly(ShardStoreTest.row(theirs, local));
            }
        }
    }

    @Test
    void shardsOfWhichSomeVerticesHaveNoRowAreRefusedUnlessThatIsAllowed() throws IOException {
        ShardFolder folder = folder(new RandomGraph(2, 3, 1, 5, 2, 0.5).files(temp));
        assertThatThrownBy(() -> VertexData.of(folder, FeatureScaling.NONE, ShapeOptions.FOUND))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the shards have 1 vertex without a row of features")
                .hasMessageContaining("--allow-missing-features");
        ShapeOptions allowing = ShapeOptions.FOUND.allowingMissingFeatures(true);
        assertThat(VertexData.of(folder, FeatureScaling.NONE, allowing).columns())
                .isEqualTo(5);
    }

    @Test
    void shardsWithoutFeaturesAreRefused() throws IOException {
        ShardFolder folder = folder(null);
        assertThatThrownBy(() -> VertexData.of(folder, FeatureScaling.NONE, ShapeOptions.FOUND))
                .hasMessageStartingWith("the shards have no features; give --features FILE");
    }

    private ShardStore store(int shard, FolderShard[] shards, VertexData data, String name) throws IOException {
        return ShardBuilder.build(shard, shards[shard], data, temp.resolve(name + shard));
    }

    private static long[] vertices(ShardStore store) {
        long[] vertices = new long[store.vertexCount()];
        for (int local = 0; local < vertices.length; local++) {
            vertices[local] = store.vertex(local);
        }
        return vertices;
    }

    private ShardFolder folder(@Nullable VertexFiles data) throws IOException {
        Path dir = temp.resolve("out");
        try (OutputFolder folder = OutputFolder.open(dir, false)) {
            try (FolderStaging staging = FolderStaging.create(folder.staging(), 2)) {
                EdgeBatch edges = new EdgeBatch();
                edges.add(0, 1);
                edges.add(1, 2);
                staging.append(0, edges);
                edges.clear();
                edges.add(1, 3);
                staging.append(1, edges);
                VertexBatch vertices = new VertexBatch();
                add(vertices, 0, 1, 0, 0);
                add(vertices, 1, 3, 0, 0, 1);
                add(vertices, 2, 1, 0, 0);
                add(vertices, 3, 1, 1, 1);
                staging.append(vertices);
                staging.flush();
            }
            if (data != null) {
                folder.setVertexData(data, data.measure(), true);
            }
            folder.complete(
                    new RunDescription("test", "hash", Map.of(), 1, 2, List.of()), TableFormat.CSV, new byte[0]);
        }
        return ShardFolder.open(dir);
    }

    private static void add(VertexBatch vertices, long vertex, long degree, int master, int... replicas) {
        vertices.add(vertex, degree, master);
        for (int replica : replicas) {
            vertices.addReplica(replica);
        }
    }
}
