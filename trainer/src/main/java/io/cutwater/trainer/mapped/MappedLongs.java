package io.cutwater.trainer.mapped;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;

/** A {@code long} array in a memory-mapped file. Thread-safe for readers. */
public final class MappedLongs {
    private static final int SHIFT = Mapping.shift(Long.BYTES);
    private static final int MASK = (1 << SHIFT) - 1;

    private final LongBuffer[] pieces;
    private final long length;

    private MappedLongs(LongBuffer[] pieces, long length) {
        this.pieces = pieces;
        this.length = length;
    }

    /** Creates an array of zeros. */
    public static MappedLongs create(Path file, long length) throws IOException {
        return of(Mapping.create(file, length * Long.BYTES));
    }

    /** Opens an array that another process wrote on this host, read-only. */
    public static MappedLongs open(Path file) throws IOException {
        return of(Mapping.open(file));
    }

    private static MappedLongs of(ByteBuffer[] bytes) {
        LongBuffer[] pieces = new LongBuffer[bytes.length];
        long length = 0;
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = bytes[i].asLongBuffer();
            length += pieces[i].limit();
        }
        return new MappedLongs(pieces, length);
    }

    public long get(long index) {
        return pieces[(int) (index >>> SHIFT)].get((int) index & MASK);
    }

    public void put(long index, long value) {
        pieces[(int) (index >>> SHIFT)].put((int) index & MASK, value);
    }

    public long length() {
        return length;
    }
}
