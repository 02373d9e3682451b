package io.cutwater.trainer.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import io.cutwater.state.PublicApi;
import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.torch.Tensors;
import java.nio.FloatBuffer;

/**
 * Sets values to zero with some probability and scales up the others, so that the expected sum is the same (Srivastava
 * et al. 2014). The random numbers come from Java, because PyTorch's are one sequence for all threads of a process. A
 * GPU receives each draw as an array of the size of its input, unless the model has a script, which draws the same
 * numbers there.
 */
@PublicApi
public final class Dropout {
    private static final int LANE_BITS = 16;
    private static final int LANES = Long.SIZE / LANE_BITS;
    private static final int LEVELS = 1 << LANE_BITS;
    private static final long INCREMENT = 0x9E3779B97F4A7C15L;
    /** Number of values that are changed together, a multiple of the lanes. */
    private static final int BLOCK = 1 << 12;

    private final Tensors tensors;
    private final int dropped; // number of levels that are dropped
    private final float scale;
    private long state;

    private Dropout(Tensors tensors, int dropped, long randomSeed) {
        this.tensors = tensors;
        this.dropped = dropped;
        scale = scale(dropped);
        state = randomSeed;
    }

    /** @param rate probability of zero, from 0 (inclusive) to 1 (exclusive), with a resolution of 1/65536 */
    static Dropout of(Tensors tensors, double rate, long randomSeed) {
        return new Dropout(tensors, levels(rate), randomSeed);
    }

    /** Returns a dropout that changes nothing, for evaluation. */
    static Dropout none(Tensors tensors) {
        return new Dropout(tensors, 0, 0);
    }

    /** Returns the number of levels that are dropped, of 65,536. */
    static int levels(double rate) {
        return (int) Math.round(rate * LEVELS);
    }

    /** Returns the factor of values that are kept. */
    static float scale(int dropped) {
        return (float) LEVELS / (LEVELS - dropped);
    }

    boolean isActive() {
        return dropped > 0;
    }

    /** Returns the state of the random numbers, from which the next draw follows. */
    long state() {
        return state;
    }

    /** Returns the array with a new draw applied; gradients are propagated. */
    public NDArray apply(NDArray array) {
        if (dropped == 0) {
            return array;
        }
        return array.mul(tensors.floats(mask(Math.toIntExact(array.size())), array.getShape()));
    }

    NDArray inputs(InputRows rows) {
        if (dropped == 0) {
            return tensors.inputs(rows);
        }
        if (rows instanceof InputRows.Dense dense) {
            return tensors.changed(dense, this::thin);
        }
        if (rows instanceof InputRows.Selected) {
            return apply(tensors.inputs(rows));
        }
        InputRows.Sparse sparse = (InputRows.Sparse) rows;
        return tensors.changed(sparse, thinned(sparse));
    }

    /** Returns dense rows, or the values of sparse ones, with a new draw applied. */
    NDArray values(InputRows rows) {
        if (dropped == 0) {
            return tensors.values(rows);
        }
        return rows instanceof InputRows.Sparse sparse
                ? tensors.floats(thinned(sparse), new Shape(sparse.values().length))
                : inputs(rows);
    }

    private float[] thinned(InputRows.Sparse sparse) {
        float[] values = mask(sparse.values().length);
        for (int i = 0; i < values.length; i++) {
            values[i] *= sparse.values()[i];
        }
        return values;
    }

    /**
     * Applies the draw of {@link #mask} in place, without an array of the size of the rows, whose copy took longer. The
     * loop has no branch, which would be predicted wrongly for every other value and took most of a training step.
     */
    private void thin(FloatBuffer from, FloatBuffer into) {
        int count = from.remaining();
        float[] block = new float[Math.min(count, BLOCK)];
        long counter = state;
        for (int begin = 0; begin < count; begin += BLOCK) {
            int size = Math.min(BLOCK, count - begin);
            from.get(begin, block, 0, size);
            for (int i = 0; i < size; i += LANES) {
                long bits = Hashing.mix64(counter += INCREMENT);
                for (int lane = i; lane < Math.min(size, i + LANES); lane++) {
                    block[lane] = Float.intBitsToFloat(Float.floatToRawIntBits(scale * block[lane]) & kept(bits));
                    bits >>>= LANE_BITS;
                }
            }
            into.put(begin, block, 0, size);
        }
        state = counter;
    }

    private float[] mask(int count) {
        float[] mask = new float[count];
        int bitsOfScale = Float.floatToRawIntBits(scale);
        long counter = state;
        for (int i = 0; i < count; i += LANES) {
            long bits = Hashing.mix64(counter += INCREMENT);
            for (int lane = i; lane < Math.min(count, i + LANES); lane++) {
                mask[lane] = Float.intBitsToFloat(bitsOfScale & kept(bits));
                bits >>>= LANE_BITS;
            }
        }
        state = counter;
        return mask;
    }

    /** Returns a number with all bits set if the value of the lowest lane is kept, otherwise 0. */
    private int kept(long bits) {
        return dropped - 1 - (int) (bits & LEVELS - 1) >> Integer.SIZE - 1;
    }
}
