package io.cutwater.deploy.cli.topic;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.KafkaPropertiesOption;
import io.cutwater.deploy.cli.option.TopicOptions;
import io.cutwater.kafka.topic.Topics;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where the shards of a graph are. */
@Heading("Kafka")
@SuppressWarnings("NullAway.Init") // picocli sets options that are required, and the command
final class ShardTopicOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--bootstrap-servers",
            required = true,
            paramLabel = "HOST:PORT[,HOST:PORT…]",
            description = "The Kafka brokers.")
    private String bootstrapServers;

    @Mixin
    private KafkaPropertiesOption kafka;

    @Option(
            names = "--topic-prefix",
            defaultValue = "",
            paramLabel = "PREFIX",
            description = "Stands before the names of all topics of this graph. Default: none")
    private String prefix;

    String bootstrapServers() {
        return TopicOptions.checked(spec, bootstrapServers);
    }

    /** More settings of Kafka clients, with references instead of secrets. */
    Map<String, String> client() {
        return kafka.read();
    }

    /** The full name of topic {@code shards}. */
    String topic() {
        try {
            return new Topics(prefix).shards();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }
}
