package io.cutwater.state.joint;

import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.rule.BufferedPartitioner;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.VertexColumns;
import org.jspecify.annotations.Nullable;

/**
 * A partitioner that places the edges of a buffer together, near what is known of their endpoints. {@link #place} for a
 * single edge is asked where a planned place has no room.
 *
 * <p>Degrees count an edge when it arrives; replicas, loads and {@link #placed} follow when it is placed.
 * {@link #recorded} is for edges that arrive with a place.
 */
public interface JointPartitioner extends EdgePartitioner {
    /** The most edges of a buffer. */
    int MAX_BUFFER = 100_000_000;

    /** Bytes of memory for each edge of a buffer while places are chosen, and those that come meanwhile included. */
    int BYTES = 128;

    /** Returns the capacity of the buffer in edges, at least 1. */
    int bufferSize();

    /**
     * Returns the most edges of a partition.
     *
     * @param edges all edges that are placed
     */
    long maxEdges(long edges, int partitionCount);

    /** Returns how many vertices have their home on a partition. */
    long homesOn(int partition);

    /**
     * Chooses places for the edges of a buffer, unless it shows nothing that a plan could use.
     *
     * @param buffer the graph of the buffered edges
     * @param earlier what is known of its vertices and of the partitions; the method may change loads and counts
     * @param isWhole whether the buffer is all there is, and has to be placed in any case
     * @param places of the edges, none of which has one; then each has, 0 to k − 1
     * @return the home of each vertex of the buffer, 0 to k − 1; null if the edges are better placed one by one
     */
    int @Nullable [] place(BoundedGraph buffer, EarlierPlaces earlier, boolean isWhole, EdgePlaces places);

    /** Returns the rule for edges that are placed one by one. It shares the homes of vertices with this rule. */
    BufferedPartitioner oneByOne();

    /** Learns from an edge that is placed from the buffer. */
    void placed(VertexColumns vertices, int source, int target, int partition);

    /** Gives a vertex the home that was chosen with the places of a buffer. */
    void settle(VertexColumns vertices, int slot, int home);
}
