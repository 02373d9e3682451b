package io.cutwater.flink.job;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values of options by name, read with sentences that name the option where one is not as it must be. */
final class OptionValues {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|)");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})([kmg]?)b?");

    private final Map<String, String> given;
    private final Map<String, String> defaults;

    /** @param defaults the default of every option there is; empty for none */
    OptionValues(Map<String, String> given, Map<String, String> defaults) {
        TreeSet<String> unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(defaults.keySet());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("there is no option --%s; there are --%s"
                    .formatted(unknown.first(), String.join(", --", new TreeSet<>(defaults.keySet()))));
        }
        this.given = new TreeMap<>(given);
        this.defaults = defaults;
    }

    /** What was given, without the defaults. */
    Map<String, String> given() {
        return Map.copyOf(given);
    }

    private String value(String name) {
        return given.getOrDefault(name, defaults.getOrDefault(name, "")).strip();
    }

    private String required(String name) {
        String value = value(name);
        if (value.isEmpty()) {
            throw new IllegalArgumentException("--%s is missing; give it a value".formatted(name));
        }
        return value;
    }

    IllegalArgumentException wrong(String name, String rule) {
        return new IllegalArgumentException("--%s %s: '%s'".formatted(name, rule, value(name)));
    }

    /** What a reader makes of the value; what it refuses is told with the option's name. */
    <T> T read(String name, Function<String, T> reader) {
        try {
            return reader.apply(value(name));
        } catch (IllegalArgumentException e) {
            String sentence = String.valueOf(e.getMessage());
            throw sentence.startsWith("--") ? e : new IllegalArgumentException("--" + name + ": " + sentence, e);
        }
    }

    String servers(String name) {
        String servers = required(name);
        for (String server : servers.split(",", -1)) {
            if (!server.strip().matches("\\S+:[0-9]{1,5}")) {
                throw wrong(name, "must be HOST:PORT, several with commas between");
            }
        }
        return servers;
    }

    long integer(String name, long min, long max) {
        try {
            long value = Long.parseLong(required(name));
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // told below, like a number that is out of range
        }
        throw wrong(name, "must be a whole number, %d to %d".formatted(min, max));
    }

    /** 0 to 1; with a percent sign of a hundred. */
    double share(String name) {
        String text = required(name);
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
        throw wrong(name, "must be a share such as 5% or 0.05, at most 1");
    }

    boolean flag(String name) {
        return switch (required(name)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(name, "must be true or false");
        };
    }

    /** A bare number is seconds. */
    Duration duration(String name) {
        Matcher matcher = DURATION.matcher(required(name));
        if (!matcher.matches()) {
            throw wrong(name, "must be a time, a number with ms, s, m or h");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofSeconds(number);
        };
    }

    /** At least 1; k is 1024. */
    long bytes(String name) {
        Matcher matcher = SIZE.matcher(required(name).toLowerCase(Locale.ROOT));
        if (matcher.matches()) {
            int shift = matcher.group(2).isEmpty() ? 0 : 10 * (1 + "kmg".indexOf(matcher.group(2)));
            long number = Long.parseLong(matcher.group(1));
            if (number > 0 && number <= Long.MAX_VALUE >> shift) {
                return number << shift;
            }
        }
        throw wrong(name, "must be a size of at least 1 byte: bytes, or a number with k, m or g");
    }

    /** {@code name=value,…}. */
    Map<String, String> settings(String name) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String setting : list(name)) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw wrong(name, "must be NAME=VALUE, several with commas between");
            }
            settings.put(
                    setting.substring(0, equals).strip(),
                    setting.substring(equals + 1).strip());
        }
        return settings;
    }

    /** {@code topicPartition:offset,…}. */
    Map<Integer, Long> offsets(String name) {
        Map<Integer, Long> offsets = new TreeMap<>();
        for (String offset : list(name)) {
            if (!offset.matches("[0-9]{1,6}:[0-9]{1,18}")) {
                throw wrong(name, "must be TOPICPARTITION:OFFSET, several with commas between");
            }
            int colon = offset.indexOf(':');
            offsets.put(Integer.valueOf(offset.substring(0, colon)), Long.valueOf(offset.substring(colon + 1)));
        }
        return offsets;
    }

    private Iterable<String> list(String name) {
        return Arrays.stream(value(name).split(",", -1))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .toList();
    }
}
