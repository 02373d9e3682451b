package io.cutwater.format.text;

import io.cutwater.state.graph.Hashing;
import java.util.Arrays;

/**
 * The names of vertices whose ids are text, compared byte by byte. The id of a name is its number in the order of first
 * appearance, from 0, so the same edges in the same order get the same ids.
 *
 * <p>Every name is in memory: its bytes and 24 to 40 more. Not thread-safe.
 */
public final class VertexNames {
    private static final int CHUNK_BITS = 20;
    private static final int CHUNK_BYTES = 1 << CHUNK_BITS; // the longest line, and therefore the longest name
    private static final int MAX_NAMES = 1 << 29;

    private byte[][] chunks = new byte[16][];
    private int chunkCount;
    private int usedOfLast = CHUNK_BYTES;
    private long[] places = new long[1 << 10];
    private int[] lengths = new int[1 << 10];
    private int[] hashes = new int[1 << 10];
    private int[] table = new int[1 << 12]; // id + 1, 0 where free
    private int size;

    /** Receives the names in the order of their ids. */
    public interface NameConsumer<E extends Exception> {
        void accept(long id, byte[] text, int from, int to) throws E;
    }

    /**
     * Returns the id of a name, and assigns one if it has none.
     *
     * @param from the name's first byte
     * @param to the byte after its last; at most 1 MiB after {@code from}
     */
    public long id(byte[] text, int from, int to) {
        int hash = hash(text, from, to);
        int mask = table.length - 1;
        int at = hash & mask;
        for (; table[at] != 0; at = at + 1 & mask) {
            int id = table[at] - 1;
            if (hashes[id] == hash && isSame(id, text, from, to)) {
                return id;
            }
        }
        add(hash, text, from, to);
        table[at] = size;
        if (size > table.length / 2) {
            growTable();
        }
        return size - 1;
    }

    private static int hash(byte[] text, int from, int to) {
        long hash = to - from;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + text[i];
        }
        return (int) Hashing.mix64(hash);
    }

    private boolean isSame(int id, byte[] text, int from, int to) {
        int begin = (int) places[id] & CHUNK_BYTES - 1;
        byte[] chunk = chunks[(int) (places[id] >>> CHUNK_BITS)];
        return Arrays.equals(chunk, begin, begin + lengths[id], text, from, to);
    }

    private void add(int hash, byte[] text, int from, int to) {
        if (size == places.length) {
            growColumns();
        }
        int length = to - from;
        if (usedOfLast + length > CHUNK_BYTES) {
            if (chunkCount == chunks.length) {
                chunks = Arrays.copyOf(chunks, 2 * chunkCount);
            }
            chunks[chunkCount++] = new byte[CHUNK_BYTES];
            usedOfLast = 0;
        }
        System.arraycopy(text, from, chunks[chunkCount - 1], usedOfLast, length);
        places[size] = (long) (chunkCount - 1) << CHUNK_BITS | usedOfLast;
        lengths[size] = length;
        hashes[size++] = hash;
        usedOfLast += length;
    }

    private void growColumns() {
        if (size >= MAX_NAMES) {
            throw new IllegalStateException("there are more than %d vertex names".formatted(MAX_NAMES));
        }
        int larger = Math.min(MAX_NAMES, size + (size >> 1));
        places = Arrays.copyOf(places, larger);
        lengths = Arrays.copyOf(lengths, larger);
        hashes = Arrays.copyOf(hashes, larger);
    }

    private void growTable() {
        table = new int[2 * table.length];
        int mask = table.length - 1;
        for (int id = 0; id < size; id++) {
            int at = hashes[id] & mask;
            while (table[at] != 0) {
                at = at + 1 & mask;
            }
            table[at] = id + 1;
        }
    }

    /** Returns the number of names. */
    public int size() {
        return size;
    }

    /** Passes every name to the consumer. */
    public <E extends Exception> void forEach(NameConsumer<E> consumer) throws E {
        for (int id = 0; id < size; id++) {
            int begin = (int) places[id] & CHUNK_BYTES - 1;
            consumer.accept(id, chunks[(int) (places[id] >>> CHUNK_BITS)], begin, begin + lengths[id]);
        }
    }
}
