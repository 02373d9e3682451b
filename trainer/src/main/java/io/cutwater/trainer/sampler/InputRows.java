package io.cutwater.trainer.sampler;

import java.nio.ByteBuffer;

/** The features that a mini-batch needs, one row for each source of its first hop. */
public sealed interface InputRows {
    int rows();

    int columns();

    /**
     * All numbers.
     *
     * @param values rows one after the other, 32-bit floats of the machine's order, off the heap
     */
    record Dense(int rows, int columns, ByteBuffer values) implements InputRows {}

    /**
     * The numbers that are not zero; those of row r are from {@code offsets[r]} to {@code offsets[r + 1]} − 1.
     *
     * @param offsets as many as there are rows, and one
     * @param indices columns, from 0
     */
    record Sparse(int rows, int columns, int[] offsets, int[] indices, float[] values) implements InputRows {}
}
