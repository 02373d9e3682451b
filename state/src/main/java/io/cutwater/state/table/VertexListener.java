package io.cutwater.state.table;

/** Is told of vertices whose replicas changed, once per write to the store: the source of the partition book. */
public interface VertexListener {
    VertexListener NONE = (table, slot) -> {};

    /** The vertex in {@code slot} has other replicas than were told before; none at all if it is gone. */
    void replicasChanged(VertexTable table, int slot);
}
