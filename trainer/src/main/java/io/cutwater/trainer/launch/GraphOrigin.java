package io.cutwater.trainer.launch;

import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.partition.PartitioningKind;
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

/** The source of a training's shards and vertex data. */
public sealed interface GraphOrigin {
    /**
     * A complete output folder, with any number of shards.
     *
     * @param vertices files with vertex data; null to use those of the shards
     */
    record Shards(Path folder, @Nullable VertexFiles vertices) implements GraphOrigin {
        @Override
        public ShardSource open(FeatureScaling scaling, ShapeOptions shape, Path scratch) throws IOException {
            ShardFolder shards = ShardFolder.open(folder);
            VertexData data =
                    vertices == null ? VertexData.of(shards, scaling, shape) : VertexData.of(vertices, scaling, shape);
            return new FixedShards(List.of(FolderShard.all(shards, data)), shards.kind(), data, shape);
        }

        @Override
        public String identity() throws IOException {
            return ", shards with checksum " + ShardFolder.open(folder).checksum();
        }
    }

    /**
     * The whole graph as one shard.
     *
     * @param format format of the edge files; null to detect it from the file names
     */
    record Whole(List<Path> edges, @Nullable EdgeFileFormat format, VertexFiles vertices) implements GraphOrigin {
        public Whole {
            edges = List.copyOf(edges);
        }

        @Override
        public ShardSource open(FeatureScaling scaling, ShapeOptions shape, Path scratch) throws IOException {
            VertexData data = VertexData.of(vertices, scaling, shape);
            return new FixedShards(
                    List.of(new WholeGraph(edges, format, data, shape)), PartitioningKind.VERTEX, data, shape);
        }
    }

    /**
     * The topics of a live job.
     *
     * @param clientProperties further properties of Kafka clients; they may contain passwords
     * @param topics topics of the graph
     * @param store folder that keeps the records read; null for a temporary one
     * @param vertices files with vertex data; null to use the records of the shards
     */
    record Topic(
            String bootstrapServers,
            Map<String, String> clientProperties,
            Topics topics,
            @Nullable Path store,
            @Nullable VertexFiles vertices,
            TopicShardsListener listener)
            implements GraphOrigin {
        /** Time limit for the first shards: a new job commits them after some seconds. */
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

        /** Describes the topics without the values of the client properties, which may be secret. */
        @Override
        public String toString() {
            return "%s at %s with %s".formatted(topics.shards(), bootstrapServers, clientProperties.keySet());
        }
    }

    /**
     * Opens the shards; the caller closes them.
     *
     * @param shape the part of the shape that the user chose
     * @param scratch folder for temporary files, needed as long as the shards are open
     * @throws IOException if the files are inconsistent; the message is meant for users
     */
    ShardSource open(FeatureScaling scaling, ShapeOptions shape, Path scratch) throws IOException;

    /** Returns whether newer cuts can appear. */
    default boolean grows() {
        return false;
    }

    /** Returns what tells these shards from others with the same description, as far as it is known. */
    default String identity() throws IOException {
        return "";
    }

    /**
     * Returns a description of the shards.
     *
     * @param source source opened by {@link #open}
     */
    default String words(ShardSource source) throws IOException, InterruptedException {
        return "%d shards".formatted(source.latest().shards());
    }
}
