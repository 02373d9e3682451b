package io.cutwater.trainer.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.folder.FolderStaging;
import io.cutwater.kafka.folder.OutputFolder;
import io.cutwater.kafka.folder.RunDescription;
import io.cutwater.kafka.folder.ShardFolder;
import io.cutwater.kafka.folder.TableFormat;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderShardTest {
    @TempDir
    Path temp;

    /** Edges 0-1 and 1-2 in shard 0, 1-3 in shard 1; vertices 4 to 6 have none. */
    @Test
    void readsAFolderAndGivesVerticesWithoutEdgesAnOwner() throws IOException {
        ShardFolder folder = folder();
        RandomGraph labelled = new RandomGraph(1, 7, 1, 4, 2, 0.9);
        FeatureFile features = labelled.featureFile(temp, FeatureScaling.NONE);
        FolderShard[] shards = FolderShard.all(folder, features.rows());
        ShardStore first = store(0, shards, features, labelled);
        ShardStore second = store(1, shards, features, labelled);
        assertThat(vertices(first)).containsExactly(0, 1, 2, 4, 6);
        assertThat(first.ownedCount()).isEqualTo(5);
        assertThat(vertices(second)).containsExactly(3, 5, 1);
        assertThat(second.ownedCount()).isEqualTo(2);
        assertThat(second.degree(2)).as("edges of vertex 1 in the whole graph").isEqualTo(3);
        assertThat(second.begin(3) - second.begin(2))
                .as("edges of vertex 1 here")
                .isEqualTo(1);
    }

    private ShardStore store(int shard, FolderShard[] shards, FeatureFile features, RandomGraph labelled)
            throws IOException {
        return ShardBuilder.build(shard, shards[shard], features, labelled.labels(temp), temp.resolve("store" + shard));
    }

    private static long[] vertices(ShardStore store) {
        long[] vertices = new long[store.vertexCount()];
        for (int local = 0; local < vertices.length; local++) {
            vertices[local] = store.vertex(local);
        }
        return vertices;
    }

    private ShardFolder folder() throws IOException {
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
