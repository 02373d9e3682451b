package io.cutwater.flink.operator;

import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.VertexCodec;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.function.Consumer;

/** Gathers rows of the partition book, so that they leave in batches. */
final class BookBuffer {
    private final VertexBatch rows = new VertexBatch();
    private final Consumer<VertexBatch> full;

    /** @param full receives rows and must be done with them when it returns */
    BookBuffer(Consumer<VertexBatch> full) {
        this.full = full;
    }

    /** Adds a vertex of a table. */
    void add(VertexTable table, int slot) {
        table.appendTo(rows, slot);
        releaseIfFull();
    }

    /** Adds the vertices of the buckets from {@code first} to before {@code end}, and releases all of them. */
    void addAll(KeyedVertexStore store, int first, int end, VertexLayout layout) throws Exception {
        VertexCodec codec = new VertexCodec(layout);
        store.forEach(first, end, (vertex, bytes) -> {
            codec.decode(vertex, bytes, rows);
            releaseIfFull();
        });
        flush();
    }

    private void releaseIfFull() {
        if (rows.size() >= VertexBatch.DEFAULT_CAPACITY) {
            flush();
        }
    }

    /** Releases what was gathered. */
    void flush() {
        if (!rows.isEmpty()) {
            full.accept(rows);
            rows.clear();
        }
    }
}
