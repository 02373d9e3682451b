package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.kafka.topic.Topics;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The Kafka brokers of a graph's topics. */
@Heading("Kafka")
@SuppressWarnings("NullAway.Init") // picocli sets the command and mixins
public final class KafkaOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT[,…]",
            description = "Kafka brokers, separated by commas.")
    private @Nullable String bootstrapServers;

    @Option(
            names = "--topic-prefix",
            paramLabel = "PREFIX",
            description = "Prefix of the names of all topics of this graph. Default: none")
    private @Nullable String prefix;

    @Mixin
    private KafkaPropertiesOption properties;

    /** The name of one of these options that is given; null if none is. */
    public @Nullable String given() {
        if (properties.isGiven()) {
            return "--kafka-properties";
        }
        return bootstrapServers != null ? "--bootstrap-servers" : prefix != null ? "--topic-prefix" : null;
    }

    /** The brokers; null if they are not given. */
    public @Nullable String bootstrapServers() {
        return bootstrapServers == null ? null : checked(bootstrapServers);
    }

    /**
     * The brokers, which must be given.
     *
     * @param asking the option or command that needs them
     */
    public String bootstrapServers(String asking) {
        if (bootstrapServers == null || bootstrapServers.isBlank()) {
            throw wrong(asking + " needs --bootstrap-servers HOST:PORT");
        }
        return checked(bootstrapServers);
    }

    private String checked(String servers) {
        for (String server : servers.split(",", -1)) {
            if (!server.strip().matches("\\S+:[0-9]{1,5}")) {
                throw wrong(
                        "--bootstrap-servers must be HOST:PORT, several separated by commas: '%s'".formatted(servers));
            }
        }
        return servers;
    }

    /** References to further client properties, without their values. */
    public Map<String, String> client() {
        return properties.read();
    }

    /** Returns the option of further client properties. */
    public KafkaPropertiesOption properties() {
        return properties;
    }

    /** The names of the graph's topics. */
    public Topics topics() {
        return topics("");
    }

    /**
     * The names of the graph's topics.
     *
     * @param defaultPrefix their prefix if none is given
     */
    public Topics topics(String defaultPrefix) {
        try {
            return new Topics(prefix == null ? defaultPrefix : prefix);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
