package io.cutwater.deploy.cli;

import io.cutwater.kafka.topic.Topics;
import io.cutwater.trainer.run.Meeting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Whether a training is this process alone, or what it is among several, and where they meet. */
@SuppressWarnings("NullAway.Init") // picocli sets options
final class MeetingOptions {
    /** What a process is in a training of several. */
    enum Role {
        COORDINATOR,
        WORKER
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--role",
            paramLabel = "coordinator|worker",
            description = "For a training of several processes, which talk on the topics models and model-updates: one"
                    + " averages, the others train, with the same options and files. Default: this process does all")
    @Nullable Role role;

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT[,HOST:PORT…]",
            description = "With --role: the Kafka brokers.")
    private @Nullable String bootstrapServers;

    @Option(
            names = "--topic-prefix",
            paramLabel = "PREFIX",
            description = "With --role: stands before the names of the topics. The coordinator that is started"
                    + " last uses them, and those before it end. Default: none")
    private @Nullable String prefix;

    @Option(
            names = "--worker-silence",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "With --role coordinator: a worker that says nothing for so long is given up, and its shards"
                    + " go to others. Default: ${DEFAULT-VALUE}")
    private Duration silence;

    /** Where they meet; null if this process is alone. */
    @Nullable Meeting meeting(KafkaPropertiesOption kafka) {
        if (role == null) {
            if (kafka.isGiven()) {
                throw wrong("--kafka-properties is for --role coordinator or worker; give that, too");
            }
            if (bootstrapServers != null || prefix != null) {
                throw wrong(
                        "--bootstrap-servers and --topic-prefix are for --role coordinator or worker; give that, too");
            }
            return null;
        }
        if (bootstrapServers == null || bootstrapServers.isBlank()) {
            throw wrong("--role needs --bootstrap-servers HOST:PORT");
        }
        try {
            return new Meeting(bootstrapServers, kafka.read(), new Topics(prefix == null ? "" : prefix), silence);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
