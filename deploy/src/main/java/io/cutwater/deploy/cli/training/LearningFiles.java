package io.cutwater.deploy.cli.training;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.BrokerOptions;
import io.cutwater.deploy.cli.option.EdgeFileOptions;
import io.cutwater.deploy.cli.option.KafkaPropertiesOption;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.trainer.launch.GraphOrigin;
import io.cutwater.trainer.live.TopicShardsListener;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The graph that is learned from. */
@Heading("Input")
@SuppressWarnings("NullAway.Init") // picocli sets mixins
final class LearningFiles {
    private static final String SHARDS = "shards";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--shards",
            paramLabel = "DIR",
            description = "An output folder of partition, with one model per shard.")
    private @Nullable Path shards;

    @Option(
            names = "--centralised",
            description = "One model on the whole graph, which --edges gives; the same code with one shard.")
    private boolean centralised;

    @Option(
            names = "--topic",
            paramLabel = "shards",
            description = "The shards that a live job writes, which may grow meanwhile, one model per shard.")
    private @Nullable String topic;

    @Option(
            names = "--store",
            paramLabel = "DIR",
            description = "With --topic: where what is read of the topics is kept, so that the next run reads on from"
                    + " there; one process at a time. Default: in --scratch, and not kept")
    private @Nullable Path store;

    @Mixin
    private EdgeFileOptions edges;

    @Option(
            names = "--scratch",
            paramLabel = "DIR",
            description = "Where shards and features are laid out on disk while it runs. Default: the system's"
                    + " temporary folder")
    private Path scratch = Path.of(System.getProperty("java.io.tmpdir"));

    boolean isTopic() {
        return topic != null;
    }

    /**
     * The graph.
     *
     * @param vertices null: what the shards have themselves
     * @param listener of shards that come from a topic
     */
    GraphOrigin graph(
            @Nullable VertexFiles vertices,
            BrokerOptions brokers,
            KafkaPropertiesOption kafka,
            TopicShardsListener listener) {
        if (topic != null) {
            return topic(vertices, brokers, kafka, listener);
        }
        if (store != null) {
            throw wrong("--store keeps what is read of a topic; give --topic shards, or leave it out");
        }
        if (shards != null) {
            if (centralised || edges.isGiven()) {
                throw wrong("--shards has the edges in it; leave out --centralised and --edges, or --shards");
            }
            if (!Files.isDirectory(shards)) {
                throw wrong("--shards %s is no folder; name the --out of a partition".formatted(shards));
            }
            return new GraphOrigin.Shards(shards, vertices);
        }
        if (!centralised || !edges.isGiven()) {
            throw wrong("there is no graph; give --shards DIR, --topic shards, or --centralised and --edges FILE");
        }
        if (vertices == null) {
            throw wrong("--centralised needs the features of the vertices; give --features FILE");
        }
        return new GraphOrigin.Whole(edges.files(), edges.format(), vertices);
    }

    private GraphOrigin topic(
            @Nullable VertexFiles vertices,
            BrokerOptions brokers,
            KafkaPropertiesOption kafka,
            TopicShardsListener listener) {
        if (shards != null || centralised || edges.isGiven()) {
            throw wrong("--topic has the edges in it; leave out --shards, --centralised and --edges, or --topic");
        }
        if (!SHARDS.equals(topic)) {
            throw wrong("--topic must be shards, which a live job writes; name the graph with --topic-prefix: '%s'"
                    .formatted(topic));
        }
        if (store != null && Files.exists(store) && !Files.isDirectory(store)) {
            throw wrong("--store %s is no folder; name another one".formatted(store));
        }
        return new GraphOrigin.Topic(
                brokers.bootstrapServers("--topic"), kafka.read(), brokers.topics(), store, vertices, listener);
    }

    Path scratch() {
        if (!Files.isDirectory(scratch)) {
            throw wrong("--scratch %s is no folder; make it first".formatted(scratch));
        }
        return scratch;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
