package io.cutwater.flink.operator.assigner;

import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.VertexCodec;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.function.Consumer;

/** Buffers rows of the partition book into batches. */
public final class BookBuffer {
    private final VertexBatch rows = new VertexBatch();
    private final boolean placesLag;
    private final Consumer<VertexBatch> full;

    /**
     * @param placesLag whether the degree of a vertex may be known before its first replica is, so that the edges of a
     *     vertex without replicas are in shards all the same; else they wait in the assigner, and nothing is said of it
     * @param full receives rows and must be done with them when it returns
     */
    public BookBuffer(boolean placesLag, Consumer<VertexBatch> full) {
        this.placesLag = placesLag;
        this.full = full;
    }

    /** Adds a vertex of a table, see {@link io.cutwater.state.table.VertexTable.Listener#changed}. */
    public void add(VertexTable table, int slot, boolean isMoved) {
        if (!isMoved && !placesLag && table.master(slot) == VertexTable.NO_MASTER) {
            return;
        }
        table.appendTo(rows, slot);
        if (!isMoved) {
            rows.markDegreeOnly();
        }
        releaseIfFull();
    }

    /** Adds the vertices of the buckets from {@code first} to before {@code end}, and releases all of them. */
    public void addAll(KeyedVertexStore store, int first, int end, VertexLayout layout) throws Exception {
        VertexCodec codec = new VertexCodec(layout);
        store.forEach(first, end, (vertex, bytes) -> {
            codec.decode(vertex, bytes, rows);
            if (placesLag && rows.replicaCount(rows.size() - 1) == 0) {
                rows.markDegreeOnly();
            }
            releaseIfFull();
        });
        flush();
    }

    private void releaseIfFull() {
        if (rows.size() >= VertexBatch.DEFAULT_CAPACITY) {
            flush();
        }
    }

    /** Releases the buffered rows. */
    public void flush() {
        if (!rows.isEmpty()) {
            full.accept(rows);
            rows.clear();
        }
    }
}
