package io.cutwater.state.joint;

import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.rule.VertexRule;
import org.jspecify.annotations.Nullable;

/**
 * A rule that chooses the owners of many vertices together. {@link #owner} for a single vertex is asked where a planned
 * owner has no room.
 */
public interface JointVertexRule extends VertexRule {
    /** Bytes of memory for each edge of a buffer while owners are chosen, and those that come meanwhile included. */
    int BYTES = 192;

    /** Returns how many edges are buffered until owners are chosen; 0 if they are chosen one by one. */
    int bufferSize();

    /**
     * Returns how many vertices a partition may own.
     *
     * @param vertices all that have an owner
     */
    double capacity(long vertices, int partitionCount);

    /**
     * Chooses owners for the vertices of a buffer that have none, unless it shows nothing that a plan could use.
     *
     * @param graph these vertices, and the buffered edges between them
     * @param earlier what is known of the others
     * @param isWhole whether the buffer is all there is, and its vertices get owners in any case
     * @param isKeeping whether a vertex that has an owner begins there if most vertices of its cluster stay with
     *     theirs; else it begins with its cluster
     * @return the owner of each vertex, 0 to k − 1; null if the vertices better get them one by one
     */
    int @Nullable [] owners(BoundedGraph graph, EarlierOwners earlier, boolean isWhole, boolean isKeeping);
}
