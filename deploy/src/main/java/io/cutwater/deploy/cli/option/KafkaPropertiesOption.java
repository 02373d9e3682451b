package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.kafka.client.ClientPropertiesFile;
import io.cutwater.kafka.topic.BrokerException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Properties of Kafka clients beside the addresses of the brokers. There are passwords in the file: no value is kept.
 */
@Heading("Kafka")
@SuppressWarnings("NullAway.Init") // picocli sets options
public final class KafkaPropertiesOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--kafka-properties",
            paramLabel = "FILE",
            description =
                    "File of Kafka client properties, NAME=VALUE lines; values may refer to environment variables.")
    private @Nullable Path file;

    public boolean isGiven() {
        return file != null;
    }

    /** The file's absolute path; null if none is given. */
    public @Nullable Path file() {
        return file == null ? null : file.toAbsolutePath().normalize();
    }

    /** References to the properties of the file, without their values; none without a file. */
    public Map<String, String> read() {
        if (file == null) {
            return Map.of();
        }
        ReadableFile.require(spec, "--kafka-properties", file);
        try {
            return ClientPropertiesFile.references(file);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }

    /**
     * The same for the file that is given, else for the one with which a job was submitted.
     *
     * @param ofJob its path; null for none
     * @throws BrokerException if that of the job is not here
     */
    public Map<String, String> readOr(@Nullable String ofJob) {
        if (file != null || ofJob == null) {
            return read();
        }
        try {
            return ClientPropertiesFile.references(Path.of(ofJob));
        } catch (IllegalArgumentException e) {
            throw new BrokerException(
                    "the job was submitted with a file that cannot be used here: %s; give the one of this machine with"
                                    .formatted(e.getMessage())
                            + " --kafka-properties",
                    e);
        }
    }
}
