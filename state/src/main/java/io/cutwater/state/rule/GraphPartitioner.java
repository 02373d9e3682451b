package io.cutwater.state.rule;

import io.cutwater.state.PublicApi;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;

/** Places the edges of a graph that can be read as often as it takes. The same graph gives the same placement. */
@FunctionalInterface
@PublicApi
public non-sealed interface GraphPartitioner extends BulkRule {
    /**
     * Places every edge.
     *
     * @param places of the edges in the order of the graph: none has one before the call, each has one from 0 to k − 1
     *     after it
     */
    void place(BoundedGraph graph, EdgePlaces places);

    /**
     * Ends a placement that was made in parts; by default there is nothing left to do.
     *
     * @param graph whose edges can be read, but not its lists of neighbours
     * @param places of its edges
     */
    default void finish(BoundedGraph graph, EdgePlaces places) {}
}
