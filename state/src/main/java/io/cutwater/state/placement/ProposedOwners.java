package io.cutwater.state.placement;

import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;

/**
 * The owners that one of several assigners has proposed and that the tables have not decided, and the edges that wait
 * for these decisions alone: each of their ends has an owner, or one is proposed for it.
 */
final class ProposedOwners {
    private static final int FIRST_CAPACITY = 64;

    private final SlotIndex index = new SlotIndex(1, FIRST_CAPACITY);
    private final EdgeWindow window = new EdgeWindow(false);
    private final EdgeBatch one = new EdgeBatch(1);
    private long[] vertices = new long[FIRST_CAPACITY];
    private int[] owners = new int[FIRST_CAPACITY];
    private int size;

    void propose(long vertex, int owner) {
        if (size == vertices.length) {
            vertices = Arrays.copyOf(vertices, 2 * size);
            owners = Arrays.copyOf(owners, 2 * size);
            index.grow(2 * size, size, vertices);
        }
        vertices[size] = vertex;
        owners[size] = owner;
        index.insert(vertex, size++);
    }

    /** Returns the number of proposals that are not decided. */
    int size() {
        return size;
    }

    /** Returns the owner that is proposed for a vertex; {@link VertexTable#NO_MASTER} if none is. */
    int of(long vertex) {
        int at = index.find(vertex, vertices);
        return at == SlotIndex.NO_SLOT ? VertexTable.NO_MASTER : owners[at];
    }

    /** Removes the proposal for a vertex, which is decided; returns the owner, as {@link #of} does. */
    int take(long vertex) {
        int at = index.find(vertex, vertices);
        if (at == SlotIndex.NO_SLOT) {
            return VertexTable.NO_MASTER;
        }
        int owner = owners[at];
        index.remove(vertex, vertices);
        int last = --size;
        if (at != last) {
            index.remove(vertices[last], vertices);
            vertices[at] = vertices[last];
            owners[at] = owners[last];
            index.insert(vertices[at], at);
        }
        return owner;
    }

    /**
     * Lets an edge wait.
     *
     * @param atSource whether the owner of its source is not decided; {@code atTarget} likewise, and one of them is
     *     true
     */
    void hold(EdgeBatch edges, int i, boolean atSource, boolean atTarget) {
        window.add(edges, i, atSource, atTarget);
    }

    /** Lets an edge wait that is in another buffer. */
    void hold(EdgeBuffer held, int edge, boolean atSource, boolean atTarget) {
        one.clear();
        one.add(held.source(edge), held.target(edge), held.weight(edge), held.timestamp(edge), held.key(edge));
        window.add(one, 0, atSource, atTarget);
    }

    /** Returns the edges that wait, and the chains of those whose ends are not decided. */
    EdgeWindow window() {
        return window;
    }
}
