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

/** The role of this process in a training of several processes. */
@Heading("Distributed training")
@SuppressWarnings("NullAway.Init") // picocli sets options
final class RoleOptions {
    /** The role of a process in distributed training. */
    enum Role {
        COORDINATOR,
        WORKER
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--role",
            paramLabel = "coordinator|worker",
            description = "Role of this process in distributed training. Default: it trains alone")
    @Nullable Role role;

    @Option(
            names = "--worker-timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description =
                    "With --role coordinator: silence after which a worker's shards are reassigned. Default: ${DEFAULT-VALUE}")
    private Duration workerTimeout;

    /** The topics on which the processes talk; null if this process trains alone. */
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
