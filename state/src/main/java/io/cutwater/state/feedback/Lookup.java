package io.cutwater.state.feedback;

import java.util.Arrays;

/**
 * Asks for the views of those vertices of one edge batch that are in one bucket, and says how many edges of the batch
 * each has. Asking counts: the table adds these to the degrees once it has answered.
 */
public final class Lookup {
    private long number;
    private int assigner;
    private int pass;
    private int bucket;
    private int size;
    private long[] vertices = new long[64];
    private int[] counts = new int[64];

    /**
     * Empties it, for another batch or bucket.
     *
     * @param number of the batch, from 1 in every attempt of the job
     * @param assigner who gets the answer
     * @param pass pass over the input, from 0
     */
    public Lookup reset(long number, int assigner, int pass, int bucket) {
        this.number = number;
        this.assigner = assigner;
        this.pass = pass;
        this.bucket = bucket;
        size = 0;
        return this;
    }

    /** @param count ends of edges at the vertex, so 2 for a self-loop */
    public void add(long vertex, int count) {
        if (size == vertices.length) {
            vertices = Arrays.copyOf(vertices, 2 * size);
            counts = Arrays.copyOf(counts, 2 * size);
        }
        vertices[size] = vertex;
        counts[size++] = count;
    }

    public long number() {
        return number;
    }

    public int assigner() {
        return assigner;
    }

    public int pass() {
        return pass;
    }

    public int bucket() {
        return bucket;
    }

    /** Distinct vertices. */
    public int size() {
        return size;
    }

    /** The vertices, the first {@link #size()} entries. */
    long[] vertices() {
        return vertices;
    }

    public long vertex(int i) {
        return vertices[i];
    }

    public int count(int i) {
        return counts[i];
    }
}
