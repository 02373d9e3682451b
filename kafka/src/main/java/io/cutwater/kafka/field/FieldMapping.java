package io.cutwater.kafka.field;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a record that make an edge.
 *
 * @param source the source vertex, a 64-bit integer, as a number or as text
 * @param target the target vertex, likewise
 * @param weight a finite number; null for edges without weights
 * @param timestamp a 64-bit integer; null for edges without timestamps
 */
public record FieldMapping(
        FieldPath source,
        FieldPath target,
        @Nullable FieldPath weight,
        @Nullable FieldPath timestamp) implements Serializable {
    /**
     * Parses paths as users give them; empty for those that are not given.
     *
     * @return null if none is given
     * @throws IllegalArgumentException if an end is missing or a path invalid; the message names the option
     */
    public static @Nullable FieldMapping parse(String source, String target, String weight, String timestamp) {
        if (source.isEmpty() && target.isEmpty() && weight.isEmpty() && timestamp.isEmpty()) {
            return null;
        }
        if (source.isEmpty() || target.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s is missing; the fields of an edge are given as --source and --target, and if it has them --weight and --timestamp"
                            .formatted(source.isEmpty() ? "--source" : "--target"));
        }
        return new FieldMapping(
                required("--source", source),
                required("--target", target),
                weight.isEmpty() ? null : required("--weight", weight),
                timestamp.isEmpty() ? null : required("--timestamp", timestamp));
    }

    private static FieldPath required(String option, String path) {
        try {
            return FieldPath.parse(path);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("%s: %s".formatted(option, e.getMessage()), e);
        }
    }
}
