package io.cutwater.trainer.averaging;

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
}
