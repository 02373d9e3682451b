package io.cutwater.deploy.cli.training;

import io.cutwater.deploy.cli.converter.DurationConverter;
import io.cutwater.deploy.cli.option.BrokerOptions;
import io.cutwater.deploy.cli.option.KafkaPropertiesOption;
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
                    + " averages, the others train, with the same options and the same graph. The coordinator that is"
                    + " started last uses the topics, and those before it end. Default: this process does all")
    @Nullable Role role;

    @Option(
            names = "--worker-silence",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "With --role coordinator: a worker that says nothing for so long is given up, and its shards"
                    + " go to others. Default: ${DEFAULT-VALUE}")
    private Duration silence;

    /** Where they meet; null if this process is alone. */
    @Nullable Meeting meeting(BrokerOptions brokers, KafkaPropertiesOption kafka) {
        if (role == null) {
            return null;
        }
        try {
            return new Meeting(brokers.bootstrapServers("--role"), kafka.read(), brokers.topics(), silence);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }
}
