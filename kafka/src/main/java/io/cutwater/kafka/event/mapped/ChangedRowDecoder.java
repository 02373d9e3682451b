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
 * Decodes rows that Debezium's transformation {@code ExtractNewRecordState} took out of their change events, with the
 * field {@code __op} that it adds if {@code add.fields} contains {@code op}. Such a row does not tell the old one, so
 * an update can be decoded only if the record's key holds both ends, or if edges have keys.
 */
public final class ChangedRowDecoder implements RecordDecoder {
    /** The field with the operation. */
    public static final String OP = "__op";

    private static final String LACKS_KEY =
            "the record has no value, and its key does not hold both ends, so the deleted edge is not known; let the"
                    + " transformation keep deleted rows (delete.tombstone.handling.mode=rewrite)";

    private static final String LACKS_OP =
            "the record has no __op, so an insert cannot be told from an update; let the transformation add it"
                    + " (add.fields=op), or read a table without updates with --event-format json";

    private static final String LACKS_OLD_ROW =
            "the update does not tell the old row, and its key does not hold both ends; leave out the transformation"
                    + " ExtractNewRecordState, and map the fields of after";

    private static final String LACKS_DELETED_ROW =
            "the deleted row has no ends, and its key does not hold both; let the database log whole old rows"
                    + " (PostgreSQL: REPLICA IDENTITY FULL), or give edges keys with --edge-key";

    private final FieldReader reader;
    private final FieldValues values;
    private final EdgeFields row;
    private final int deleted;
    private final int op;
    private final ChangedEdgeKey rowKey;
    private final @Nullable EdgeKeyReader edgeKey;
    private final Tombstones tombstones;

    /** @param texts turns the texts of ends into ids; null for ends that are integers */
    public ChangedRowDecoder(
            FieldMapping mapping, FieldEncoding encoding, Tombstones tombstones, @Nullable TextEnds texts) {
        this.tombstones = tombstones;
        FieldTree tree = new FieldTree();
        row = new EdgeFields(tree, mapping, texts);
        deleted = tree.add(FieldPath.parse("__deleted"));
        op = tree.add(FieldPath.parse(OP));
        edgeKey = EdgeKeyReader.ofRows(tree, mapping, encoding);
        reader = encoding.values(tree);
        values = new FieldValues(tree);
        rowKey = new ChangedEdgeKey(mapping, encoding, texts);
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
                    : withoutValue(key, headers, into);
        }
        String operation = values.text(op);
        boolean isDelete = "d".equals(operation) || "true".equals(values.text(deleted));
        boolean isUpdate = "u".equals(operation);
        boolean needsOp = edgeKey == null || operation != null;
        if (needsOp && !isDelete && !isUpdate && !"c".equals(operation) && !"r".equals(operation)) {
            return operation == null ? LACKS_OP : "__op must be c, r, u or d: " + Excerpt.of(operation);
        }
        if (isDelete && edgeKey != null) {
            return edgeKey.remove(key, headers, values, into);
        }
        reason = row.problem(values);
        if (reason != null) {
            return reason;
        }
        if (edgeKey != null) {
            return edgeKey.add(key, row, values, into);
        }
        if (isUpdate) {
            return rowKey.update(key, headers, row, values, into, LACKS_OLD_ROW);
        }
        if (isDelete) {
            if (rowKey.isFilledIn(key, headers, row, values)) {
                return rowKey.remove(key, headers, into, LACKS_DELETED_ROW);
            }
            row.remove(values, into);
        } else {
            row.add(values, into);
        }
        return null;
    }

    private @Nullable String withoutValue(byte @Nullable [] key, Headers headers, EdgeBatch into) {
        return switch (tombstones) {
            case IGNORE -> null;
            case REMOVE ->
                edgeKey == null
                        ? rowKey.remove(key, headers, into, LACKS_KEY)
                        : edgeKey.remove(key, headers, null, into);
            case REJECT ->
                "the record has no value; say with --tombstones whether that removes the edge in its key, or"
                        + " follows a record that did";
        };
    }
}
