package io.cutwater.state.feedback;

import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.graph.VertexBatch;
import java.util.Arrays;

/** The vertices that assigners have changed since the others were told, each once. */
final class ChangedVertices {
    /** Stands for the assigner of a change that all are told. */
    static final int NOBODY = -1;

    private static final int STRIDE = 1;
    private static final int MIN_VERTICES = 16;

    private final SlotIndex index = new SlotIndex(STRIDE, MIN_VERTICES);
    private long[] vertices = new long[MIN_VERTICES];
    private int[] assigners = new int[MIN_VERTICES];
    private int size;

    /** Adds the vertices of an update. Who has proposed an owner is told, too. */
    void add(VertexBatch changed, int assigner) {
        for (int i = 0; i < changed.size(); i++) {
            add(changed.vertex(i), VertexUpdate.isProposal(changed, i) ? NOBODY : assigner);
        }
    }

    /**
     * Adds a vertex.
     *
     * @param sender the only assigner that knows of the change, or {@link #NOBODY}
     */
    void add(long vertex, int sender) {
        int at = index.find(vertex, vertices);
        if (at == SlotIndex.NO_SLOT) {
            at = add(vertex);
            assigners[at] = sender;
        } else if (assigners[at] != sender) {
            assigners[at] = NOBODY;
        }
    }

    private int add(long vertex) {
        if (size == vertices.length) {
            vertices = Arrays.copyOf(vertices, 2 * size);
            assigners = Arrays.copyOf(assigners, 2 * size);
            index.grow(2 * size, size, vertices);
        }
        vertices[size] = vertex;
        index.insert(vertex, size);
        return size++;
    }

    /** Returns whether another assigner has changed the vertex. */
    boolean isNewTo(int assigner, int i) {
        return assigners[i] != assigner;
    }

    /** The vertices, the first {@link #size()} entries. */
    long[] vertices() {
        return vertices;
    }

    int size() {
        return size;
    }

    void clear() {
        if (size > 0) {
            index.clear();
            size = 0;
        }
    }
}
