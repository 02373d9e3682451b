package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.cli.converter.TopicMomentConverter;
import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.EdgeFileOptions;
import io.cutwater.deploy.cli.option.MappingOptions;
import io.cutwater.deploy.cli.option.TopicOptions;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.input.TopicMoment;
import io.cutwater.deploy.local.IdKind;
import io.cutwater.deploy.local.RunRequest;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.state.edges.DuplicateRule;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The edges that {@code partition} reads, from files or from a topic. */
@Heading("Input")
@SuppressWarnings("NullAway.Init") // picocli sets options with defaults, and mixins
final class InputOptions {
    @Heading("Input")
    private static final class Source {
        @Option(names = "--edges", arity = "1..*", paramLabel = "FILE", description = EdgeFileOptions.FILES)
        private List<Path> files = new ArrayList<>();

        @Option(names = "--topic", paramLabel = "NAME", description = "Topic of edges, read up to its current end.")
        private @Nullable String topic;
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @ArgGroup
    private Source source = new Source();

    @Option(names = "--input-format", paramLabel = "FORMAT", description = EdgeFileOptions.FORMATS)
    private @Nullable String format;

    @Option(
            names = "--ids",
            paramLabel = "integer|text",
            defaultValue = "integer",
            description = "Type of vertex ids; text is for text files and topics, and keeps all texts in memory."
                    + " Default: ${DEFAULT-VALUE}")
    private IdKind ids;

    @Option(
            names = "--until",
            paramLabel = "OFFSETS|TIME",
            converter = TopicMomentConverter.class,
            description = "End of --topic: 0:1234,1:99 (first offsets not read), 2026-11-21T20:00:00Z or @MILLIS.")
    private @Nullable TopicMoment until;

    @Option(names = "--via-kafka", description = "Send the files through an embedded Kafka broker first.")
    private boolean viaKafka;

    @Option(
            names = "--dedupe",
            arity = "0..1",
            fallbackValue = "directed",
            paramLabel = "directed|undirected",
            description = "Drop repeated edges; undirected: also in the other direction. The first one stays.")
    private @Nullable DuplicateRule dedupe;

    @Option(
            names = "--max-malformed",
            paramLabel = "SHARE",
            defaultValue = "0.01",
            description =
                    "Fail if more than this share of the records is malformed, 0 to 1." + " Default: ${DEFAULT-VALUE}")
    private double maxMalformed;

    @Mixin
    private TopicOptions topics;

    @Mixin
    private MappingOptions mapping;

    TopicOptions topics() {
        return topics;
    }

    RunRequest.Input read() {
        if (!(maxMalformed >= 0 && maxMalformed <= 1)) {
            throw wrong("--max-malformed must be between 0 and 1, such as 0.01: " + maxMalformed);
        }
        InputRequest from = source.topic == null ? files() : topic(source.topic);
        return new RunRequest.Input(from, ids, dedupe, maxMalformed, viaKafka);
    }

    private InputRequest files() {
        if (source.files.isEmpty()) {
            throw wrong("there is no input; give --edges FILE… or --topic NAME");
        }
        topics.refuse("--edges", mapping);
        if (until != null) {
            throw wrong("--until needs --topic; files are read to their end");
        }
        InputRequest.Files files = EdgeFileOptions.read(spec, source.files, format);
        if (ids == IdKind.TEXT) {
            requireText(files);
        }
        return files;
    }

    private InputRequest topic(String topic) {
        if (viaKafka) {
            throw wrong("--via-kafka is for files, and --topic is on Kafka already; leave it out");
        }
        if (format != null) {
            throw wrong("--input-format is for files; give the format of the topic's records with --event-format");
        }
        if (until instanceof TopicMoment.AtTime moment && moment.time().isAfter(Instant.now())) {
            throw wrong("--until must not be in the future: " + moment.time());
        }
        return topics.edges(
                "--topic",
                topics.kafka().topics().prefix() + topic,
                until == null ? new TopicMoment.Now() : until,
                mapping,
                ids);
    }

    private void requireText(InputRequest.Files files) {
        for (Path file : files.paths()) {
            EdgeFileFormat found = files.formatOf(file);
            if (found != EdgeFileFormat.TEXT) {
                throw wrong("--ids text is for text files, and %s is %s; leave it out"
                        .formatted(file, found.name().toLowerCase(Locale.ROOT)));
            }
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
