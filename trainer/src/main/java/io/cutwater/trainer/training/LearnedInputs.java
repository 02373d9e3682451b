package io.cutwater.trainer.training;

import java.io.IOException;

/**
 * Inputs of mini-batches that are learned, as one shard sees them. In each step every shard reads rows, announces its
 * gradients if it has any, and then updates the rows that are at home with it. Used by one thread, and the rows that
 * others read by any.
 */
public interface LearnedInputs {
    /** Returns the number of values of a row. */
    int width();

    /** Returns rows, one after the other. */
    float[] read(long[] vertices) throws IOException, InterruptedException;

    /**
     * Announces the gradients of a mini-batch.
     *
     * @param vertices distinct vertices
     * @param gradients gradients of the mean loss, one row per vertex
     * @param seeds training vertices of the mini-batch
     */
    void announce(long[] vertices, float[] gradients, int seeds);

    /** Updates rows from the gradients that all shards have announced. Waits for those of the others. */
    void update() throws IOException, InterruptedException;
}
