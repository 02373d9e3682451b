package io.cutwater.state.feedback;

import io.cutwater.state.graph.EdgeBatch;
import java.util.Arrays;

/**
 * Tells a table how many edges its vertices have got since it was last told, and asks for the views of some of them for
 * an edge batch. Asking counts: the table adds these to the degrees, before it answers if the vertex is only counted,
 * after that if it is asked for. If edges are kept, it also asks for the copies of those that the batch removes.
 */
public final class Lookup {
    private long number;
    private int assigner;
    private int pass;
    private int bucket;
    private int size;
    private int counted;
    private long[] vertices = new long[64];
    private int[] counts = new int[64];
    private final EdgeBatch removals = new EdgeBatch(1);

    /**
     * Empties it, for another batch or table.
     *
     * @param number of the batch, from 1 in every attempt of the job
     * @param assigner who gets the answer
     * @param pass pass over the input, from 0
     * @param bucket the first one of the table
     */
    public Lookup reset(long number, int assigner, int pass, int bucket) {
        this.number = number;
        this.assigner = assigner;
        this.pass = pass;
        this.bucket = bucket;
        size = 0;
        counted = 0;
        removals.clear();
        return this;
    }

    /**
     * Adds a vertex that is only counted, before all that are asked for.
     *
     * @param count ends of edges at the vertex, so 2 for a self-loop
     */
    public void count(long vertex, int count) {
        if (counted != size) {
            throw new IllegalStateException("vertices that are only counted come first");
        }
        add(vertex, count);
        counted++;
    }

    /**
     * Adds a vertex that is asked for.
     *
     * @param count ends of edges at the vertex, so 2 for a self-loop; 0 if its assigner counts them
     */
    public void add(long vertex, int count) {
        if (size == vertices.length) {
            vertices = Arrays.copyOf(vertices, 2 * size);
            counts = Arrays.copyOf(counts, 2 * size);
        }
        vertices[size] = vertex;
        counts[size++] = count;
    }

    /**
     * Adds a removal of an edge whose source is in a bucket of the table, each one that the batch has; those of a
     * bucket follow each other.
     *
     * @param key {@link EdgeBatch#NO_KEY} for none
     */
    public void addRemoval(long source, long target, long key) {
        removals.add(source, target, Double.NaN, EdgeBatch.NO_TIMESTAMP, key);
    }

    /** The edges whose removal is asked for, in the order of the batch. */
    public EdgeBatch removals() {
        return removals;
    }

    /** Returns whether the assigner gets an answer. */
    public boolean isAnswered() {
        return asked() > 0 || !removals.isEmpty();
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

    /** Distinct vertices among those that are counted, and among those that are asked for. */
    public int size() {
        return size;
    }

    /** Vertices that are only counted; they come first. */
    public int counted() {
        return counted;
    }

    /** Vertices that are asked for; they follow. */
    public int asked() {
        return size - counted;
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
