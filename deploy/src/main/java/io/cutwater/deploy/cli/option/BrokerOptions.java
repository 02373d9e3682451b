package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.kafka.topic.Topics;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where the topics are that a training or prediction reads or meets on, if it does. */
@Heading("Kafka")
@SuppressWarnings("NullAway.Init") // picocli sets the command
public final class BrokerOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT[,HOST:PORT…]",
            description = "The Kafka brokers, wherever topics are used.")
    private @Nullable String bootstrapServers;

    @Option(
            names = "--topic-prefix",
            paramLabel = "PREFIX",
            description = "Stands before the names of all topics of this graph. Default: none")
    private @Nullable String prefix;

    /** The option that was given and needs topics to be of use; null for none. */
    public @Nullable String given() {
        return bootstrapServers != null ? "--bootstrap-servers" : prefix != null ? "--topic-prefix" : null;
    }

    /**
     * The brokers, which must be given.
     *
     * @param asking what makes them necessary
     */
    public String bootstrapServers(String asking) {
        if (bootstrapServers == null || bootstrapServers.isBlank()) {
            throw wrong(asking + " needs --bootstrap-servers HOST:PORT");
        }
        return TopicOptions.checked(spec, bootstrapServers);
    }

    public Topics topics() {
        try {
            return new Topics(prefix == null ? "" : prefix);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
