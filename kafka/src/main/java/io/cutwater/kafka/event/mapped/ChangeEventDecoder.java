package io.cutwater.kafka.event.mapped;

import io.cutwater.format.text.Excerpt;
import io.cutwater.kafka.field.FieldEncoding;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import io.cutwater.kafka.textid.TextEnds;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Decodes Debezium's change events of a table of which each row is an edge: {@code before}, {@code after} and
 * {@code op}, see "Change events" in the documentation of Debezium's connectors.
 *
 * <p>Inserts and rows of a snapshot add an edge, deletes remove one. An update of a mapped column removes the old edge
 * and adds the new one; another update changes nothing. Heartbeats, changes of the schema, boundaries of transactions,
 * logical messages and tombstones hold no edges.
 *
 * <p>If edges have keys, an update is the edge of the new row, which replaces the one with its key, and a delete, or a
 * tombstone if the record's key is that of the edge, removes it; the old row is not needed.
 */
public final class ChangeEventDecoder implements RecordDecoder {
    public static final String BEFORE = "before";
    public static final String AFTER = "after";
    public static final String OP = "op";

    private static final String LACKS_OLD_ROW =
            " has no old row with both ends, and its key does not hold them either; let the database log whole old"
                    + " rows (PostgreSQL: REPLICA IDENTITY FULL)";

    private final FieldReader reader;
    private final FieldValues values;
    private final EdgeFields before;
    private final EdgeFields after;
    private final int op;
    private final int beforeRow;
    private final int afterRow;
    private final int time;
    private final int status;
    private final int[] schemaChange;
    private final ChangedEdgeKey rowKey;
    private final @Nullable EdgeKeyReader edgeKey;
    private final OnTruncate onTruncate;

    /**
     * @param mapping fields inside {@code after}, but for the timestamp, which may be elsewhere
     * @param onTruncate what a truncated table does to the edges; REMOVE only if they have keys
     * @param texts turns the texts of ends into ids; null for ends that are integers
     */
    public ChangeEventDecoder(
            FieldMapping mapping, FieldEncoding encoding, OnTruncate onTruncate, @Nullable TextEnds texts) {
        this.onTruncate = onTruncate;
        FieldTree tree = new FieldTree();
        after = new EdgeFields(tree, mapping, texts);
        before = new EdgeFields(tree, in(BEFORE, mapping), texts);
        op = tree.add(FieldPath.parse(OP));
        beforeRow = tree.add(FieldPath.parse(BEFORE));
        afterRow = tree.add(FieldPath.parse(AFTER));
        time = tree.add(FieldPath.parse("ts_ms"));
        status = tree.add(FieldPath.parse("status"));
        schemaChange = new int[] {tree.add(FieldPath.parse("ddl")), tree.add(FieldPath.parse("tableChanges"))};
        edgeKey = EdgeKeyReader.ofEnvelopes(tree, mapping, encoding);
        reader = encoding.values(tree);
        values = new FieldValues(tree);
        rowKey = new ChangedEdgeKey(within(mapping), encoding, texts);
    }

    /** Returns the columns of a mapping as the key names them. */
    private static FieldMapping within(FieldMapping mapping) {
        FieldPath timestamp = mapping.timestamp();
        return new FieldMapping(
                mapping.source().within(),
                mapping.target().within(),
                mapping.weight() == null ? null : mapping.weight().within(),
                timestamp != null && timestamp.isIn(AFTER) ? timestamp.within() : null,
                null);
    }

    /** Returns the columns of a mapping in another row of the event. */
    private static FieldMapping in(String row, FieldMapping mapping) {
        return new FieldMapping(
                mapping.source().in(row),
                mapping.target().in(row),
                inRow(row, mapping.weight()),
                inRow(row, mapping.timestamp()),
                null);
    }

    private static @Nullable FieldPath inRow(String row, @Nullable FieldPath path) {
        return path != null && path.isIn(AFTER) ? path.in(row) : null;
    }

    @Override
    public @Nullable String decode(byte @Nullable [] key, byte @Nullable [] value, Headers headers, EdgeBatch into) {
        String reason = value == null ? null : reader.read(value, 0, headers, values);
        if (reason != null) {
            return "the value cannot be read: " + reason;
        }
        if (value == null || values.isNothing()) {
            return edgeKey != null && edgeKey.isRecordKey()
                    ? edgeKey.remove(key, headers, null, into)
                    : null; // the tombstone behind a delete
        }
        String operation = values.text(op);
        if (operation == null) {
            return holdsNoRow()
                    ? null
                    : "the record is no change event of Debezium: it has no op; without an envelope its fields are"
                            + " mapped without " + AFTER;
        }
        return switch (operation) {
            case "c", "r" -> added(key, into);
            case "u" -> edgeKey == null ? updated(key, headers, into) : replaced(edgeKey, key, into);
            case "d" -> edgeKey == null ? removed(key, headers, into) : edgeKey.remove(key, headers, values, into);
            case "m" -> null;
            case "t" -> truncated(into);
            default -> "op must be c, r, u, d, t or m: " + Excerpt.of(operation);
        };
    }

    private boolean holdsNoRow() {
        boolean isSchemaChange = values.has(schemaChange[0]) || values.has(schemaChange[1]);
        boolean hasRow = values.has(beforeRow) || values.has(afterRow);
        boolean isHeartbeat = values.kind(time) == FieldValues.Kind.INTEGER;
        return isSchemaChange || !hasRow && (values.has(status) || isHeartbeat);
    }

    private @Nullable String added(byte @Nullable [] key, EdgeBatch into) {
        String reason = after.problem(values);
        if (reason == null && edgeKey != null) {
            return edgeKey.add(key, after, values, into);
        }
        if (reason == null) {
            after.add(values, into);
        }
        return reason;
    }

    private @Nullable String replaced(EdgeKeyReader keys, byte @Nullable [] key, EdgeBatch into) {
        String reason = after.problem(values);
        return reason == null ? keys.replace(key, after, values, into) : reason;
    }

    private @Nullable String updated(byte @Nullable [] key, Headers headers, EdgeBatch into) {
        String reason = after.problem(values);
        if (reason != null) {
            return reason;
        }
        if (hasOldRow(key, headers)) {
            reason = before.problem(values);
            if (reason == null && !before.isSame(values, after, values)) {
                before.remove(values, into);
                after.add(values, into);
            }
            return reason;
        }
        return rowKey.update(key, headers, after, values, into, "the update" + LACKS_OLD_ROW);
    }

    private @Nullable String removed(byte @Nullable [] key, Headers headers, EdgeBatch into) {
        if (!hasOldRow(key, headers)) {
            return rowKey.remove(key, headers, into, "the delete" + LACKS_OLD_ROW);
        }
        String reason = before.problem(values);
        if (reason == null) {
            before.remove(values, into);
        }
        return reason;
    }

    private boolean hasOldRow(byte @Nullable [] key, Headers headers) {
        return before.hasEnds(values) && !rowKey.isFilledIn(key, headers, before, values);
    }

    private @Nullable String truncated(EdgeBatch into) {
        if (onTruncate == OnTruncate.FAIL) {
            throw new TruncatedTableException();
        }
        if (onTruncate == OnTruncate.REMOVE) {
            into.add(0, 0);
            into.setRemovalOfAll(into.size() - 1);
            into.setKey(into.size() - 1, 0);
        }
        return null;
    }
}
