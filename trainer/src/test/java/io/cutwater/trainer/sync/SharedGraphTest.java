package io.cutwater.trainer.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SharedGraphTest {
    @TempDir
    private Path folder;

    @Test
    void theFailureOfOneShardEndsTheTestOfAll() throws Exception {
        SharedGraph graph = new SharedGraph(PartitioningKind.VERTEX, 3);
        for (int attempt = 0; attempt < 2; attempt++) {
            graph.beginTest();
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
                try {
                    graph.awaitAll();
                } catch (IOException e) {
                    throw new CompletionException(e);
                }
            });
            graph.fail("shard 2 failed: out of luck");
            assertThatThrownBy(other::join).hasRootCauseMessage("shard 2 failed: out of luck");
            assertThatThrownBy(graph::awaitAll).hasMessage("shard 2 failed: out of luck");
        }
    }

    @Test
    void twoOwnersOfAVertexAreRefused() throws Exception {
        ShardStore[] stores = new RandomGraph(1, 20, 40, 4, 2, 0.5).shards(folder, 2);
        assertThat(new LinkedShards(List.of(stores), PartitioningKind.VERTEX).count())
                .isEqualTo(2);
        assertThatThrownBy(() -> new LinkedShards(List.of(stores[0], stores[0]), PartitioningKind.VERTEX))
                .hasMessageContaining("both own vertex 0");
    }
}
