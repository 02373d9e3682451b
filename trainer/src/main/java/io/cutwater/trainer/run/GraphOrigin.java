package io.cutwater.trainer.run;

import io.cutwater.kafka.file.EdgeFileFormat;
import io.cutwater.kafka.file.VertexFiles;
import io.cutwater.kafka.folder.ShardFolder;
import io.cutwater.trainer.shard.FeatureScaling;
import io.cutwater.trainer.shard.FixedShards;
import io.cutwater.trainer.shard.FolderShard;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.VertexData;
import io.cutwater.trainer.shard.WholeGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the shards of a graph come from, and what is known of its vertices. */
public sealed interface GraphOrigin {
    /**
     * A complete output folder, with any number of shards.
     *
     * @param vertices null: what the shards themselves have
     */
    record Shards(Path folder, @Nullable VertexFiles vertices) implements GraphOrigin {
        @Override
        public ShardSource open(FeatureScaling scaling) throws IOException {
            ShardFolder shards = ShardFolder.open(folder);
            VertexData data = vertices == null ? VertexData.of(shards, scaling) : VertexData.of(vertices, scaling);
            return new FixedShards(List.of(FolderShard.all(shards, data)), data);
        }
    }

    /**
     * The whole graph as one shard.
     *
     * @param format null: told from each file's name
     */
    record Whole(List<Path> edges, @Nullable EdgeFileFormat format, VertexFiles vertices) implements GraphOrigin {
        public Whole {
            edges = List.copyOf(edges);
        }

        @Override
        public ShardSource open(FeatureScaling scaling) throws IOException {
            VertexData data = VertexData.of(vertices, scaling);
            return new FixedShards(List.of(new WholeGraph(edges, format, data)), data);
        }
    }

    /**
     * Opens the shards; the caller closes them.
     *
     * @throws IOException with a sentence, if files do not fit each other
     */
    ShardSource open(FeatureScaling scaling) throws IOException;

    /** Which shards they are, in words; @param source that was opened here */
    default String words(ShardSource source) throws IOException, InterruptedException {
        return "%d shards".formatted(source.latest().shards());
    }
}
