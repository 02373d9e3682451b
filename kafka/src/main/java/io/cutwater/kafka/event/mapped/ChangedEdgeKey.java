package io.cutwater.kafka.event.mapped;

import io.cutwater.kafka.field.FieldEncoding;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import io.cutwater.kafka.textid.TextEnds;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** The edge in the key of a record, for tables whose primary key contains both ends. */
final class ChangedEdgeKey {
    private final @Nullable FieldReader reader;
    private final FieldValues values;
    private final EdgeFields edge;
    private final boolean rowHasMore;

    /**
     * Creates a reader of keys.
     *
     * @param columns the mapped columns of the row; the key may hold the ends
     * @param texts turns the texts of ends into ids; null for ends that are integers
     */
    ChangedEdgeKey(FieldMapping columns, FieldEncoding encoding, @Nullable TextEnds texts) {
        rowHasMore = columns.weight() != null || columns.timestamp() != null;
        FieldTree tree = new FieldTree();
        edge = new EdgeFields(tree, new FieldMapping(columns.source(), columns.target(), null, null, null), texts);
        reader = encoding.keys(tree);
        values = new FieldValues(tree);
    }

    /**
     * Appends the removal of the edge.
     *
     * @param otherwise the reason for which there is none, as a sentence, if the key does not hold both ends
     * @return null, or why there is no removal
     */
    @Nullable String remove(byte @Nullable [] key, Headers headers, EdgeBatch into, String otherwise) {
        String reason = problem(key, headers, otherwise);
        if (reason == null) {
            edge.remove(values, into);
        }
        return reason;
    }

    /**
     * Appends what an update of a row did to its edge: nothing if it holds the ends in the key, else the removal of the
     * edge in the key, and the edge of the row.
     *
     * @param row the edge after the update, without a problem; other mapped columns than its ends may have changed
     * @param otherwise the reason for which the old edge is not known, as a sentence
     * @return null, or why the update cannot be applied
     */
    @Nullable String update(
            byte @Nullable [] key,
            Headers headers,
            EdgeFields row,
            FieldValues ofRow,
            EdgeBatch into,
            String otherwise) {
        String reason = problem(key, headers, otherwise);
        if (reason == null && (rowHasMore || !edge.isSame(values, row, ofRow))) {
            edge.remove(values, into);
            row.add(ofRow, into);
        }
        return reason;
    }

    /**
     * Returns whether the ends of an old row may be none. Where a database logs the columns of the key only, as
     * PostgreSQL does with REPLICA IDENTITY DEFAULT, Debezium fills in 0 or empty text for others that are NOT NULL. A
     * row is known to be whole if it has no such end, if an end that the key lacks has another value, or if the record
     * has no key, because tables without one are logged whole.
     *
     * @param row the edge of the old row
     */
    boolean isFilledIn(byte @Nullable [] key, Headers headers, EdgeFields row, FieldValues ofRow) {
        if (key == null || !row.hasBlankEnd(ofRow)) {
            return false;
        }
        if (reader == null || reader.read(key, 0, headers, values) != null) {
            values.clear();
        }
        return row.isBlankBeside(ofRow, edge, values);
    }

    private @Nullable String problem(byte @Nullable [] key, Headers headers, String otherwise) {
        if (key == null || reader == null) {
            return otherwise;
        }
        String reason = reader.read(key, 0, headers, values);
        if (reason == null && !edge.hasEnds(values)) {
            return otherwise;
        }
        if (reason != null) {
            return "%s; the key cannot be read: %s".formatted(otherwise, reason);
        }
        reason = edge.problem(values);
        return reason == null ? null : "the key cannot be read: " + reason;
    }
}
