package io.cutwater.kafka.field;

import io.cutwater.kafka.field.FieldSchema.Type;
import java.io.Serializable;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a record that make an edge.
 *
 * @param source the source vertex, a 64-bit integer, as a number or as text
 * @param target the target vertex, likewise
 * @param weight a finite number; null for edges without weights
 * @param timestamp a 64-bit integer; null for edges without timestamps
 * @param edgeKey an integer or text that names the edge, or {@link #RECORD_KEY}; null for edges without keys
 */
public record FieldMapping(
        FieldPath source,
        FieldPath target,
        @Nullable FieldPath weight,
        @Nullable FieldPath timestamp,
        @Nullable FieldPath edgeKey)
        implements Serializable {
    /** In place of a field: the bytes of the record's key. */
    public static final FieldPath RECORD_KEY = new FieldPath(List.of(":key"));

    private static final int LISTED_FIELDS = 40;

    /**
     * Parses paths as users give them; empty for those that are not given.
     *
     * @return null if none is given
     * @throws IllegalArgumentException if an end is missing or a path invalid; the message names the option
     */
    public static @Nullable FieldMapping parse(
            String source, String target, String weight, String timestamp, String edgeKey) {
        if (source.isEmpty() && target.isEmpty() && weight.isEmpty() && timestamp.isEmpty() && edgeKey.isEmpty()) {
            return null;
        }
        if (source.isEmpty() || target.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s is missing; the fields of an edge are given as --source and --target, and if it has them --weight, --timestamp and --edge-key"
                            .formatted(source.isEmpty() ? "--source" : "--target"));
        }
        return new FieldMapping(
                required("--source", source),
                required("--target", target),
                weight.isEmpty() ? null : required("--weight", weight),
                timestamp.isEmpty() ? null : required("--timestamp", timestamp),
                edgeKey.isEmpty() ? null : required("--edge-key", edgeKey));
    }

    /**
     * Checks that a schema has the fields, and that they may hold what the mapping needs.
     *
     * @throws IllegalArgumentException if one does not; the message names the option and lists the fields that exist
     */
    public void check(FieldSchema schema) {
        Set<Type> integers = EnumSet.of(Type.INTEGER, Type.TEXT);
        Set<Type> numbers = EnumSet.of(Type.INTEGER, Type.TEXT, Type.DECIMAL);
        check("--source", source, integers, "a 64-bit integer", schema);
        check("--target", target, integers, "a 64-bit integer", schema);
        check("--weight", weight, numbers, "a number", schema);
        check("--timestamp", timestamp, integers, "a 64-bit integer", schema);
        if (!RECORD_KEY.equals(edgeKey)) {
            check("--edge-key", edgeKey, integers, "an integer or text", schema);
        }
    }

    private static void check(
            String option, @Nullable FieldPath path, Set<Type> wanted, String what, FieldSchema schema) {
        if (path == null) {
            return;
        }
        Set<Type> types = schema.types(path);
        if (types.isEmpty() || Collections.disjoint(types, wanted)) {
            List<String> fields = schema.fields();
            String more = fields.size() > LISTED_FIELDS ? ", …" : "";
            throw new IllegalArgumentException("%s: %s; the fields are %s%s"
                    .formatted(
                            option,
                            types.isEmpty()
                                    ? "the schema has no field " + path
                                    : "field %s of the schema is not %s".formatted(path, what),
                            String.join(", ", fields.subList(0, Math.min(fields.size(), LISTED_FIELDS))),
                            more));
        }
    }

    private static FieldPath required(String option, String path) {
        try {
            return FieldPath.parse(path);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("%s: %s".formatted(option, e.getMessage()), e);
        }
    }
}
