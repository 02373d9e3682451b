package io.cutwater.trainer.reduce;

import java.util.Arrays;

/**
 * Division of a vector into one slice per rank, for a reduce-scatter and an all-gather. Lengths of slices differ by at
 * most 1.
 *
 * @param length number of values of the vector, at least 0
 * @param ranks number of ranks, at least 1
 */
public record VectorSlices(int length, int ranks) {
    /** Returns the position of a rank's first value. */
    public int begin(int rank) {
        return (int) ((long) length * rank / ranks);
    }

    /** Returns the number of values of a rank's slice. */
    public int size(int rank) {
        return begin(rank + 1) - begin(rank);
    }

    /** Returns a copy of a rank's slice. */
    public float[] copy(float[] vector, int rank) {
        return Arrays.copyOfRange(vector, begin(rank), begin(rank + 1));
    }
}
