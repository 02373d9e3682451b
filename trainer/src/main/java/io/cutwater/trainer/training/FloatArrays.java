package io.cutwater.trainer.training;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Arrays of floats in files: their number, and of each its length and its numbers, all big-endian. */
public final class FloatArrays {
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

    /** Reads what {@link #write} wrote. */
    public static float[][] read(DataInput in) throws IOException {
        float[][] arrays = new float[in.readInt()][];
        for (int i = 0; i < arrays.length; i++) {
            arrays[i] = new float[in.readInt()];
            for (int j = 0; j < arrays[i].length; j++) {
                arrays[i][j] = in.readFloat();
            }
        }
        return arrays;
    }
}
