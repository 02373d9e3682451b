package io.cutwater.format.text;

import io.cutwater.state.graph.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of vertices whose ids are text, compared byte by byte. The id of a name is its number in the order of first
 * appearance, from 0, so the same edges in the same order get the same ids; or the one that it was added with.
 *
 * <p>Every name is in memory: its bytes and 24 to 48 more. Not thread-safe.
 */
public final class VertexNames implements NameIds {
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
    // Null if the ids are the numbers of the names.
    private long @Nullable [] ids;

    /** Receives the names in the order of their ids. */
    public interface NameConsumer<E extends Exception> {
        void accept(long id, byte[] text, int from, int to) throws E;
    }

    /**
     * Returns the id of a name, and assigns one if it has none: where names were added with ids, one that no other name
     * has, but for an accident of 1 in 2^64.
     *
     * @param from the name's first byte
     * @param to the byte after its last; at most 1 MiB after {@code from}
     */
    @Override
    public long id(byte[] text, int from, int to) {
        int known = size;
        int number = number(text, from, to);
        if (ids != null && number == known) {
            set(number, Hashing.mix64(~number));
        }
        return ids == null ? number : ids[number];
    }

    /**
     * Adds a name with its id. All names must be added this way, or none.
     *
     * @param from the name's first byte
     * @param to the byte after its last; at most 1 MiB after {@code from}
     */
    public void add(long id, byte[] text, int from, int to) {
        set(number(text, from, to), id);
    }

    private void set(int number, long id) {
        long[] all = ids == null ? new long[places.length] : ids;
        all = number < all.length ? all : Arrays.copyOf(all, places.length);
        all[number] = id;
        ids = all;
    }

    private int number(byte[] text, int from, int to) {
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

    /** Passes every name to the consumer, in the ascending order of their ids. */
    public <E extends Exception> void forEach(NameConsumer<E> consumer) throws E {
        long[] given = ids;
        if (given == null) {
            for (int number = 0; number < size; number++) {
                accept(number, number, consumer);
            }
            return;
        }
        for (int number : inOrder(given)) {
            accept(given[number], number, consumer);
        }
    }

    private <E extends Exception> void accept(long id, int number, NameConsumer<E> consumer) throws E {
        int begin = (int) places[number] & CHUNK_BYTES - 1;
        consumer.accept(id, chunks[(int) (places[number] >>> CHUNK_BITS)], begin, begin + lengths[number]);
    }

    /** Returns the numbers in the order of the ids, which differ. */
    private int[] inOrder(long[] given) {
        long[] sorted = Arrays.copyOf(given, size);
        Arrays.sort(sorted);
        int[] numbers = new int[size];
        for (int number = 0; number < size; number++) {
            numbers[Arrays.binarySearch(sorted, given[number])] = number;
        }
        return numbers;
    }

    /** Returns the names of the other ids, which were added with their names. */
    public VertexNames without(Set<Long> removed) {
        VertexNames others = new VertexNames();
        forEach((id, text, from, to) -> {
            if (!removed.contains(id)) {
                others.add(id, text, from, to);
            }
        });
        return others;
    }

    /**
     * Returns the names of ids.
     *
     * @param wanted ascending
     * @return by position; null of an id that no name has
     */
    public byte[] @Nullable [] names(long[] wanted) {
        byte[][] found = new byte[wanted.length][];
        forEach((id, text, from, to) -> {
            int at = Arrays.binarySearch(wanted, id);
            if (at >= 0) {
                found[at] = Arrays.copyOfRange(text, from, to);
            }
        });
        return found;
    }

    /** Returns two names that were added with the same id; empty if there are none. */
    public List<String> namesWithOneId() {
        long[] sorted = ids == null ? new long[0] : Arrays.copyOf(ids, size);
        Arrays.sort(sorted);
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i - 1] == sorted[i]) {
                return names(sorted[i]);
            }
        }
        return List.of();
    }

    private List<String> names(long id) {
        List<String> names = new ArrayList<>();
        for (int number = 0; ids != null && number < size; number++) {
            if (ids[number] == id) {
                names.add(name(number));
            }
        }
        return names;
    }

    private String name(int number) {
        int begin = (int) places[number] & CHUNK_BYTES - 1;
        return new String(
                chunks[(int) (places[number] >>> CHUNK_BITS)], begin, lengths[number], StandardCharsets.UTF_8);
    }
}
