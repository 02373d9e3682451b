package io.cutwater.state.partition;

/** Receives edges in the order in which they are placed. */
public interface PlacedEdges {
    /**
     * An edge has its place.
     *
     * @param weight {@link Double#NaN} for none
     * @param timestamp {@link io.cutwater.state.graph.EdgeBatch#NO_TIMESTAMP} for none
     * @param partition 0 to k − 1
     */
    void placed(long source, long target, double weight, long timestamp, int partition);
}
