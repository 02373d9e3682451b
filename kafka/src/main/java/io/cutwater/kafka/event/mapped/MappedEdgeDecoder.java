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

/**
 * Decodes records of which some fields make an added edge, and the others are of no interest. If edges have keys, a
 * record without a value removes the edge of its key.
 */
public final class MappedEdgeDecoder implements RecordDecoder {
    private final FieldReader reader;
    private final FieldValues values;
    private final EdgeFields edge;
    private final @Nullable EdgeKeyReader key;

    /** @param texts turns the texts of ends into ids; null for ends that are integers */
    public MappedEdgeDecoder(FieldMapping mapping, FieldEncoding encoding, @Nullable TextEnds texts) {
        FieldTree tree = new FieldTree();
        edge = new EdgeFields(tree, mapping, texts);
        key = EdgeKeyReader.ofRows(tree, mapping, encoding);
        reader = encoding.values(tree);
        values = new FieldValues(tree);
    }

    @Override
    public @Nullable String decode(
            byte @Nullable [] recordKey, byte @Nullable [] value, Headers headers, EdgeBatch into) {
        String reason = value == null ? null : reader.read(value, 0, headers, values);
        if (reason != null) {
            return "the value cannot be read: " + reason;
        }
        if (value == null || values.isNothing()) {
            return key == null ? "the record has no value" : key.remove(recordKey, headers, null, into);
        }
        reason = edge.problem(values);
        if (reason == null && key != null) {
            return key.add(recordKey, edge, values, into);
        }
        if (reason == null) {
            edge.add(values, into);
        }
        return reason;
    }
}
