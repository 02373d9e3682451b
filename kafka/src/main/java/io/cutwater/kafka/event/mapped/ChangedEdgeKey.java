package io.cutwater.kafka.event.mapped;

import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import io.cutwater.state.graph.EdgeBatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The edge in the key of a record, for tables whose primary key contains both ends. */
final class ChangedEdgeKey {
    private final FieldReader reader;
    private final FieldValues values;
    private final EdgeFields edge;

    /** @param columns of the key */
    ChangedEdgeKey(FieldMapping columns, Function<FieldTree, FieldReader> readers) {
        FieldTree tree = new FieldTree();
        edge = new EdgeFields(tree, columns);
        reader = readers.apply(tree);
        values = new FieldValues(tree);
    }

    /**
     * Appends the removal of the edge.
     *
     * @param otherwise the reason for which there is none, as a sentence, if the key does not hold both ends
     * @return null, or why there is no removal
     */
    @Nullable String remove(byte @Nullable [] key, EdgeBatch into, String otherwise) {
        if (key == null || reader.read(key, values) != null || !edge.hasEnds(values)) {
            return otherwise;
        }
        String reason = edge.problem(values);
        if (reason != null) {
            return "the key cannot be read: " + reason;
        }
        edge.remove(values, into);
        return null;
    }
}
