package io.cutwater.trainer.progress;

import java.io.IOException;
import java.util.List;

/** Is told how training goes, in the thread that runs it. */
public interface RoundListener {
    /** A round is done. */
    void roundDone(RoundReport report);

    /**
     * A shard has no part in a round, or in its test.
     *
     * @param sentence why
     */
    void shardMissing(int round, int shard, String sentence);

    /**
     * A worker came or went.
     *
     * @param sentence what happened
     */
    default void workersChanged(String sentence) {}

    /** The training has learned all that there is, and waits for the graph to grow. */
    default void waits() {}

    /**
     * There is a better model than before, or the first one of another cut.
     *
     * @throws IOException with a sentence, if it cannot be kept; that ends the training
     */
    default void modelFound(float[][] weights) throws IOException {}

    /** Tells all of them, in this order. */
    static RoundListener all(List<RoundListener> listeners) {
        List<RoundListener> copy = List.copyOf(listeners);
        return new RoundListener() {
            @Override
            public void roundDone(RoundReport report) {
                copy.forEach(listener -> listener.roundDone(report));
            }

            @Override
            public void shardMissing(int round, int shard, String sentence) {
                copy.forEach(listener -> listener.shardMissing(round, shard, sentence));
            }

            @Override
            public void workersChanged(String sentence) {
                copy.forEach(listener -> listener.workersChanged(sentence));
            }

            @Override
            public void waits() {
                copy.forEach(RoundListener::waits);
            }

            @Override
            public void modelFound(float[][] weights) throws IOException {
                for (RoundListener listener : copy) {
                    listener.modelFound(weights);
                }
            }
        };
    }
}
