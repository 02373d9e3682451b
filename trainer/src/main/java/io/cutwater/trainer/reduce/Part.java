package io.cutwater.trainer.reduce;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What one rank sends to another in one half of a step.
 *
 * @param step number of the step in the round, from 1
 * @param isMean false for the sender's gradient in the receiver's slice; true for the mean in the sender's slice
 * @param weight examples behind the gradient, at least 0; without examples there are no values
 * @param hasMore whether the sender has a mini-batch for the next step
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a list would box every value
record Part(int step, boolean isMean, long weight, boolean hasMore, float[] values) {
    static final int HEAD = 4 + 1 + 8;
    private static final int MEAN = 1;
    private static final int MORE = 2;

    /**
     * Encodes a part, little-endian: step (4 bytes), flags (1): 1 for a mean, 2 if there is a next mini-batch; weight
     * (8); the values (4 each).
     */
    ByteBuffer encode() {
        ByteBuffer frame = ByteBuffer.allocate(Math.addExact(HEAD, Math.multiplyExact(Float.BYTES, values.length)))
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(step)
                .put((byte) ((isMean ? MEAN : 0) | (hasMore ? MORE : 0)))
                .putLong(weight);
        frame.asFloatBuffer().put(values);
        return frame.rewind();
    }

    /**
     * Decodes a part.
     *
     * @throws IllegalStateException if the frame is not one; the message is meant for users
     */
    static Part decode(ByteBuffer frame, int from) {
        int bytes = frame.remaining();
        ByteBuffer in = frame.order(ByteOrder.LITTLE_ENDIAN);
        if (bytes < HEAD || (bytes - HEAD) % Float.BYTES != 0 || in.getLong(in.position() + HEAD - Long.BYTES) < 0) {
            throw new IllegalStateException(
                    "shard %d sent a part of a gradient in %d bytes; run all processes with the same version"
                            .formatted(from, bytes));
        }
        int step = in.getInt();
        int flags = in.get();
        long weight = in.getLong();
        float[] values = new float[in.remaining() / Float.BYTES];
        in.asFloatBuffer().get(values);
        return new Part(step, (flags & MEAN) != 0, weight, (flags & MORE) != 0, values);
    }
}
