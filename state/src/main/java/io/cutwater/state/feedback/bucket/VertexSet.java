package io.cutwater.state.feedback.bucket;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SlotIndex;
import java.util.Arrays;

/** A set of vertices, which stand densely in an array. */
public final class VertexSet {
    private static final int MIN_SLOTS = 64;

    private final SlotIndex index = new SlotIndex(1, MIN_SLOTS);
    private long[] vertices = new long[MIN_SLOTS];
    private int size;

    /** Returns the vertices of edges. */
    public static VertexSet of(EdgeBatch edges) {
        VertexSet vertices = new VertexSet();
        for (int i = 0; i < edges.size(); i++) {
            vertices.addIfAbsent(edges.source(i));
            vertices.addIfAbsent(edges.target(i));
        }
        return vertices;
    }

    /** Returns where a vertex stands, or {@link SlotIndex#NO_SLOT}. */
    public int find(long vertex) {
        return index.find(vertex, vertices);
    }

    /** Adds a vertex that is not there; returns where it stands. */
    public int add(long vertex) {
        if (size == vertices.length) {
            vertices = Arrays.copyOf(vertices, 2 * size);
            index.grow(2 * size, size, vertices);
        }
        vertices[size] = vertex;
        index.insert(vertex, size);
        return size++;
    }

    public void addIfAbsent(long vertex) {
        if (find(vertex) == SlotIndex.NO_SLOT) {
            add(vertex);
        }
    }

    /** Removes a vertex; the last one takes its place. Returns where that stood. */
    public int remove(int at) {
        int last = size - 1;
        long moved = vertices[last];
        index.remove(vertices[at], vertices);
        if (at != last) {
            index.remove(moved, vertices);
            vertices[at] = moved;
            index.insert(moved, at);
        }
        size = last;
        return last;
    }

    public long vertex(int at) {
        return vertices[at];
    }

    public int size() {
        return size;
    }

    public long[] toArray() {
        return Arrays.copyOf(vertices, size);
    }
}
