package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.feedback.bucket.BucketEdges;
import java.util.Iterator;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The kept edges of a vertex table in its keyed state. The filters, which recognize new edges, are not part of a
 * checkpoint: after a restore the rows are read, in time slices between the lookups and updates ({@link #read}). Until
 * then each edge is looked up in the state.
 */
final class TableEdges implements AutoCloseable {
    private final KeyedAdjacency adjacency;
    private final BucketEdges edges;
    private @Nullable Stream<Long> unread;
    private @Nullable Iterator<Long> vertices;

    TableEdges(AssignOptions options, SpreadOptions spread, KeyedAdjacency adjacency) {
        this.adjacency = adjacency;
        edges = new BucketEdges(
                adjacency, !options.kind().hasOwners(), options.filterBytes(spread.tables()), spread.buckets());
    }

    BucketEdges edges() {
        return edges;
    }

    /** Prepares reading the restored rows; call before the first edge if the state has some. */
    void restore() {
        edges.restoring(vertex -> true);
        // Not those of the vertex table: the record of a vertex may come after its rows.
        unread = adjacency.storedVertices();
        vertices = unread.iterator();
    }

    boolean isReading() {
        return vertices != null;
    }

    /** Reads restored rows into the filters for one time slice; returns whether there are more. */
    boolean read(BooleanSupplier hasTime) {
        while (vertices != null && hasTime.getAsBoolean()) {
            if (vertices.hasNext()) {
                adjacency.forEachStored(
                        vertices.next(),
                        (vertex, neighbour, isOutgoing, row) -> edges.restored(vertex, neighbour, isOutgoing));
            } else {
                edges.restoredAll();
                close();
            }
        }
        return isReading();
    }

    /** Writes pending rows to the state. */
    void flush() {
        adjacency.flush();
    }

    @Override
    public void close() {
        if (unread != null) {
            unread.close();
        }
        unread = null;
        vertices = null;
    }
}
