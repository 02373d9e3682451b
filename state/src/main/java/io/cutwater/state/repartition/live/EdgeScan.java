package io.cutwater.state.repartition.live;

import io.cutwater.state.graph.EdgeBatch;
import java.util.function.BooleanSupplier;

/**
 * One pass over the kept edges, vertex by vertex. The stream continues between the steps: edges that are added or
 * removed meanwhile may or may not be visited.
 */
public interface EdgeScan {
    /**
     * Returns the next edges with their places in a new batch, which is empty if none are at hand yet.
     *
     * @param mayGoOn whether there is time left, asked every few edges
     */
    EdgeBatch next(BooleanSupplier mayGoOn);

    /** Returns whether every edge was visited. */
    boolean isOver();

    /** Ends the pass, perhaps before it is over: what it still holds is given up. */
    default void close() {}
}
