package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.input.TopicMoment;
import io.cutwater.deploy.local.IdKind;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.topic.Topics;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The Kafka brokers of a topic of edges, and how its records hold the edges. */
@Heading("Kafka")
@SuppressWarnings("NullAway.Init") // picocli sets the command and mixins
public final class TopicOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private KafkaOptions kafka;

    @Option(
            names = "--event-format",
            paramLabel = "FORMAT",
            description = "Format of edge records without a cutwater-format header: csv, json, binary, batch;"
                    + " to read a topic also avro, protobuf, debezium-json, debezium-avro. Default: csv")
    private @Nullable String eventFormat;

    public KafkaOptions kafka() {
        return kafka;
    }

    /**
     * The topic with the edges of a graph, which is written.
     *
     * @param asking the option or command that needs brokers
     */
    public InputRequest.Topic edges(String asking) {
        EdgeEventFormat format;
        try {
            format = eventFormat == null ? EdgeEventFormat.CSV : EdgeEventFormat.of(eventFormat);
        } catch (IllegalArgumentException e) {
            throw wrong("--event-format must be csv, json, binary or batch: '%s'".formatted(eventFormat));
        }
        return edges(asking, kafka.topics().edges(), new TopicMoment.Now(), new RecordFormat.Own(format));
    }

    /**
     * A topic of edges, which is read.
     *
     * @param asking the option or command that needs brokers
     * @param topic its full name
     * @param until how far it is read
     * @param mapping the fields of the edges, in records of others
     * @param ids what the ends of the edges are
     */
    public InputRequest.Topic edges(
            String asking, String topic, TopicMoment until, MappingOptions mapping, IdKind ids) {
        try {
            RecordFormat format =
                    mapping.of(eventFormat == null ? EdgeEventFormat.CSV.toString() : eventFormat, ids == IdKind.TEXT);
            if (format.removesAll()) {
                throw new IllegalArgumentException(
                        "--on-truncate remove is for the live job; choose fail or ignore, or submit");
            }
            format.check(topic);
            return edges(asking, topic, until, format);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private InputRequest.Topic edges(String asking, String topic, TopicMoment until, RecordFormat format) {
        String bootstrapServers = kafka.bootstrapServers(asking);
        Topics names = kafka.topics();
        return new InputRequest.Topic(bootstrapServers, names, topic, format, until, kafka.client());
    }

    /** Refuses the options of topics where the input is files. */
    public void refuse(String given, MappingOptions mapping) {
        String kafkaOption = kafka.given();
        String option = kafkaOption != null ? kafkaOption : eventFormat != null ? "--event-format" : mapping.given();
        if (option != null) {
            throw wrong("%s is for topics, and %s reads files; leave one of them out".formatted(option, given));
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
