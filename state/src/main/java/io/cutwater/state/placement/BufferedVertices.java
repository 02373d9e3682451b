package io.cutwater.state.placement;

import io.cutwater.state.graph.Hashing;
import java.util.Arrays;

/**
 * First and last edge of the chain at each vertex where edges wait: an open-addressing table, probed linearly, never
 * more than half full.
 */
final class BufferedVertices {
    private static final int FIRST_CAPACITY = 64;

    private long[] vertices = new long[FIRST_CAPACITY];
    private int[] first = filled(FIRST_CAPACITY);
    private int[] last = new int[FIRST_CAPACITY];
    private int size;

    private static int[] filled(int capacity) {
        int[] free = new int[capacity];
        Arrays.fill(free, EdgeBuffer.NONE);
        return free;
    }

    /** Puts an edge at the end of a vertex's chain; returns the edge that was there, or {@link EdgeBuffer#NONE}. */
    int append(long vertex, int edge) {
        int position = find(vertex);
        if (first[position] == EdgeBuffer.NONE) {
            if (2 * (size + 1) > vertices.length) {
                grow();
                position = find(vertex);
            }
            size++;
            vertices[position] = vertex;
            first[position] = edge;
            last[position] = edge;
            return EdgeBuffer.NONE;
        }
        int before = last[position];
        last[position] = edge;
        return before;
    }

    /** The first edge of a vertex's chain, or {@link EdgeBuffer#NONE}. */
    int first(long vertex) {
        return first[find(vertex)];
    }

    /** Takes an edge out of a vertex's chain, where it is. */
    void remove(long vertex, int edge, EdgeBuffer edges) {
        int position = find(vertex);
        int next = edges.next(edge, vertex);
        int previous = edges.previous(edge, vertex);
        edges.unchain(edge, vertex);
        if (next == EdgeBuffer.NONE && previous == EdgeBuffer.NONE) {
            remove(vertex);
        } else if (previous == EdgeBuffer.NONE) {
            first[position] = next;
        } else if (next == EdgeBuffer.NONE) {
            last[position] = previous;
        }
    }

    /** Takes a vertex out; returns the first edge of its chain, or {@link EdgeBuffer#NONE}. */
    int remove(long vertex) {
        int hole = find(vertex);
        int chain = first[hole];
        if (chain == EdgeBuffer.NONE) {
            return chain;
        }
        int mask = vertices.length - 1;
        // Backward-shift deletion (Knuth 6.4, algorithm R): keeps every probe sequence unbroken without tombstones.
        for (int position = hole + 1 & mask; first[position] != EdgeBuffer.NONE; position = position + 1 & mask) {
            int wanted = (int) Hashing.mix64(vertices[position]) & mask;
            if ((position - wanted & mask) >= (position - hole & mask)) {
                vertices[hole] = vertices[position];
                first[hole] = first[position];
                last[hole] = last[position];
                hole = position;
            }
        }
        first[hole] = EdgeBuffer.NONE;
        size--;
        return chain;
    }

    /** Where the vertex is, or the free place where it would be. */
    private int find(long vertex) {
        int mask = vertices.length - 1;
        int position = (int) Hashing.mix64(vertex) & mask;
        while (first[position] != EdgeBuffer.NONE && vertices[position] != vertex) {
            position = position + 1 & mask;
        }
        return position;
    }

    private void grow() {
        long[] oldVertices = vertices;
        int[] oldFirst = first;
        int[] oldLast = last;
        vertices = new long[2 * oldVertices.length];
        first = filled(vertices.length);
        last = new int[vertices.length];
        for (int i = 0; i < oldVertices.length; i++) {
            if (oldFirst[i] != EdgeBuffer.NONE) {
                int position = find(oldVertices[i]);
                vertices[position] = oldVertices[i];
                first[position] = oldFirst[i];
                last[position] = oldLast[i];
            }
        }
    }
}
