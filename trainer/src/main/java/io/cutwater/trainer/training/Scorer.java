package io.cutwater.trainer.training;

import ai.djl.ndarray.NDArray;
import java.io.IOException;
import java.util.List;

/** Computes the class scores of the vertices that a shard owns. Used by one thread at a time. */
public interface Scorer {
    /** Receives the scores of vertices that the shard owns. */
    @FunctionalInterface
    interface ScoreConsumer {
        /**
         * Receives the next scores.
         *
         * @param from local number of the first vertex
         * @param scores one row per vertex, one value per class
         */
        void accept(int from, float[] scores) throws IOException;
    }

    /** Computes the scores of all vertices that the shard owns, in order. */
    void run(List<NDArray> weights, ScoreConsumer consumer) throws IOException;
}
