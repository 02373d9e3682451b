package io.cutwater.kafka.training;

import java.util.Arrays;

/**
 * A message between the coordinator and the workers of a training; the trainer defines the body.
 *
 * @param run of the coordinator, above all earlier ones; 0 for a message that a worker sends on its own
 * @param round from 1; 0 for none
 * @param shard of an answer; −1 for none
 * @param weight in an answer: the training vertices of the shard, which weigh its model in the average; in
 *     {@link Kind#ALIVE}: the number of shards that the worker trains concurrently
 * @param sender name of the worker or coordinator; at most 200 characters
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content below; a list would box every byte
public record ModelMessage(Kind kind, long run, int round, int shard, long weight, String sender, byte[] body) {
    /** The kinds of messages. Records store the position in this list. */
    public enum Kind {
        /** Coordinator: train from this model. */
        TRAIN,
        /** Coordinator: test this model. */
        TEST,
        /** Coordinator: the training has ended. */
        END,
        /** Worker: ready. */
        ALIVE,
        /** Worker: the model of a shard after a round. */
        UPDATE,
        /** Worker: correct and tested vertices of a model on a shard. */
        ACCURACY_COUNTS,
        /** Worker: the request for a shard failed; the body says why. */
        FAILED,
        /** Coordinator, on both topics: it begins, and all earlier coordinators end. */
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
