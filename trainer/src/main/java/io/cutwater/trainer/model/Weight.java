package io.cutwater.trainer.model;

import ai.djl.ndarray.types.Shape;
import io.cutwater.state.PublicApi;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One array of trainable parameters of a layer.
 *
 * @param name name within the layer
 * @param dimensions dimensions of the array
 * @param fanIn number of inputs of one output; 0 to begin with zeros
 * @param fanOut number of outputs of one input
 */
@PublicApi
public record Weight(String name, long[] dimensions, long fanIn, long fanOut) {
    /** Creates a matrix that multiplies rows from the right, with the values of {@link #initial}. */
    public static Weight matrix(String name, long rows, long columns) {
        return new Weight(name, new long[] {rows, columns}, rows, columns);
    }

    /** Creates a vector that is added to each row, with zeros as initial values. */
    public static Weight bias(String name, long columns) {
        return new Weight(name, new long[] {columns}, 0, 0);
    }

    public Shape shape() {
        return new Shape(dimensions);
    }

    public int size() {
        return Math.toIntExact(shape().size());
    }

    /**
     * Returns initial values: uniform within ±√(6 / (fanIn + fanOut)) (Glorot and Bengio 2010, equation 16), or zeros.
     */
    float[] initial(SplittableRandom random) {
        float[] values = new float[size()];
        if (fanIn > 0) {
            double bound = Math.sqrt(6.0 / (fanIn + fanOut));
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) random.nextDouble(-bound, bound);
            }
        }
        return values;
    }

    /** Divides the values of all weights, one after the other, into those of each. */
    public static float[][] split(List<Weight> weights, float[] all) {
        float[][] parts = new float[weights.size()][];
        int at = 0;
        for (int i = 0; i < parts.length; i++) {
            parts[i] = Arrays.copyOfRange(all, at, at += weights.get(i).size());
        }
        return parts;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Weight that
                && name.equals(that.name)
                && Arrays.equals(dimensions, that.dimensions)
                && fanIn == that.fanIn
                && fanOut == that.fanOut;
    }

    @Override
    public int hashCode() {
        return name.hashCode() + Arrays.hashCode(dimensions);
    }
}
