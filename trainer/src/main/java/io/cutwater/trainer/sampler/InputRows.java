package io.cutwater.trainer.sampler;

import java.nio.ByteBuffer;

/** The features of a mini-batch, one row per source of its first hop. */
public sealed interface InputRows {
    int rows();

    int columns();

    /**
     * Dense rows.
     *
     * @param values rows of 32-bit floats in native byte order, in a direct buffer
     */
    record Dense(int rows, int columns, ByteBuffer values) implements InputRows {}

    /**
     * Sparse rows; the values of row r are those from {@code offsets[r]} to {@code offsets[r + 1]} − 1.
     *
     * @param offsets one entry per row, and one more
     * @param indices columns, from 0
     */
    record Sparse(int rows, int columns, int[] offsets, int[] indices, float[] values) implements InputRows {}

    /**
     * Rows of dense features that the device holds, by local number of the vertex.
     *
     * @param vertices local numbers
     */
    record Selected(int columns, int[] vertices) implements InputRows {
        @Override
        public int rows() {
            return vertices.length;
        }
    }

    /**
     * Rows that are learned, and read when the step is made.
     *
     * @param vertices vertices as the source of the rows names them
     */
    record Learned(int columns, long[] vertices) implements InputRows {
        @Override
        public int rows() {
            return vertices.length;
        }
    }
}
