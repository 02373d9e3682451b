package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.SlotIndex;
import java.util.Arrays;

/**
 * The vertices that are to leave the cache of an assigner by the batches, and stay while an edge is buffered at them,
 * because it is placed between batches.
 */
final class LeavingVertices {
    private static final long[] NONE = {};

    private final VertexSet vertices = new VertexSet();

    void addAll(long[] leaving) {
        for (long vertex : leaving) {
            vertices.add(vertex);
        }
    }

    void addIfAbsent(long vertex) {
        vertices.addIfAbsent(vertex);
    }

    int size() {
        return vertices.size();
    }

    boolean has(long vertex) {
        return vertices.find(vertex) != SlotIndex.NO_SLOT;
    }

    /** Lets a vertex stay that a batch has asked for again; returns whether it was here. */
    boolean remove(long vertex) {
        int at = vertices.find(vertex);
        if (at == SlotIndex.NO_SLOT) {
            return false;
        }
        vertices.remove(at);
        return true;
    }

    /**
     * Removes and returns the vertices that nothing needs any more; none while too few are here for the effort of
     * reading all buffered edges.
     *
     * @param held vertices that stay for other reasons
     */
    long[] takeUnused(ViewJoin.Output output, VertexSet held) {
        if (vertices.size() == 0 || vertices.size() < output.placement().heldCount()) {
            return NONE;
        }
        VertexSet buffered = VertexSet.of(output.placement().heldEdges());
        long[] unused = new long[vertices.size()];
        int count = 0;
        for (int i = vertices.size() - 1; i >= 0; i--) {
            long vertex = vertices.vertex(i);
            if (buffered.find(vertex) == SlotIndex.NO_SLOT && held.find(vertex) == SlotIndex.NO_SLOT) {
                vertices.remove(i);
                unused[count++] = vertex;
            }
        }
        return Arrays.copyOf(unused, count);
    }
}
