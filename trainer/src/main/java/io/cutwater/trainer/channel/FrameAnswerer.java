package io.cutwater.trainer.channel;

import java.nio.ByteBuffer;

/** Answers the questions of other shards. Thread-safe. */
@FunctionalInterface
public interface FrameAnswerer {
    /**
     * Returns the answer, which nobody changes afterwards.
     *
     * @param question from position to limit
     * @throws IllegalArgumentException if the question makes no sense; the message is meant for users
     */
    ByteBuffer answer(ByteBuffer question);
}
