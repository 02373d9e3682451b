package io.cutwater.kafka.training;

import java.util.Arrays;

/**
 * What coordinator and workers of a training tell each other. What the body holds is the trainer's.
 *
 * @param run of the coordinator, above that of all before it; 0 where a worker speaks for itself
 * @param round from 1; 0 where there is none
 * @param shard that an answer is of; −1 where there is none
 * @param weight of an answer: training vertices of the shard, what its model counts for in the average; of a worker
 *     that is here: shards that it trains at the same time
 * @param sender name of the worker, or of the coordinator; at most 200 characters
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content below; a list would box every byte
public record ModelMessage(Kind kind, long run, int round, int shard, long weight, String sender, byte[] body) {
    /** What a message is. Records hold the position in this list. */
    public enum Kind {
        /** Coordinator: train from this model. */
        TRAIN,
        /** Coordinator: test this model. */
        TEST,
        /** Coordinator: the training is over. */
        END,
        /** Worker: here, and ready. */
        ALIVE,
        /** Worker: the model of a shard after a round. */
        UPDATE,
        /** Worker: how a model does on a shard. */
        TALLY,
        /** Worker: what was asked of a shard cannot be done; the body says why. */
        FAILED,
        /** Coordinator, on both topics: it begins, and those before it are over. */
        BEGIN
    }

    public ModelMessage {
        if (sender.isEmpty() || sender.length() > 200) {
            throw new IllegalArgumentException(
                    "the sender's name must have 1 to 200 characters: '%s'".formatted(sender));
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ModelMessage that
                && kind == that.kind
                && run == that.run
                && round == that.round
                && shard == that.shard
                && weight == that.weight
                && sender.equals(that.sender)
                && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(run) * 31 + round * 31 + shard;
    }

    @Override
    public String toString() {
        return "%s of %s, run %d, round %d, shard %d, weight %d, %d bytes"
                .formatted(kind, sender, run, round, shard, weight, body.length);
    }
}
