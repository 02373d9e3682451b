package io.cutwater.deploy.cli.quality;

import io.cutwater.deploy.cli.option.EdgeFileOptions;
import io.cutwater.deploy.cli.option.MappingOptions;
import io.cutwater.deploy.cli.option.TopicOptions;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.input.TopicMoment;
import io.cutwater.deploy.local.IdKind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The edges on which algorithms are compared: those of files, or the newest of a topic. */
@SuppressWarnings("NullAway.Init") // picocli sets the command and mixins
final class ComparedEdges {
    private static final long LAST = 1_000_000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private EdgeFileOptions files;

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description = "Topic of edges, of which the newest are compared; with --topic-prefix before it.")
    private @Nullable String topic;

    @Option(
            names = "--last",
            paramLabel = "N",
            description = "With --topic: number of its newest edges. Default: 1000000")
    private @Nullable Long last;

    @Option(
            names = "--ids",
            paramLabel = "integer|text",
            defaultValue = "integer",
            description = "With --topic: type of vertex ids. Default: ${DEFAULT-VALUE}")
    private IdKind ids = IdKind.INTEGER;

    @Mixin
    private TopicOptions topics;

    @Mixin
    private MappingOptions mapping;

    /** Returns how many edges of a topic are compared, at least 1. */
    long last() {
        return last == null ? LAST : last;
    }

    /**
     * Returns the input.
     *
     * @throws ParameterException if there is none, or if options exclude each other; the message is meant for users
     */
    InputRequest read() throws IOException {
        InputRequest.Files given = files.read();
        if (topic == null) {
            if (given == null) {
                throw wrong("there is no input; give --edges FILE… or --topic NAME");
            }
            if (last != null) {
                throw wrong("--last is for --topic; leave it out");
            }
            if (ids == IdKind.TEXT) {
                throw wrong("--ids text is for --topic; leave it out");
            }
            topics.refuse("--edges", mapping);
            return given;
        }
        if (given != null) {
            throw wrong("--edges and --topic are both inputs; leave one of them out");
        }
        if (last != null && (last < 1 || last > Integer.MAX_VALUE)) {
            throw wrong("--last must be between 1 and %d, but was %d".formatted(Integer.MAX_VALUE, last));
        }
        return topics.edges("--topic", topics.kafka().topics().prefix() + topic, new TopicMoment.Now(), mapping, ids);
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
