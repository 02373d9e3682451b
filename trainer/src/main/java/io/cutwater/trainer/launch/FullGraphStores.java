package io.cutwater.trainer.launch;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.fullgraph.FullGraphTrainers;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;

/**
 * Builds the shards of a source for full-graph training, which copies what it needs; the files of a shard are deleted
 * after that.
 *
 * @param shape shape of the network
 * @param scratch folder for temporary folders
 */
record FullGraphStores(ShardSource source, DataShape shape, Path scratch) implements FullGraphTrainers.Stores {
    @Override
    public void expect(ShardCut cut, Collection<Integer> shards) {
        source.expect(cut, shards);
    }

    @Override
    public PartitioningKind kind() throws IOException, InterruptedException {
        return source.kind();
    }

    @Override
    public void open(int shard, ShardCut cut, StoreConsumer consumer) throws IOException, InterruptedException {
        try (TemporaryFolder folder = TemporaryFolder.forMappedFiles(scratch, "shard-%d".formatted(shard))) {
            ShardStore store = source.make(shard, cut, folder.folder("store"));
            shape.requireFit(store);
            consumer.accept(store);
        }
    }
}
