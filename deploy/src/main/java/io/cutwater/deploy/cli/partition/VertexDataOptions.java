package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.KafkaOptions;
import io.cutwater.deploy.cli.option.MissingFeaturesOption;
import io.cutwater.deploy.cli.option.VertexFileOptions;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.local.IdKind;
import io.cutwater.deploy.local.RunRequest;
import io.cutwater.deploy.local.VertexTopic;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.kafka.textid.TextIds;
import io.cutwater.state.partition.TrainingVertices;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The features, labels and split of the vertices that {@code partition} adds to the shards. */
@Heading("Vertex data")
@SuppressWarnings("NullAway.Init") // picocli sets the command and mixins
final class VertexDataOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private VertexFileOptions files;

    @Option(
            names = "--vertices-topic",
            paramLabel = "NAME",
            description = "With --topic: topic of vertex data, instead of the files above.")
    private @Nullable String topic;

    @Mixin
    private MissingFeaturesOption missingFeatures;

    @Option(
            names = "--training-imbalance",
            paramLabel = "X",
            description = "Bound of the balance of training vertices, for algorithms that can. Default: none")
    private @Nullable Double trainingImbalance;

    /**
     * The vertex data.
     *
     * @param input the edges to which it belongs
     * @param kafka where the topic of vertices is
     */
    RunRequest.VertexData read(RunRequest.Input input, KafkaOptions kafka) throws IOException {
        VertexFiles given = files.files();
        if (input.ids() == IdKind.TEXT && given != null) {
            given = withTexts(given, input.from());
        }
        return new RunRequest.VertexData(given, topic(input, given, kafka), missingFeatures.isAllowed());
    }

    private VertexFiles withTexts(VertexFiles given, InputRequest from) throws IOException {
        TextIds texts =
                from instanceof InputRequest.Topic topic ? topic.format().textIds() : null;
        if (texts == null) {
            throw wrong("--features, --labels and --split need integer ids, or --topic with --ids text; leave --ids"
                    + " text out");
        }
        return given.withNames(texts.names());
    }

    private @Nullable VertexTopic topic(RunRequest.Input input, @Nullable VertexFiles given, KafkaOptions kafka) {
        if (topic == null) {
            return null;
        }
        if (!(input.from() instanceof InputRequest.Topic)) {
            throw wrong("--vertices-topic needs --topic; with --edges give --features, --labels and --split");
        }
        if (given != null) {
            throw wrong("--vertices-topic has features, labels and split; leave out --features, --labels and --split");
        }
        if (trainingImbalance != null) {
            training(new long[0], trainingImbalance);
        }
        return new VertexTopic(
                kafka.bootstrapServers("--vertices-topic"),
                kafka.client(),
                kafka.topics().prefix() + topic,
                trainingImbalance);
    }

    /** The training vertices of files that are to be balanced; null for none. */
    @Nullable TrainingVertices training(RunRequest.VertexData data) throws IOException {
        if (trainingImbalance == null || data.topic() != null) {
            return null;
        }
        if (data.files() == null) {
            throw wrong("--training-imbalance needs the training vertices; give --split FILE or --vertices-topic NAME");
        }
        return training(data.files().trainingVertices(), trainingImbalance);
    }

    private TrainingVertices training(long[] vertices, double imbalance) {
        try {
            return new TrainingVertices(vertices, imbalance);
        } catch (IllegalArgumentException e) {
            throw wrong("--training-imbalance: " + e.getMessage());
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
