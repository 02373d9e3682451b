package io.cutwater.kafka.client;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A file with properties of Kafka clients, including secrets. Everything outside a client gets {@link #references},
 * which name the file and hold no value; a client looks up the values in the process that opens it
 * ({@link ClientPropertiesProvider}). So no value is in a job graph, in state, in a log, or in an answer of Flink.
 */
public final class ClientPropertiesFile {
    /** Users cannot change the format of records and the guarantees of a client. */
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

    private static final String OPTION = "--kafka-properties";
    private static final String PROVIDERS = "config.providers";
    private static final String OWN_PROVIDER = "cutwater";

    private ClientPropertiesFile() {}

    /**
     * Returns client properties that refer to those of a file; the values are read and checked once.
     *
     * @param file lines {@code NAME=VALUE}; {@code ${env:NAME}} in a value is an environment variable of the process
     *     that opens the client, and other providers of Kafka can be declared with {@code config.providers}
     * @throws IllegalArgumentException if the file is missing or malformed; the message names the file and no value
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
     * Reads the properties with their values.
     *
     * @throws IllegalArgumentException if the file is missing or malformed; the message names the file and no value
     */
    static Map<String, String> read(Path file) {
        Map<String, String> values = PropertiesFile.read(OPTION, file);
        for (String name : values.keySet()) {
            if (name.equals("bootstrap.servers")) {
                throw PropertiesFile.wrong(
                        OPTION, file, "has bootstrap.servers; give --bootstrap-servers and take it out");
            }
            if (OURS.contains(name)) {
                throw PropertiesFile.wrong(
                        OPTION, file, "has %s, which cannot be changed; take it out".formatted(name));
            }
        }
        return values;
    }
}
