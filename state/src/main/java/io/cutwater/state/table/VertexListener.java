package io.cutwater.state.table;

/** Is told of vertices whose replicas changed, once per write to the store: the source of the partition book. */
public interface VertexListener {
    VertexListener NONE = (table, slot) -> {};

    /** The vertex in {@code slot} has replicas that were not told before. */
    void replicasChanged(VertexTable table, int slot);
}
