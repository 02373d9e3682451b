package io.cutwater.kafka.topic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * The secret words in client properties. Kafka hides the values themselves, but quotes parts of a value that it cannot
 * parse, such as {@code sasl.jaas.config}.
 */
final class SecretValues {
    private static final List<String> SECRET_NAMES = List.of("password", "jaas", "secret", "token", "key");

    private final List<String> words = new ArrayList<>();

    SecretValues(Map<String, ?> properties) {
        resolved(properties).forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (SECRET_NAMES.stream().anyMatch(lower::contains)) {
                words.addAll(List.of(String.valueOf(value).split("[\\s=;'\"]+")));
            }
        });
        words.removeIf(String::isEmpty);
        words.sort(Comparator.comparingInt(String::length).reversed()); // a word may be part of another
    }

    /** A reference to a file is no secret, but the value in the file is. */
    private static Map<String, ?> resolved(Map<String, ?> properties) {
        try {
            return new AbstractConfig(new ConfigDef(), properties, false).originals();
        } catch (RuntimeException e) { // the file is missing, so no client has quoted it
            return properties;
        }
    }

    /** Returns the message with each secret word replaced by three dots. */
    String hide(String message) {
        String hidden = message;
        for (String word : words) {
            hidden = hidden.replace(word, "…");
        }
        return hidden;
    }
}
