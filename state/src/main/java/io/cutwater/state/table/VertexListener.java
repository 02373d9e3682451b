package io.cutwater.state.table;

/**
 * Is told of vertices whose replicas or degree changed, when they are written to the store: the source of the partition
 * book.
 */
public interface VertexListener {
    VertexListener NONE = (table, slot, isMoved) -> {};

    /**
     * The vertex in {@code slot} has another degree, or other replicas, than were told before; no replica at all if it
     * is gone.
     *
     * @param isMoved whether its replicas or its master changed; else it is the degree alone
     */
    void changed(VertexTable table, int slot, boolean isMoved);
}
