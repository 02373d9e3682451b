package io.cutwater.trainer.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Carries frames between the workers of a training. Frames of one sender arrive in the order of sending, each exactly
 * once. Used by one thread.
 */
public interface FrameChannel {
    /** Returns the number of this worker, from 0. */
    int rank();

    /** Returns the number of workers. */
    int size();

    /**
     * Sends a frame without waiting for its receiver.
     *
     * @param receiver another worker
     * @param frame from position to limit; the caller does not change it afterwards
     * @throws IOException if the receiver is gone; the message is meant for users
     */
    void send(int receiver, ByteBuffer frame) throws IOException, InterruptedException;

    /**
     * Waits for the next frame of a worker.
     *
     * @param sender another worker
     * @throws IOException if none arrives in time or the sender is gone; the message names the sender and is meant for
     *     users
     */
    ByteBuffer receive(int sender) throws IOException, InterruptedException;
}
