package io.cutwater.state.joint;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A time in which edges are placed one by one, since a buffer has shown no communities: as many edges as the buffer
 * has; twice as many each time that another buffer shows none, up to {@value #MOST_BUFFERS} buffers; half as many again
 * for each that shows some.
 *
 * <p>The bytes: kind = 66, version = 1 (1 byte each), length of the last pause in buffers (4 bytes), edges until its
 * end (8 bytes), big-endian.
 */
public final class JointPause {
    private static final byte KIND = 'B';
    private static final byte VERSION = 1;
    private static final int BYTES = 2 + Integer.BYTES + Long.BYTES;
    private static final int MOST_BUFFERS = 64;

    private int buffers;
    private long left;

    /** Returns whether edges are placed one by one. */
    public boolean isOn() {
        return left > 0;
    }

    /** Begins a pause behind a buffer that shows no communities. */
    public void begin(int bufferSize) {
        buffers = Math.min(MOST_BUFFERS, Math.max(1, 2 * buffers));
        left = (long) buffers * bufferSize;
    }

    /** Counts an edge that is placed by itself; whether the pause is over. */
    public boolean endsWithEdge() {
        return --left == 0;
    }

    /** Makes the next pause shorter, since a buffer shows communities. */
    public void shorten() {
        buffers /= 2;
    }

    /** Returns whether there has been no pause of late, and nothing has to be remembered. */
    public boolean isForgotten() {
        return buffers == 0;
    }

    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES)
                .put(KIND)
                .put(VERSION)
                .putInt(buffers)
                .putLong(left)
                .array();
    }

    private static boolean isPause(byte[] piece) {
        return piece.length == BYTES && piece[0] == KIND;
    }

    /** Returns the pieces of a snapshot that are not a pause. */
    public static List<byte[]> others(List<byte[]> snapshot) {
        return snapshot.stream().filter(piece -> !isPause(piece)).toList();
    }

    /**
     * Takes back the state from a snapshot that may have one.
     *
     * @throws IllegalStateException if it is of another version
     */
    public void restore(List<byte[]> snapshot) {
        for (byte[] piece : snapshot) {
            if (isPause(piece)) {
                if (piece[1] != VERSION) {
                    throw new IllegalStateException(
                            "the checkpoint has a pause of buffers in version %d; this is version %d"
                                    .formatted(piece[1], VERSION));
                }
                buffers = ByteBuffer.wrap(piece).getInt(2);
                left = ByteBuffer.wrap(piece).getLong(2 + Integer.BYTES);
            }
        }
    }
}
