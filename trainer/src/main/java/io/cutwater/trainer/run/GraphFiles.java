package io.cutwater.trainer.run;

import io.cutwater.kafka.file.EdgeFileFormat;
import io.cutwater.kafka.file.VertexFiles;
import io.cutwater.kafka.folder.ShardFolder;
import io.cutwater.trainer.shard.FeatureScaling;
import io.cutwater.trainer.shard.FolderShard;
import io.cutwater.trainer.shard.ShardBuilder;
import io.cutwater.trainer.shard.ShardInput;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.shard.VertexData;
import io.cutwater.trainer.shard.WholeGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the shards of a graph come from, and what is known of its vertices. */
public sealed interface GraphFiles {
    /**
     * A complete output folder, with any number of shards.
     *
     * @param vertices null: what the shards themselves have
     */
    record Shards(Path folder, @Nullable VertexFiles vertices) implements GraphFiles {
        @Override
        public VertexData data(FeatureScaling scaling) throws IOException {
            return vertices == null
                    ? VertexData.of(ShardFolder.open(folder), scaling)
                    : VertexData.of(vertices, scaling);
        }

        @Override
        public List<ShardInput> inputs(VertexData data) throws IOException {
            return List.of(FolderShard.all(ShardFolder.open(folder), data));
        }
    }

    /**
     * The whole graph as one shard.
     *
     * @param format null: told from each file's name
     */
    record Whole(List<Path> edges, @Nullable EdgeFileFormat format, VertexFiles vertices) implements GraphFiles {
        public Whole {
            edges = List.copyOf(edges);
        }

        @Override
        public VertexData data(FeatureScaling scaling) throws IOException {
            return VertexData.of(vertices, scaling);
        }

        @Override
        public List<ShardInput> inputs(VertexData data) {
            return List.of(new WholeGraph(edges, format, data));
        }
    }

    /** What is known of the vertices. */
    VertexData data(FeatureScaling scaling) throws IOException;

    /** The shards; @param data of this graph */
    List<ShardInput> inputs(VertexData data) throws IOException;

    /** Stores of all shards; @param scratch a folder for their files */
    default List<ShardStore> stores(VertexData data, Path scratch) throws IOException {
        List<ShardInput> inputs = inputs(data);
        List<ShardStore> stores = new ArrayList<>();
        for (int shard = 0; shard < inputs.size(); shard++) {
            stores.add(ShardBuilder.build(shard, inputs.get(shard), data, scratch.resolve("shard-" + shard)));
        }
        return stores;
    }
}
