package io.cutwater.kafka.client;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.ConfigData;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.provider.ConfigProvider;

/** Resolves the references of {@link ClientPropertiesFile}. Kafka creates one for each client that it opens. */
public final class ClientPropertiesProvider implements ConfigProvider {
    static final String FILE = "file";

    private Path file = Path.of("");

    @Override
    public void configure(Map<String, ?> parameters) {
        file = Path.of(String.valueOf(parameters.get(FILE)));
    }

    @Override
    public ConfigData get(String path) {
        return new ConfigData(values());
    }

    @Override
    public ConfigData get(String path, Set<String> names) {
        Map<String, String> values = values();
        values.keySet().retainAll(names);
        return new ConfigData(values);
    }

    private Map<String, String> values() {
        try {
            return ClientPropertiesFile.read(file);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage());
        }
    }

    @Override
    public void close() {}
}
