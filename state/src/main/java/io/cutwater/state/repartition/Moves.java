package io.cutwater.state.repartition;

import io.cutwater.state.graph.EdgeBatch;
import java.io.Closeable;
import java.io.IOException;

/** The moves of a re-partitioning, in the order in which they are to be made. */
public interface Moves extends Closeable {
    /** @param moves in their order; the place of each is a pair of partitions: that which it leaves, and the other */
    static Moves of(EdgeBatch moves) {
        return new MovesInMemory(moves);
    }

    /** Advances to the next move; returns false after the last, or if none is there yet. */
    boolean next() throws IOException;

    /** Returns whether moves may come after {@link #next} has returned false. */
    default boolean isWaiting() {
        return false;
    }

    /** Source of the edge that moves; of a vertex partitioning the vertex that does. */
    long source();

    /** Target of the edge that moves; of no meaning in a vertex partitioning. */
    long target();

    /** The partition that it leaves. */
    int from();

    /** The partition that it goes to. */
    int to();
}
