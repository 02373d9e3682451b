package io.cutwater.state.repartition;

import java.io.Closeable;
import java.io.IOException;

/** The moves of a re-partitioning, in the order in which they are to be made. */
public interface Moves extends Closeable {
    /** Advances to the next move; returns false after the last. */
    boolean next() throws IOException;

    /** Source of the edge that moves; of a vertex partitioning the vertex that does. */
    long source();

    /** Target of the edge that moves; of no meaning in a vertex partitioning. */
    long target();

    /** The partition that it leaves. */
    int from();

    /** The partition that it goes to. */
    int to();
}
