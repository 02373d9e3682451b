package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cluster.ClusterFolder;
import io.cutwater.deploy.cluster.ClusterSettings;
import io.cutwater.deploy.cluster.OwnBroker;
import io.cutwater.kafka.topic.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
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
            description = "Kafka brokers, separated by commas. Default: that of the local cluster")
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
     * The brokers that are given, or else the broker of the local cluster.
     *
     * @param asking the option or command that needs them
     * @throws UncheckedIOException if the broker at the local cluster's address is not that of the cluster; the message
     *     is meant for users
     */
    public String bootstrapServers(String asking) {
        return bootstrapServers == null ? ofLocalCluster(asking) : checked(bootstrapServers);
    }

    private String ofLocalCluster(String asking) {
        Path folder = ClusterFolder.standard();
        try {
            ClusterSettings local = ClusterSettings.read(folder);
            if (local == null) {
                throw wrong("%s needs --bootstrap-servers HOST:PORT; there is no local cluster in %s"
                        .formatted(asking, folder));
            }
            OwnBroker.require(folder, local.bootstrapServers());
            return local.bootstrapServers();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
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
            Topics topics = new Topics(prefix == null ? defaultPrefix : prefix);
            MDC.put("graph", topics.edges()); // names the graph in the events of the log
            return topics;
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
