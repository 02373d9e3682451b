package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.local.InputRequest;
import io.cutwater.deploy.local.TopicMoment;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.topic.Topics;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where topics are, and what their values look like. */
@Heading("Kafka")
public final class TopicOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--bootstrap-servers", paramLabel = "HOST:PORT[,HOST:PORT…]", description = "The Kafka brokers.")
    private @Nullable String bootstrapServers;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private KafkaPropertiesOption kafka;

    @Option(
            names = "--topic-prefix",
            paramLabel = "PREFIX",
            description = "Stands before the names of all topics of this graph. Default: none")
    private @Nullable String prefix;

    @Option(
            names = "--event-format",
            paramLabel = "FORMAT",
            description =
                    "Format in which edges are written to the topic, and of those on it that do not name theirs in header"
                            + " cutwater-format: csv, json, binary or batch. Default: csv")
    private @Nullable String eventFormat;

    /**
     * The brokers, which must be given.
     *
     * @param asking what makes them necessary
     */
    public String bootstrapServers(String asking) {
        if (bootstrapServers == null || bootstrapServers.isBlank()) {
            throw wrong(asking + " needs --bootstrap-servers HOST:PORT");
        }
        return checked(spec, bootstrapServers);
    }

    /** Brokers as they are given, if they are written as brokers are. */
    public static String checked(CommandSpec spec, String bootstrapServers) {
        for (String server : bootstrapServers.split(",", -1)) {
            if (!server.strip().matches("\\S+:[0-9]{1,5}")) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--bootstrap-servers must be HOST:PORT, several with commas between: '%s'"
                                .formatted(bootstrapServers));
            }
        }
        return bootstrapServers;
    }

    /** More settings of Kafka clients, with references instead of secrets. */
    public Map<String, String> client() {
        return kafka.read();
    }

    public Topics names() {
        try {
            return new Topics(prefix == null ? "" : prefix);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    /**
     * The topic of edges.
     *
     * @param asking what makes brokers necessary
     */
    public InputRequest.Topic edges(String asking) {
        Topics names = names();
        return new InputRequest.Topic(
                bootstrapServers(asking), names, names.edges(), eventFormat(), new TopicMoment.Now(), client());
    }

    public EdgeEventFormat eventFormat() {
        if (eventFormat == null) {
            return EdgeEventFormat.CSV;
        }
        try {
            return EdgeEventFormat.of(eventFormat);
        } catch (IllegalArgumentException e) {
            throw wrong("--event-format must be csv, json, binary or batch: '%s'".formatted(eventFormat));
        }
    }

    /** Refuses the options of topics where the input is not one. */
    public void refuse(String given) {
        String option = bootstrapServers != null
                ? "--bootstrap-servers"
                : prefix != null
                        ? "--topic-prefix"
                        : eventFormat != null ? "--event-format" : kafka.isGiven() ? "--kafka-properties" : null;
        if (option != null) {
            throw wrong("%s is for topics, and %s reads files; leave one of them out".formatted(option, given));
        }
    }

    private ParameterException wrong(@Nullable String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
