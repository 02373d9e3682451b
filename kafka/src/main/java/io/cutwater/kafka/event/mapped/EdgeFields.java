package io.cutwater.kafka.event.mapped;

import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import io.cutwater.kafka.textid.TextEnds;
import io.cutwater.state.graph.EdgeBatch;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The edge in the fields of a record. */
final class EdgeFields {
    private static final int NONE = -1;

    private final int source;
    private final int target;
    private final int weight;
    private final int timestamp;
    private final @Nullable TextEnds texts;

    /**
     * @param tree takes the fields of the mapping
     * @param texts turns the texts of ends into ids; null for ends that are integers
     */
    EdgeFields(FieldTree tree, FieldMapping mapping, @Nullable TextEnds texts) {
        this.texts = texts == null ? null : texts.another();
        source = tree.add(mapping.source());
        target = tree.add(mapping.target());
        weight = added(tree, mapping.weight());
        timestamp = added(tree, mapping.timestamp());
    }

    private static int added(FieldTree tree, @Nullable FieldPath path) {
        return path == null ? NONE : tree.add(path);
    }

    /** Returns whether both ends have values, right or wrong. */
    boolean hasEnds(FieldValues values) {
        return values.has(source) && values.has(target);
    }

    /** Returns whether an end is 0, empty or missing. */
    boolean hasBlankEnd(FieldValues values) {
        return values.isBlank(source) || values.isBlank(target);
    }

    /**
     * Returns whether an end is 0, empty or missing, and so are all ends that another record lacks; at least one is.
     */
    boolean isBlankBeside(FieldValues values, EdgeFields other, FieldValues others) {
        boolean hasSource = others.has(other.source);
        boolean hasTarget = others.has(other.target);
        return !(hasSource && hasTarget)
                && (hasSource || values.isBlank(source))
                && (hasTarget || values.isBlank(target));
    }

    /** Returns why there is no edge, as a sentence; null if there is one. */
    @Nullable String problem(FieldValues values) {
        String reason = texts == null ? endProblem(values) : endProblem(values, texts);
        if (reason == null && isGiven(weight, values)) {
            reason = values.numberProblem(weight);
        }
        if (reason == null && isGiven(timestamp, values)) {
            reason = values.integerProblem(timestamp);
            if (reason == null && values.integer(timestamp) == EdgeBatch.NO_TIMESTAMP) {
                return "timestamp %d is reserved for edges without one".formatted(EdgeBatch.NO_TIMESTAMP);
            }
        }
        return reason;
    }

    private @Nullable String endProblem(FieldValues values) {
        String reason = values.integerProblem(source);
        return reason == null ? values.integerProblem(target) : reason;
    }

    private @Nullable String endProblem(FieldValues values, TextEnds texts) {
        String reason = values.textProblem(source);
        if (reason == null) {
            reason = named(source, readSource(values, texts), values);
        }
        if (reason == null) {
            reason = values.textProblem(target);
        }
        return reason == null ? named(target, readTarget(values, texts), values) : reason;
    }

    private @Nullable String readSource(FieldValues values, TextEnds texts) {
        byte[] utf8 = values.ascii(source);
        return utf8 == null
                ? texts.readSource(text(source, values))
                : texts.readSource(utf8, values.asciiFrom(source), values.asciiTo(source));
    }

    private @Nullable String readTarget(FieldValues values, TextEnds texts) {
        byte[] utf8 = values.ascii(target);
        return utf8 == null
                ? texts.readTarget(text(target, values))
                : texts.readTarget(utf8, values.asciiFrom(target), values.asciiTo(target));
    }

    private static String text(int field, FieldValues values) {
        return Objects.requireNonNull(values.text(field), "the field has text or an integer");
    }

    private static @Nullable String named(int field, @Nullable String reason, FieldValues values) {
        return reason == null ? null : values.problem(field, reason);
    }

    /** Appends the edge, for which {@link #problem} is null. */
    void add(FieldValues values, EdgeBatch into) {
        addEnds(values, into);
        int row = into.size() - 1;
        if (isGiven(weight, values)) {
            into.setWeight(row, values.number(weight));
        }
        if (isGiven(timestamp, values)) {
            into.setTimestamp(row, values.integer(timestamp));
        }
    }

    private void addEnds(FieldValues values, EdgeBatch into) {
        if (texts == null) {
            into.add(values.integer(source), values.integer(target));
        } else {
            texts.add(into);
        }
    }

    /** Appends the removal of a copy of the edge, for which {@link #problem} is null. */
    void remove(FieldValues values, EdgeBatch into) {
        addEnds(values, into);
        into.setRemoval(into.size() - 1);
    }

    /**
     * Returns whether two records hold the same edge, {@link #problem} being null for both. A field that one of them
     * does not map is not compared.
     */
    boolean isSame(FieldValues values, EdgeFields other, FieldValues others) {
        return hasSameEnds(values, other, others)
                && (weight == NONE || other.weight == NONE || Double.compare(weight(values), other.weight(others)) == 0)
                && (timestamp == NONE || other.timestamp == NONE || timestamp(values) == other.timestamp(others));
    }

    private boolean hasSameEnds(FieldValues values, EdgeFields other, FieldValues others) {
        return texts == null || other.texts == null
                ? values.integer(source) == others.integer(other.source)
                        && values.integer(target) == others.integer(other.target)
                : texts.isSame(other.texts);
    }

    private double weight(FieldValues values) {
        return isGiven(weight, values) ? values.number(weight) : Double.NaN;
    }

    private long timestamp(FieldValues values) {
        return isGiven(timestamp, values) ? values.integer(timestamp) : EdgeBatch.NO_TIMESTAMP;
    }

    private static boolean isGiven(int field, FieldValues values) {
        return field != NONE && values.has(field);
    }
}
