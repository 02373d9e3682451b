package io.cutwater.format.audit;

import io.cutwater.state.graph.Hashing;
import java.util.Arrays;

/**
 * A table of vertices with their degree and the set of partitions that have them: an open-addressing table of row
 * numbers over dense columns. It is separate from the job's table, so that the job is not checked by its own code.
 */
final class ReplicaMap {
    private static final int MAX_ROWS = 1 << 29;

    private final int words;
    private int[] table = new int[1 << 12]; // row + 1, 0 where free
    private long[] vertices = new long[1 << 10];
    private long[] degrees = new long[1 << 10];
    private long[] replicas;
    private int size;

    ReplicaMap(int partitionCount) {
        words = (partitionCount + Long.SIZE - 1) / Long.SIZE;
        replicas = new long[words << 10];
    }

    int size() {
        return size;
    }

    /** Returns the vertex's row, or −1. */
    int find(long vertex) {
        return table[place(vertex)] - 1;
    }

    /** Returns the vertex's row, adding one if needed. */
    int findOrAdd(long vertex) {
        int place = place(vertex);
        int row = table[place] - 1;
        if (row >= 0) {
            return row;
        }
        if (size == vertices.length) {
            growColumns();
        }
        vertices[size] = vertex;
        table[place] = ++size;
        if (size > table.length / 2) {
            growTable();
        }
        return size - 1;
    }

    /** Returns the slot of the vertex, or the free one where it belongs. */
    private int place(long vertex) {
        int mask = table.length - 1;
        int place = (int) Hashing.mix64(vertex) & mask;
        while (table[place] != 0 && vertices[table[place] - 1] != vertex) {
            place = place + 1 & mask;
        }
        return place;
    }

    private void growColumns() {
        long larger = Math.min(MAX_ROWS, vertices.length + (long) (vertices.length >> 1));
        if (larger == vertices.length || larger * words > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException(
                    "the recount holds at most %d vertices at this number of partitions".formatted(vertices.length));
        }
        vertices = Arrays.copyOf(vertices, (int) larger);
        degrees = Arrays.copyOf(degrees, (int) larger);
        replicas = Arrays.copyOf(replicas, (int) larger * words);
    }

    private void growTable() {
        table = new int[table.length * 2];
        for (int row = 0; row < size; row++) {
            table[place(vertices[row])] = row + 1;
        }
    }

    void addDegree(int row) {
        degrees[row]++;
    }

    /** Adds a partition to the vertex's set; returns false if it was in the set. */
    boolean addReplica(int row, int partition) {
        int word = row * words + (partition >> 6);
        long bit = 1L << partition;
        boolean isNew = (replicas[word] & bit) == 0;
        replicas[word] |= bit;
        return isNew;
    }

    boolean hasReplica(int row, int partition) {
        return (replicas[row * words + (partition >> 6)] >>> partition & 1) != 0;
    }

    int replicaCount(int row) {
        int count = 0;
        for (int word = row * words; word < (row + 1) * words; word++) {
            count += Long.bitCount(replicas[word]);
        }
        return count;
    }

    long vertex(int row) {
        return vertices[row];
    }

    long degree(int row) {
        return degrees[row];
    }
}
