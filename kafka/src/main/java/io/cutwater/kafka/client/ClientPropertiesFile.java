package io.cutwater.kafka.client;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.provider.EnvVarConfigProvider;

/**
 * A file with properties of Kafka clients, secrets among them. Everything outside a client gets {@link #references},
 * which name the file and hold no value: a client looks the values up in the process that opens it
 * ({@link ClientPropertiesProvider}). So no value is in a job graph, in state, in a log or in an answer of Flink.
 */
public final class ClientPropertiesFile {
    /** The format of records and the guarantees of a client are not the user's to change. */
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

    private static final String PROVIDERS = "config.providers";
    private static final String OWN_PROVIDER = "cutwater";
    private static final String ENVIRONMENT = "env";
    private static final Pattern UNRESOLVED = Pattern.compile("\\$\\{env:([^}]*)}");

    private ClientPropertiesFile() {}

    /**
     * Client properties that refer to those of a file, whose values are read and checked once.
     *
     * @param file lines {@code NAME=VALUE}; {@code ${env:NAME}} in a value is an environment variable of the process
     *     that opens the client, and other providers of Kafka can be declared with {@code config.providers}
     * @throws IllegalArgumentException with one sentence that names the file and no value
     */
    public static Map<String, String> references(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        Map<String, String> references = new TreeMap<>();
        for (String name : read(absolute).keySet()) {
            references.put(name, "${%s:%s}".formatted(OWN_PROVIDER, name));
        }
        references.put(PROVIDERS, OWN_PROVIDER);
        references.put(PROVIDERS + "." + OWN_PROVIDER + ".class", ClientPropertiesProvider.class.getName());
        references.put(PROVIDERS + "." + OWN_PROVIDER + ".param." + ClientPropertiesProvider.FILE, absolute.toString());
        return references;
    }

    /**
     * The properties with their values.
     *
     * @throws IllegalArgumentException with one sentence that names the file and no value
     */
    static Map<String, String> read(Path file) {
        Map<String, String> given = load(file);
        for (String name : given.keySet()) {
            if (name.equals("bootstrap.servers")) {
                throw wrong(file, "has bootstrap.servers; give --bootstrap-servers and take it out");
            }
            if (OURS.contains(name)) {
                throw wrong(file, "has %s, which cannot be changed; take it out".formatted(name));
            }
        }
        Map<String, String> values = resolve(file, given);
        values.keySet().removeIf(name -> name.equals(PROVIDERS) || name.startsWith(PROVIDERS + "."));
        return values;
    }

    private static Map<String, String> load(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) { // whose messages may have parts of values
            throw wrong(
                    file,
                    Files.isReadable(file)
                            ? "cannot be read; it must be UTF-8 text in lines of NAME=VALUE"
                            : "does not exist or cannot be read; every process that opens a Kafka client, the processes"
                                    + " of a Flink cluster among them, needs it at this path");
        }
        Map<String, String> loaded = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> loaded.put(name, properties.getProperty(name)));
        return loaded;
    }

    private static Map<String, String> resolve(Path file, Map<String, String> given) {
        Map<String, String> withProviders = new HashMap<>(given);
        withProviders.merge(PROVIDERS, ENVIRONMENT, (own, env) -> own + "," + env);
        withProviders.put(PROVIDERS + "." + ENVIRONMENT + ".class", EnvVarConfigProvider.class.getName());
        Map<String, String> resolved = new TreeMap<>();
        try {
            new AbstractConfig(new ConfigDef(), withProviders, false)
                    .originals()
                    .forEach((name, value) -> resolved.put(name, String.valueOf(value)));
        } catch (RuntimeException e) { // whose message may have parts of values
            throw wrong(file, "names a config provider that cannot be used; check " + PROVIDERS + " in it");
        }
        resolved.forEach((name, value) -> {
            Matcher variable = UNRESOLVED.matcher(value);
            if (variable.find()) {
                throw wrong(
                        file,
                        "refers to environment variable %s in %s, and this process has none of that name; set it"
                                .formatted(variable.group(1), name));
            }
        });
        return resolved;
    }

    private static IllegalArgumentException wrong(Path file, String rest) {
        return new IllegalArgumentException("--kafka-properties %s %s".formatted(file, rest));
    }
}
