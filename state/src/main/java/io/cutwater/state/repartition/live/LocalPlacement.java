package io.cutwater.state.repartition.live;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.repartition.Moves;

/** A placement whose vertices and kept edges are at hand, in the task's own state. */
public interface LocalPlacement extends LivePlacement {
    /** Writes to the state what {@link #vertices} is to find. */
    void beginScan();

    /** Into how many parts the vertices are divided. */
    int buckets();

    /** The vertices of a part. */
    long[] vertices(int bucket);

    /** Appends the edges whose source the vertex is, each with its place. */
    void edgesOf(long vertex, EdgeBatch into);

    /**
     * Moves an edge, or a vertex, see {@link Moves}.
     *
     * @return edges that changed their shard
     */
    long move(long source, long target, int from, int to);

    @Override
    default EdgeScan scan() {
        beginScan();
        return new LocalScan(this);
    }

    @Override
    default EdgeMover mover(Moves moves, long edgesPerSecond) {
        return new LocalMover(this, moves);
    }
}
