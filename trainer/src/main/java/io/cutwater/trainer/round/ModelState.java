package io.cutwater.trainer.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A model in training.
 *
 * @param weights one array per weight
 * @param optimiser state of the optimiser
 * @param embeddings learned rows of vertices: all, or those that a shard has changed in a round; null for none
 */
public record ModelState(
        float[][] weights, AdamState optimiser, @Nullable EmbeddingRows embeddings) {
    /** Creates the state of a model without embeddings. */
    public ModelState(float[][] weights, AdamState optimiser) {
        this(weights, optimiser, null);
    }

    /** Returns the same model with other embeddings. */
    public ModelState with(@Nullable EmbeddingRows rows) {
        return new ModelState(weights, optimiser, rows);
    }

    /** Returns the state before the first step. */
    public static ModelState initial(float[][] weights) {
        return new ModelState(weights, new AdamState(0, zeros(weights), zeros(weights)));
    }

    private static float[][] zeros(float[][] like) {
        return Arrays.stream(like).map(array -> new float[array.length]).toArray(float[][]::new);
    }

    /** Writes the weights, and the optimiser's steps (4 bytes), means and variances, without embeddings. */
    public void write(DataOutput out) throws IOException {
        FloatArrays.write(weights, out);
        out.writeInt(optimiser.step());
        FloatArrays.write(optimiser.means(), out);
        FloatArrays.write(optimiser.variances(), out);
    }

    /** Reads what {@link #write} wrote. */
    public static ModelState read(DataInput in) throws IOException {
        return new ModelState(
                FloatArrays.read(in), new AdamState(in.readInt(), FloatArrays.read(in), FloatArrays.read(in)));
    }

    /** Returns whether two states belong to the same network. */
    public boolean fits(ModelState other) {
        return FloatArrays.haveSameLengths(weights, other.weights)
                && FloatArrays.haveSameLengths(optimiser.means(), other.optimiser.means())
                && FloatArrays.haveSameLengths(optimiser.variances(), other.optimiser.variances());
    }

    /** Returns whether two states have the same bits, without regard to embeddings. */
    public boolean isEqual(ModelState other) {
        return optimiser.step() == other.optimiser.step()
                && Arrays.deepEquals(weights, other.weights)
                && Arrays.deepEquals(optimiser.means(), other.optimiser.means())
                && Arrays.deepEquals(optimiser.variances(), other.optimiser.variances());
    }

    /** Returns the size of the state in a message, 4 bytes per number. */
    public long bytes() {
        long numbers = 0;
        for (float[] array : weights) {
            numbers += array.length;
        }
        return 3 * numbers * Float.BYTES;
    }
}
