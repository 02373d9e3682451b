package io.cutwater.trainer.mapped;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;

/** A {@code float} array in a memory-mapped file. Thread-safe for readers. */
public final class MappedFloats {
    private static final int SHIFT = Mapping.shift(Float.BYTES);
    private static final int MASK = (1 << SHIFT) - 1;

    private final FloatBuffer[] pieces;
    private final long length;

    private MappedFloats(FloatBuffer[] pieces, long length) {
        this.pieces = pieces;
        this.length = length;
    }

    /** Creates an array of zeros. */
    public static MappedFloats create(Path file, long length) throws IOException {
        return of(Mapping.create(file, length * Float.BYTES));
    }

    /** Opens an array that another process wrote on this host, read-only. */
    public static MappedFloats open(Path file) throws IOException {
        return of(Mapping.open(file));
    }

    private static MappedFloats of(ByteBuffer[] bytes) {
        FloatBuffer[] pieces = new FloatBuffer[bytes.length];
        long length = 0;
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = bytes[i].asFloatBuffer();
            length += pieces[i].limit();
        }
        return new MappedFloats(pieces, length);
    }

    public float get(long index) {
        return pieces[(int) (index >>> SHIFT)].get((int) index & MASK);
    }

    public void put(long index, float value) {
        pieces[(int) (index >>> SHIFT)].put((int) index & MASK, value);
    }

    /** Copies elements to the position of a buffer and advances the position. */
    public void get(long from, int count, FloatBuffer into) {
        for (int done = 0; done < count; ) {
            int at = (int) (from + done) & MASK;
            FloatBuffer piece = pieces[(int) ((from + done) >>> SHIFT)];
            int length = Math.min(count - done, piece.limit() - at);
            into.put(into.position(), piece, at, length).position(into.position() + length);
            done += length;
        }
    }

    /** Copies {@code count} elements of an array. */
    public void put(long to, float[] values, int from, int count) {
        for (int done = 0; done < count; ) {
            int at = (int) (to + done) & MASK;
            FloatBuffer piece = pieces[(int) ((to + done) >>> SHIFT)];
            int length = Math.min(count - done, piece.limit() - at);
            piece.put(at, values, from + done, length);
            done += length;
        }
    }

    public long length() {
        return length;
    }
}
