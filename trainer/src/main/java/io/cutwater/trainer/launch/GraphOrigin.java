package io.cutwater.trainer.launch;

import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.live.TopicShards;
import io.cutwater.trainer.live.TopicShardsListener;
import io.cutwater.trainer.live.TopicShardsOptions;
import io.cutwater.trainer.shard.FixedShards;
import io.cutwater.trainer.shard.FolderShard;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.WholeGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
        public ShardSource open(FeatureScaling scaling, ShapeOptions shape, Path scratch) throws IOException {
            ShardFolder shards = ShardFolder.open(folder);
            VertexData data =
                    vertices == null ? VertexData.of(shards, scaling, shape) : VertexData.of(vertices, scaling, shape);
            return new FixedShards(List.of(FolderShard.all(shards, data)), data, shape);
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
        public ShardSource open(FeatureScaling scaling, ShapeOptions shape, Path scratch) throws IOException {
            VertexData data = VertexData.of(vertices, scaling, shape);
            return new FixedShards(List.of(new WholeGraph(edges, format, data, shape)), data, shape);
        }
    }

    /**
     * What a live job writes to its topics.
     *
     * @param clientProperties further ones of Kafka clients, with passwords among them
     * @param topics of the graph
     * @param store where what is read is kept; null: nowhere
     * @param vertices null: what the records of the shards tell
     */
    record Topic(
            String bootstrapServers,
            Map<String, String> clientProperties,
            Topics topics,
            @Nullable Path store,
            @Nullable VertexFiles vertices,
            TopicShardsListener listener)
            implements GraphOrigin {
        /** A job that has just been started commits its first shards after some seconds. */
        private static final Duration PATIENCE = Duration.ofMinutes(1);

        public Topic {
            clientProperties = Map.copyOf(clientProperties);
        }

        @Override
        public ShardSource open(FeatureScaling scaling, ShapeOptions shape, Path scratch) {
            Path folder = store == null ? scratch.resolve("topics") : store;
            return new TopicShards(
                    new TopicShardsOptions(
                            bootstrapServers, clientProperties, topics, folder, scaling, vertices, shape, PATIENCE),
                    listener);
        }

        @Override
        public boolean grows() {
            return true;
        }

        @Override
        public String words(ShardSource source) {
            return "shards of topic " + topics.shards();
        }

        /** Without the values of the client properties. */
        @Override
        public String toString() {
            return "%s at %s with %s".formatted(topics.shards(), bootstrapServers, clientProperties.keySet());
        }
    }

    /**
     * Opens the shards; the caller closes them.
     *
     * @param shape what is given of it
     * @param scratch a folder for what is needed as long as the shards are open
     * @throws IOException with a sentence, if files do not fit each other
     */
    ShardSource open(FeatureScaling scaling, ShapeOptions shape, Path scratch) throws IOException;

    /** Whether there may be a newer cut later. */
    default boolean grows() {
        return false;
    }

    /** Which shards they are, in words; @param source that was opened here */
    default String words(ShardSource source) throws IOException, InterruptedException {
        return "%d shards".formatted(source.latest().shards());
    }
}
