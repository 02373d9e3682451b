package io.cutwater.state.disk;

import io.cutwater.state.scratch.ScratchFolder;
import java.io.Closeable;
import java.io.IOException;

/** Reads a file of bits, 32 in a number, the lowest first. */
final class BitReader implements Closeable {
    private final IntReader reader;
    private final int[] words = new int[1 << 12];
    private int size;
    private int word = -1;
    private int bit = Integer.SIZE;

    /** @param from the number of the first bit that is asked for */
    BitReader(ScratchFolder scratch, String name, long from) throws IOException {
        reader = new IntReader(scratch, name, from / Integer.SIZE);
        if (from % Integer.SIZE != 0) {
            next();
            bit = (int) (from % Integer.SIZE);
        }
    }

    /** The next bit; the file must have one. */
    boolean next() throws IOException {
        if (bit == Integer.SIZE) {
            bit = 0;
            if (++word == size) {
                size = reader.read(words, 0, words.length);
                word = 0;
            }
        }
        return (words[word] >>> bit++ & 1) != 0;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
