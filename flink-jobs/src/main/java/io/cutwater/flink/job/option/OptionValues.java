package io.cutwater.flink.job.option;

import io.cutwater.state.joint.JointPartitioner;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.MemorySize;

/** Values of options by name; errors name the option. */
final class OptionValues {
    private final Map<String, String> given;

    /** @throws IllegalArgumentException if there is no option of one of the names */
    OptionValues(Map<String, String> given) {
        TreeSet<String> names = new TreeSet<>();
        LiveJobConfig.ALL.forEach(option -> names.add(option.key()));
        TreeSet<String> unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(names);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no option --%s; there are --%s".formatted(unknown.first(), String.join(", --", names)));
        }
        this.given = new TreeMap<>(given);
    }

    /** Returns the given values, without defaults. */
    Map<String, String> given() {
        return Map.copyOf(given);
    }

    private String value(ConfigOption<?> option) {
        return given.getOrDefault(option.key(), JobOption.defaultText(option)).strip();
    }

    private String required(ConfigOption<?> option) {
        String value = value(option);
        if (value.isEmpty()) {
            throw new IllegalArgumentException("--%s is missing; give it a value".formatted(option.key()));
        }
        return value;
    }

    IllegalArgumentException wrong(ConfigOption<?> option, String rule) {
        return new IllegalArgumentException("--%s %s: '%s'".formatted(option.key(), rule, value(option)));
    }

    /** Parses the value of an option; an error of the parser is reported with the option's name. */
    <T> T read(ConfigOption<?> option, Function<String, T> reader) {
        try {
            return reader.apply(value(option));
        } catch (IllegalArgumentException e) {
            String sentence = String.valueOf(e.getMessage());
            throw sentence.startsWith("--")
                    ? e
                    : new IllegalArgumentException("--" + option.key() + ": " + sentence, e);
        }
    }

    String servers(ConfigOption<?> option) {
        String servers = required(option);
        for (String server : servers.split(",", -1)) {
            if (!server.strip().matches("\\S+:[0-9]{1,5}")) {
                throw wrong(option, "must be HOST:PORT, several with commas between");
            }
        }
        return servers;
    }

    long integer(ConfigOption<?> option, long min, long max) {
        try {
            long value = Long.parseLong(required(option));
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // told below, like a number that is out of range
        }
        throw wrong(option, "must be a whole number, %d to %d".formatted(min, max));
    }

    /** Parses a share from 0 to 1, or a percentage with a percent sign. */
    double share(ConfigOption<?> option) {
        String text = required(option);
        try {
            double share = text.endsWith("%")
                    ? Double.parseDouble(text.substring(0, text.length() - 1)) / 100
                    : Double.parseDouble(text);
            if (share >= 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException e) {
            // told below, as a number that is out of range
        }
        throw wrong(option, "must be a share such as 5% or 0.05, at most 1");
    }

    boolean flag(ConfigOption<?> option) {
        return switch (required(option)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(option, "must be true or false");
        };
    }

    Duration duration(ConfigOption<Duration> option) {
        try {
            return OptionText.duration(required(option));
        } catch (IllegalArgumentException e) {
            throw wrong(option, "must be a time, a number with ms, s, min, h or d");
        }
    }

    /** Parses an integer of at least 1. */
    long bytes(ConfigOption<MemorySize> option) {
        try {
            long bytes = OptionText.bytes(required(option));
            if (bytes > 0) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            // reported below, like a size that is too small
        }
        throw wrong(option, "must be a size of at least 1 byte: bytes, or a number with k, m, g or t");
    }

    /**
     * Parses a number of buffered edges, or the memory that they take.
     *
     * @param bytes of memory for each
     */
    int edges(ConfigOption<String> option, int bytes) {
        String text = required(option);
        try {
            long edges = text.matches("[0-9]+") ? Long.parseLong(text) : OptionText.bytes(text) / bytes;
            if (edges >= 1 && edges <= JointPartitioner.MAX_BUFFER) {
                return (int) edges;
            }
        } catch (IllegalArgumentException e) {
            // reported below, like a size that is out of range
        }
        throw wrong(
                option,
                "must be 1 to %d edges, or their memory with k, m or g at %d bytes an edge"
                        .formatted(JointPartitioner.MAX_BUFFER, bytes));
    }

    /** Parses {@code name=value,…}. */
    Map<String, String> settings(ConfigOption<?> option) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String setting : list(option)) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw wrong(option, "must be NAME=VALUE, several with commas between");
            }
            settings.put(
                    setting.substring(0, equals).strip(),
                    setting.substring(equals + 1).strip());
        }
        return settings;
    }

    /** Parses {@code topicPartition:offset,…}. */
    Map<Integer, Long> offsets(ConfigOption<?> option) {
        Map<Integer, Long> offsets = new TreeMap<>();
        for (String offset : list(option)) {
            if (!offset.matches("[0-9]{1,6}:[0-9]{1,18}")) {
                throw wrong(option, "must be TOPICPARTITION:OFFSET, several with commas between");
            }
            int colon = offset.indexOf(':');
            offsets.put(Integer.valueOf(offset.substring(0, colon)), Long.valueOf(offset.substring(colon + 1)));
        }
        return offsets;
    }

    private Iterable<String> list(ConfigOption<?> option) {
        return Arrays.stream(value(option).split(",", -1))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .toList();
    }
}
