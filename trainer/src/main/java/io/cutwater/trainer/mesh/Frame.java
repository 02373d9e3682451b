package io.cutwater.trainer.mesh;

import io.cutwater.trainer.channel.FrameGroup.Purpose;
import java.nio.ByteBuffer;

/** A message between two workers. */
sealed interface Frame {
    /**
     * The first frame of a connection, from the side that opened it.
     *
     * @param sender name of the worker that connects
     * @param receiver name of the worker that it expects
     * @param token token of the receiver's address
     * @param session see {@link PeerLink#session}
     */
    record Hello(String sender, String receiver, String token, long session) implements Frame {
        /** Describes the frame without the token. */
        @Override
        public String toString() {
            return "hello from %s to %s".formatted(sender, receiver);
        }
    }

    /**
     * The answer to {@link Hello}: the connection is accepted.
     *
     * @param taken number of {@link Data} frames of the session that were taken
     */
    record Welcome(long taken) implements Frame {}

    /**
     * Sent twice a second by the side that accepted the connection, and after each megabyte.
     *
     * @param taken number of {@link Data} frames of the session that were taken
     */
    record Alive(long taken) implements Frame {}

    /**
     * What a shard sends to a shard of another worker in an attempt.
     *
     * @param cut fingerprint of the cut
     * @param from sending shard
     * @param to receiving shard
     * @param number number of the question among those of a worker in the attempt, from 1; 0 for a message
     * @param body from position to limit; its meaning is that of the work of the attempt
     */
    record Data(GroupKey key, long cut, int from, int to, Purpose purpose, int number, ByteBuffer body)
            implements Frame {}

    /** A worker's question for a content of the coordinator, such as a model. */
    record Fetch(long number) implements Frame {}

    /**
     * The answer to {@link Fetch}.
     *
     * @param body from position to limit; empty if another content has replaced this one
     */
    record Content(long number, ByteBuffer body) implements Frame {}

    /**
     * A worker's message to the coordinator.
     *
     * @param number number of the message on this connection, from 1
     * @param body from position to limit
     */
    record Tell(long number, ByteBuffer body) implements Frame {}

    /** The answer to {@link Tell}: the coordinator has the message. */
    record Taken(long number) implements Frame {}

    /**
     * The answer to a frame that cannot be used, such as one of another cut. The attempt fails and is made again.
     *
     * @param key attempt of the frame; zeros if the connection is refused
     * @param sentence meant for users
     */
    record Refused(GroupKey key, String sentence) implements Frame {}
}
