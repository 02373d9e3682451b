package io.cutwater.trainer.progress;

import java.io.IOException;
import java.util.List;

/** Receives the progress of a training, in the thread that runs it. */
public interface RoundListener {
    /** Called after each test. */
    void roundDone(RoundReport report);

    /**
     * Called when a shard has no part in a round or in its test.
     *
     * @param sentence the reason, for users
     */
    void shardMissing(int round, int shard, String sentence);

    /**
     * Called when a worker joins or leaves.
     *
     * @param sentence a message for users
     */
    default void workersChanged(String sentence) {}

    /** Called when the training waits for the graph to grow. */
    default void waits() {}

    /**
     * Called when there is a better model than before, or the first one of another cut.
     *
     * @throws IOException if the model cannot be stored, which ends the training; the message is meant for users
     */
    default void modelFound(float[][] weights) throws IOException {}

    /** Returns a listener that calls several listeners in order. */
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
