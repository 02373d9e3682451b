package io.cutwater.kafka.client;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.provider.EnvVarConfigProvider;

/**
 * A file of lines {@code NAME=VALUE} that contains secrets or refers to them. {@code ${env:NAME}} in a value is an
 * environment variable, and {@code config.providers} declares other providers of Kafka.
 */
public final class PropertiesFile {
    private static final String PROVIDERS = "config.providers";
    private static final String ENVIRONMENT = "env";
    private static final Pattern UNRESOLVED = Pattern.compile("\\$\\{env:([^}]*)}");

    private PropertiesFile() {}

    /**
     * Reads the properties, with the values of this process.
     *
     * @param option the option that names the file, for messages
     * @throws IllegalArgumentException if the file is missing or malformed; the message names option and file, and no
     *     value
     */
    public static Map<String, String> read(String option, Path file) {
        Map<String, String> given = load(option, file);
        Map<String, String> withProviders = new HashMap<>(given);
        withProviders.merge(PROVIDERS, ENVIRONMENT, (own, env) -> own + "," + env);
        withProviders.put(PROVIDERS + "." + ENVIRONMENT + ".class", EnvVarConfigProvider.class.getName());
        Map<String, String> values = new TreeMap<>();
        try {
            new AbstractConfig(new ConfigDef(), withProviders, false)
                    .originals()
                    .forEach((name, value) -> values.put(name, String.valueOf(value)));
        } catch (RuntimeException e) { // whose message may contain parts of values
            throw wrong(option, file, "names a config provider that cannot be used; check " + PROVIDERS + " in it");
        }
        values.keySet().removeIf(name -> name.equals(PROVIDERS) || name.startsWith(PROVIDERS + "."));
        requireResolved(option, file, values);
        return values;
    }

    private static Map<String, String> load(String option, Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) { // whose messages may contain parts of values
            throw wrong(
                    option,
                    file,
                    Files.isReadable(file)
                            ? "cannot be read; it must be UTF-8 text in lines of NAME=VALUE"
                            : "does not exist or cannot be read; every process that needs it, those of a Flink cluster"
                                    + " among them, must have it at this path");
        }
        Map<String, String> loaded = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> loaded.put(name, properties.getProperty(name)));
        return loaded;
    }

    private static void requireResolved(String option, Path file, Map<String, String> values) {
        values.forEach((name, value) -> {
            Matcher variable = UNRESOLVED.matcher(value);
            if (variable.find()) {
                throw wrong(
                        option,
                        file,
                        "refers to environment variable %s in %s, and this process has none of that name; set it"
                                .formatted(variable.group(1), name));
            }
        });
    }

    static IllegalArgumentException wrong(String option, Path file, String rest) {
        return new IllegalArgumentException("%s %s %s".formatted(option, file, rest));
    }
}
