package io.cutwater.trainer.exchange;

import io.cutwater.state.graph.Hashing;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A message between two workers. Big-endian: format version (1 byte), 1 for rows or 0 for "same as before" (1),
 * direction (1), encoding (1), layer (4), epoch (4), version (4), hash of cut, sender, receiver, rows and columns (8);
 * then the rows, or nothing. There is exactly one frame per epoch, layer, direction, sender and receiver, so a receiver
 * knows all of the head but the version, and checks it before it reads rows into arrays that it has.
 */
final class RowFrame {
    /** Bytes of a frame without rows. */
    static final int HEAD = 24;

    private static final byte FORMAT = 2;

    private RowFrame() {}

    /**
     * The part of a frame that sender and receiver agree on.
     *
     * @param layer from 0
     * @param epoch from 0
     * @param cut hash of the training and its cut
     */
    record Head(Direction direction, int layer, int epoch, int sender, int receiver, int rows, int columns, long cut) {
        /** Returns a hash of what does not change from frame to frame. */
        long check() {
            return Hashing.mix64(Hashing.mix64(cut, sender, receiver), rows, columns);
        }

        @Override
        public String toString() {
            return "%s of layer %d in epoch %d from worker %d to %d, %d x %d, cut %x"
                    .formatted(direction, layer, epoch, sender, receiver, rows, columns, cut);
        }
    }

    /** Encodes rows of values. */
    static ByteBuffer rows(Head head, int version, RowCoding coding, float[] values) {
        long bytes = HEAD + coding.bytes(head.rows(), head.columns());
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalStateException(
                    "%s: a frame of %,d bytes is too large; use more partitions".formatted(head, bytes));
        }
        ByteBuffer frame = head(head, (int) bytes, true, coding, version);
        coding.write(values, head.rows() * head.columns(), head.columns(), frame);
        return frame.flip();
    }

    /** Encodes that the rows sent last are still to be used. */
    static ByteBuffer same(Head head, int version) {
        return head(head, HEAD, false, RowCoding.FLOAT32, version).flip();
    }

    private static ByteBuffer head(Head head, int bytes, boolean hasRows, RowCoding coding, int version) {
        return ByteBuffer.allocate(bytes)
                .put(FORMAT)
                .put((byte) (hasRows ? 1 : 0))
                .put((byte) head.direction().ordinal())
                .put((byte) coding.ordinal())
                .putInt(head.layer())
                .putInt(head.epoch())
                .putInt(version)
                .putLong(head.check());
    }

    /**
     * The decoded rest of a head.
     *
     * @param hasRows false if the rows received last are still to be used
     * @param version epoch in which the oldest value of the rows was computed
     */
    record Received(boolean hasRows, int version) {}

    /**
     * Decodes a frame.
     *
     * @param into receives the rows, if there are any
     * @throws IOException if this is not the expected frame, or not whole
     */
    static Received read(ByteBuffer frame, Head expected, float[] into) throws IOException {
        if (frame.remaining() < HEAD) {
            throw new IOException(
                    "a frame of %d bytes has no head; expected %s".formatted(frame.remaining(), expected));
        }
        byte format = frame.get();
        boolean hasRows = frame.get() != 0;
        int direction = frame.get();
        int encoding = Byte.toUnsignedInt(frame.get());
        if (format != FORMAT || direction < 0 || direction >= Direction.values().length) {
            throw new IOException("a frame has version %d and direction %d; all workers must be of the same build"
                    .formatted(format, direction));
        }
        int layer = frame.getInt();
        int epoch = frame.getInt();
        int version = frame.getInt();
        long check = frame.getLong();
        RowCoding coding = RowCoding.of(encoding);
        long bytes = hasRows ? coding.bytes(expected.rows(), expected.columns()) : 0;
        if (direction != expected.direction().ordinal()
                || layer != expected.layer()
                || epoch != expected.epoch()
                || check != expected.check()
                || frame.remaining() != bytes) {
            throw new IOException(
                    "received %s of layer %d in epoch %d with %d bytes%s, but expected %s with %d bytes; give all workers the"
                                    .formatted(
                                            Direction.values()[direction],
                                            layer,
                                            epoch,
                                            frame.remaining(),
                                            check == expected.check() ? "" : " of other workers, rows or another cut",
                                            expected,
                                            bytes)
                            + " same shards, options and build");
        }
        if (hasRows) {
            coding.read(frame, into, expected.rows() * expected.columns(), expected.columns());
        }
        return new Received(hasRows, version);
    }
}
