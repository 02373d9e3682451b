package io.cutwater.deploy.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What Kafka clients need beside the addresses of the brokers. There are passwords in it: no message shows a value. */
@SuppressWarnings("NullAway.Init") // picocli sets options
final class KafkaPropertiesOption {
    /** What records are, and what was promised of them, is not the user's to change. */
    private static final Set<String> OURS = Set.of(
            "key.serializer",
            "value.serializer",
            "key.deserializer",
            "value.deserializer",
            "enable.idempotence",
            "transactional.id",
            "isolation.level",
            "auto.offset.reset",
            "enable.auto.commit");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--kafka-properties",
            paramLabel = "FILE",
            description = "Further properties of Kafka clients, such as security.protocol and what belongs to it, in"
                    + " lines of NAME=VALUE. Default: none")
    private @Nullable Path file;

    boolean isGiven() {
        return file != null;
    }

    /** The properties; none without a file. */
    Map<String, String> read() {
        if (file == null) {
            return Map.of();
        }
        ReadableFile.require(spec, "--kafka-properties", file);
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) { // whose messages may have parts of values
            throw wrong("--kafka-properties %s cannot be read; it must be UTF-8 text in lines of NAME=VALUE"
                    .formatted(file));
        }
        Map<String, String> read = new TreeMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (name.equals("bootstrap.servers")) {
                throw wrong("--kafka-properties %s has bootstrap.servers; give --bootstrap-servers and take it out"
                        .formatted(file));
            }
            if (OURS.contains(name)) {
                throw wrong(
                        "--kafka-properties %s has %s, which is not to be changed; take it out".formatted(file, name));
            }
            read.put(name, properties.getProperty(name));
        }
        return read;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
