package io.cutwater.state.graph;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Vertices with degree, master and replica set, in primitive columns: what the partition book is made of.
 *
 * <p>The replicas of vertex {@code i} are the entries {@code replicasFrom(i)} to {@code replicasFrom(i + 1)}
 * (exclusive) of {@link #replicas()}, ascending. A vertex of which the degree alone is news is marked; one that is
 * marked and has no replicas has edges in shards, and which ones is told later.
 */
public final class VertexBatch {
    public static final int DEFAULT_CAPACITY = 1024;

    private int size;
    private long[] vertices;
    private long[] degrees;
    private int[] masters;
    private int[] replicaEnds;
    private int[] replicas;
    private final BitSet degreesOnly = new BitSet();

    public VertexBatch() {
        this(DEFAULT_CAPACITY);
    }

    public VertexBatch(int capacity) {
        vertices = new long[capacity];
        degrees = new long[capacity];
        masters = new int[capacity];
        replicaEnds = new int[capacity];
        replicas = new int[2 * capacity];
    }

    /** Appends a vertex without replicas; {@link #addReplica} then gives it some. */
    public void add(long vertex, long degree, int master) {
        int i = size;
        if (i == vertices.length) {
            int capacity = Math.addExact(i, (i >> 1) + 1);
            vertices = Arrays.copyOf(vertices, capacity);
            degrees = Arrays.copyOf(degrees, capacity);
            masters = Arrays.copyOf(masters, capacity);
            replicaEnds = Arrays.copyOf(replicaEnds, capacity);
        }
        vertices[i] = vertex;
        degrees[i] = degree;
        masters[i] = master;
        replicaEnds[i] = replicasFrom(i);
        size = i + 1;
    }

    /** Gives the vertex that was added last one more replica; partitions come in ascending order. */
    public void addReplica(int partition) {
        int end = replicaEnds[size - 1];
        if (end == replicas.length) {
            replicas = Arrays.copyOf(replicas, Math.addExact(end, (end >> 1) + 1));
        }
        replicas[end] = partition;
        replicaEnds[size - 1] = end + 1;
    }

    /** Marks the vertex that was added last: its degree is news, and its replicas are not. */
    public void markDegreeOnly() {
        degreesOnly.set(size - 1);
    }

    /** Returns whether vertex {@code i} is marked by {@link #markDegreeOnly}. */
    public boolean isDegreeOnly(int i) {
        return degreesOnly.get(i);
    }

    public void clear() {
        size = 0;
        degreesOnly.clear();
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public long vertex(int i) {
        return vertices[i];
    }

    public long degree(int i) {
        return degrees[i];
    }

    public int master(int i) {
        return masters[i];
    }

    /**
     * Returns where the replicas of vertex {@code i} begin; for {@code i = size()}, where those of the last vertex end.
     */
    public int replicasFrom(int i) {
        return i == 0 ? 0 : replicaEnds[i - 1];
    }

    public int replicaCount(int i) {
        return replicasFrom(i + 1) - replicasFrom(i);
    }

    /** The column itself, for loops. */
    public int[] replicas() {
        return replicas;
    }
}
