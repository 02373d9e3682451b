package io.cutwater.deploy.cli.training;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.EdgeFileOptions;
import io.cutwater.deploy.cli.option.KafkaOptions;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.kafka.textid.TextIds;
import io.cutwater.trainer.launch.GraphOrigin;
import io.cutwater.trainer.live.TopicShardsListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The graph that a model is trained on, or predicts for. */
@Heading("Input")
@SuppressWarnings("NullAway.Init") // picocli sets mixins
final class LearningFiles {
    private static final String SHARDS = "shards";

    @Heading("Input")
    private static final class Source {
        @Option(
                names = "--shards",
                paramLabel = "DIR",
                description = "Output folder of partition; one model per shard, averaged.")
        private @Nullable Path shards;

        @Option(
                names = "--topic",
                paramLabel = "shards",
                description = "Topic shards of a live job, which may still grow; one model per shard, averaged.")
        private @Nullable String topic;

        @Option(names = "--centralised", description = "One model on the whole graph of --edges, as one shard.")
        private boolean centralised;
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @ArgGroup
    private Source source = new Source();

    @Mixin
    private EdgeFileOptions edges;

    @Option(
            names = "--store",
            paramLabel = "DIR",
            description = "With --topic: keep here what is read, for the next run. Default: not kept")
    private @Nullable Path store;

    @Option(
            names = "--scratch",
            paramLabel = "DIR",
            description = "Folder for temporary files. Default: that of the system")
    private Path scratch = Path.of(System.getProperty("java.io.tmpdir"));

    boolean isTopic() {
        return source.topic != null;
    }

    /**
     * The graph.
     *
     * @param vertices null: the vertex data that the shards have themselves
     * @param listener of shards that come from a topic
     */
    GraphOrigin graph(@Nullable VertexFiles vertices, KafkaOptions kafka, TopicShardsListener listener)
            throws IOException {
        if (edges.isGiven() && !source.centralised) {
            throw wrong("--edges needs --centralised; shards have their edges themselves");
        }
        if (source.topic != null) {
            return topic(source.topic, vertices, kafka, listener);
        }
        if (store != null) {
            throw wrong("--store needs --topic shards; leave it out");
        }
        if (source.shards != null) {
            if (!Files.isDirectory(source.shards)) {
                throw wrong("--shards %s is not a directory; name the --out of a partition".formatted(source.shards));
            }
            return new GraphOrigin.Shards(source.shards, withTexts(vertices, source.shards));
        }
        InputRequest.Files files = edges.read();
        if (files == null) {
            throw wrong("there is no graph; give --shards DIR, --topic shards, or --centralised and --edges FILE");
        }
        if (vertices == null) {
            throw wrong(
                    "--centralised needs the features of the vertices; give --features FILE, or --labels FILE with --embeddings");
        }
        return new GraphOrigin.Whole(files.paths(), files.format(), vertices);
    }

    /** Where the ids of the shards are hashes of text, files name their vertices by the texts. */
    private static @Nullable VertexFiles withTexts(@Nullable VertexFiles vertices, Path shards) throws IOException {
        if (vertices == null) {
            return null;
        }
        OptionalLong seed = ShardFolder.open(shards).idsSeed();
        return seed.isEmpty() ? vertices : vertices.withNames(new TextIds(seed.getAsLong()).names());
    }

    private GraphOrigin topic(
            String topic, @Nullable VertexFiles vertices, KafkaOptions kafka, TopicShardsListener listener) {
        if (!SHARDS.equals(topic)) {
            throw wrong("--topic must be shards, which a live job writes; name the graph with --topic-prefix: '%s'"
                    .formatted(topic));
        }
        if (store != null && Files.exists(store) && !Files.isDirectory(store)) {
            throw wrong("--store %s is not a directory; name another one".formatted(store));
        }
        return new GraphOrigin.Topic(
                kafka.bootstrapServers("--topic"), kafka.client(), kafka.topics(), store, vertices, listener);
    }

    /** The name of the graph, for pictures. */
    String name(KafkaOptions kafka) {
        Path folder = source.shards;
        if (folder != null) {
            return InputRequest.name(folder);
        }
        InputRequest.Files files = source.topic == null ? edges.read() : null;
        return files == null ? "topic " + kafka.topics().shards() : files.name();
    }

    Path scratch() {
        if (!Files.isDirectory(scratch)) {
            throw wrong("--scratch %s is not a directory; create it first".formatted(scratch));
        }
        return scratch;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
