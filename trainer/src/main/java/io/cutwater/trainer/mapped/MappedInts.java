package io.cutwater.trainer.mapped;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Path;

/** An {@code int} array in a memory-mapped file. Thread-safe for readers. */
public final class MappedInts {
    private static final int SHIFT = Mapping.shift(Integer.BYTES);
    private static final int MASK = (1 << SHIFT) - 1;

    private final IntBuffer[] pieces;
    private final long length;

    private MappedInts(IntBuffer[] pieces, long length) {
        this.pieces = pieces;
        this.length = length;
    }

    /** Creates an array of zeros. */
    public static MappedInts create(Path file, long length) throws IOException {
        return of(Mapping.create(file, length * Integer.BYTES));
    }

    /** Opens an array that another process wrote on this host, read-only. */
    public static MappedInts open(Path file) throws IOException {
        return of(Mapping.open(file));
    }

    private static MappedInts of(ByteBuffer[] bytes) {
        IntBuffer[] pieces = new IntBuffer[bytes.length];
        long length = 0;
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = bytes[i].asIntBuffer();
            length += pieces[i].limit();
        }
        return new MappedInts(pieces, length);
    }

    public int get(long index) {
        return pieces[(int) (index >>> SHIFT)].get((int) index & MASK);
    }

    public void put(long index, int value) {
        pieces[(int) (index >>> SHIFT)].put((int) index & MASK, value);
    }

    public long length() {
        return length;
    }
}
