package io.cutwater.flink.job.option;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The part of a topic that is placed in bulk before a job goes on live; fixed when the job is submitted for the first
 * time, so that no attempt ever reads another one.
 *
 * @param from first offset by topic partition
 * @param until the offset behind the last one, of the same topic partitions: the first that is live
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
     * From {@code topicPartition:from-until,…}, as {@link #toString} writes it.
     *
     * @throws IllegalArgumentException with a sentence
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
