package io.cutwater.trainer.run;

import io.cutwater.kafka.file.EdgeFileFormat;
import io.cutwater.kafka.folder.ShardFolder;
import io.cutwater.trainer.shard.FeatureFile;
import io.cutwater.trainer.shard.FolderShard;
import io.cutwater.trainer.shard.ShardBuilder;
import io.cutwater.trainer.shard.ShardInput;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.shard.VertexLabels;
import io.cutwater.trainer.shard.WholeGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the shards of a graph come from. */
public sealed interface GraphFiles {
    /** A complete output folder, with any number of shards. */
    record Shards(Path folder) implements GraphFiles {
        @Override
        public List<ShardInput> inputs(long rows) throws IOException {
            return List.of(FolderShard.all(ShardFolder.open(folder), rows));
        }
    }

    /**
     * The whole graph as one shard.
     *
     * @param format null: told from each file's name
     */
    record Whole(List<Path> edges, @Nullable EdgeFileFormat format) implements GraphFiles {
        public Whole {
            edges = List.copyOf(edges);
        }

        @Override
        public List<ShardInput> inputs(long rows) {
            return List.of(new WholeGraph(edges, format, rows));
        }
    }

    /** The shards; @param rows how many vertices have features */
    List<ShardInput> inputs(long rows) throws IOException;

    /** Stores of all shards; @param scratch a folder for their files */
    default List<ShardStore> stores(FeatureFile features, VertexLabels labels, Path scratch) throws IOException {
        List<ShardInput> inputs = inputs(features.rows());
        List<ShardStore> stores = new ArrayList<>();
        for (int shard = 0; shard < inputs.size(); shard++) {
            stores.add(
                    ShardBuilder.build(shard, inputs.get(shard), features, labels, scratch.resolve("shard-" + shard)));
        }
        return stores;
    }
}
