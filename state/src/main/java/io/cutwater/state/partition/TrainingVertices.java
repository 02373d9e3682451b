package io.cutwater.state.partition;

import java.io.Serializable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntToLongFunction;
import java.util.stream.LongStream;

/**
 * The vertices that are trained on, which are to be spread evenly: a worker has as much to do as its partition has of
 * them.
 */
public final class TrainingVertices implements Serializable {
    private static final long serialVersionUID = 1;

    private final long[] ids;
    private final double imbalance;

    /**
     * @param ids of the vertices, in any order
     * @param imbalance how far the partition with the most of them may be above the average; from 0 on
     */
    public TrainingVertices(long[] ids, double imbalance) {
        if (!(imbalance >= 0) || Double.isInfinite(imbalance)) {
            throw new IllegalArgumentException(
                    "the imbalance of training vertices must be 0 or more, such as 0.1 for 10 %: " + imbalance);
        }
        this.ids = Arrays.stream(ids).sorted().distinct().toArray();
        this.imbalance = imbalance;
    }

    public boolean contains(long vertex) {
        return Arrays.binarySearch(ids, vertex) >= 0;
    }

    /** In ascending order. */
    public LongStream ids() {
        return Arrays.stream(ids);
    }

    /** Returns their number, with those that have no edges. */
    public int size() {
        return ids.length;
    }

    public double imbalance() {
        return imbalance;
    }

    /**
     * Which vertices of a graph are trained on.
     *
     * @param vertexCount n: vertices are 0 to n − 1
     * @param vertices the id of each of them
     */
    public BitSet among(int vertexCount, IntToLongFunction vertices) {
        BitSet among = new BitSet(vertexCount);
        for (int v = 0; v < vertexCount; v++) {
            among.set(v, contains(vertices.applyAsLong(v)));
        }
        return among;
    }

    /**
     * Returns the maximum per partition for a total count: never less than what the fullest of k partitions must hold.
     */
    public long max(long count, int partitionCount) {
        long least = (count + partitionCount - 1) / partitionCount;
        return Math.max(least, (long) ((1 + imbalance) * count / partitionCount));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TrainingVertices training
                && Arrays.equals(ids, training.ids)
                && imbalance == training.imbalance;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(ids);
    }

    @Override
    public String toString() {
        return "%d training vertices, hash %08x, imbalance %s".formatted(ids.length, hashCode(), imbalance);
    }
}
