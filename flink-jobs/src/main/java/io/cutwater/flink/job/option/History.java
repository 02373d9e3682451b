package io.cutwater.flink.job.option;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The part of a topic that a bootstrap places in bulk before the job continues live. It is fixed at the first
 * submission, so that every attempt reads the same history.
 *
 * @param from first offset by topic partition
 * @param until end offset (exclusive) of the same topic partitions: the first one that is read live
 */
public record History(Map<Integer, Long> from, Map<Integer, Long> until) {
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,6}):([0-9]{1,18})-([0-9]{1,18})");

    public History {
        from = Map.copyOf(from);
        until = Map.copyOf(until);
        if (!from.keySet().equals(until.keySet())) {
            throw new IllegalArgumentException("from and until must name the same topic partitions: %s and %s"
                    .formatted(from.keySet(), until.keySet()));
        }
    }

    /**
     * Parses {@code topicPartition:from-until,…}, the format of {@link #toString}.
     *
     * @throws IllegalArgumentException if the text has another format; the message is meant for users
     */
    static History parse(String text) {
        Map<Integer, Long> from = new TreeMap<>();
        Map<Integer, Long> until = new TreeMap<>();
        for (String range : text.split(",", -1)) {
            Matcher matcher = RANGE.matcher(range.strip());
            if (!matcher.matches() || Long.parseLong(matcher.group(2)) > Long.parseLong(matcher.group(3))) {
                throw new IllegalArgumentException(
                        "it must be TOPICPARTITION:FROM-UNTIL, several with commas between: '%s'".formatted(text));
            }
            from.put(Integer.valueOf(matcher.group(1)), Long.valueOf(matcher.group(2)));
            until.put(Integer.valueOf(matcher.group(1)), Long.valueOf(matcher.group(3)));
        }
        return new History(from, until);
    }

    @Override
    public String toString() {
        return new TreeMap<>(from)
                .entrySet().stream()
                        .map(first -> "%d:%d-%d".formatted(first.getKey(), first.getValue(), until.get(first.getKey())))
                        .collect(Collectors.joining(","));
    }
}
