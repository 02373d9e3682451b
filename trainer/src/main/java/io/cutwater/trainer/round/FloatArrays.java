package io.cutwater.trainer.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Serialised float arrays: number of arrays, and for each its length and values, all big-endian. */
public final class FloatArrays {
    private static final int FIRST_NUMBERS = 1 << 16;

    private FloatArrays() {}

    /** Writes arrays that {@link #read} reads. */
    public static void write(float[][] arrays, DataOutput out) throws IOException {
        out.writeInt(arrays.length);
        for (float[] array : arrays) {
            out.writeInt(array.length);
            for (float value : array) {
                out.writeFloat(value);
            }
        }
    }

    /**
     * Reads what {@link #write} wrote. Memory grows with the data actually read, and not with the stated lengths.
     *
     * @throws IOException if a length is negative or the data are truncated
     */
    public static float[][] read(DataInput in) throws IOException {
        int count = length(in.readInt());
        List<float[]> arrays = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            arrays.add(readArray(in));
        }
        return arrays.toArray(float[][]::new);
    }

    private static float[] readArray(DataInput in) throws IOException {
        int length = length(in.readInt());
        float[] array = new float[Math.min(length, FIRST_NUMBERS)];
        for (int i = 0; i < length; i++) {
            if (i == array.length) {
                array = Arrays.copyOf(array, (int) Math.min(length, 2L * i));
            }
            array[i] = in.readFloat();
        }
        return array;
    }

    private static int length(int read) throws IOException {
        if (read < 0) {
            throw new IOException("an array cannot have %d numbers".formatted(read));
        }
        return read;
    }

    /** Returns whether two lists of arrays have the same lengths. */
    public static boolean haveSameLengths(float[][] some, float[][] others) {
        return Arrays.equals(
                Arrays.stream(some).mapToInt(array -> array.length).toArray(),
                Arrays.stream(others).mapToInt(array -> array.length).toArray());
    }
}
