package io.cutwater.deploy.cli.training;

import io.cutwater.deploy.cli.converter.DurationConverter;
import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.KafkaOptions;
import io.cutwater.trainer.launch.TrainingTopics;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Whether a training is this process alone, or what it is among several, and where they meet. */
@Heading("Distributed training")
@SuppressWarnings("NullAway.Init") // picocli sets options
final class RoleOptions {
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
            names = "--worker-timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "With --role coordinator: time without a message after which a worker's shards go to other"
                    + " workers. Default: ${DEFAULT-VALUE}")
    private Duration workerTimeout;

    /** Where they meet; null if this process is alone. */
    @Nullable TrainingTopics topics(KafkaOptions kafka) {
        if (role == null) {
            return null;
        }
        try {
            return new TrainingTopics(kafka.bootstrapServers("--role"), kafka.client(), kafka.topics(), workerTimeout);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }
}
