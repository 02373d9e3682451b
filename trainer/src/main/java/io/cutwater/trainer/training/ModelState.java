package io.cutwater.trainer.training;

import java.util.Arrays;

/**
 * A model in the middle of its training.
 *
 * @param weights one array per weight
 * @param optimiser what goes with them
 */
public record ModelState(float[][] weights, AdamState optimiser) {
    /** A model before its first step. */
    public static ModelState initial(float[][] weights) {
        return new ModelState(weights, new AdamState(0, zeros(weights), zeros(weights)));
    }

    private static float[][] zeros(float[][] like) {
        return Arrays.stream(like).map(array -> new float[array.length]).toArray(float[][]::new);
    }

    /** Numbers of 4 bytes that go from one worker to another. */
    public long bytes() {
        long numbers = 0;
        for (float[] array : weights) {
            numbers += array.length;
        }
        return 3 * numbers * Float.BYTES;
    }
}
