package io.cutwater.state.text;

import java.util.Arrays;

/**
 * Texts of vertices between the rows of a batch, in primitive columns. Each belongs to an end of a row, from which on
 * the id stands for this text, until another text follows for the same id. An empty text says that the vertex was
 * removed, and its text with it. Beside them is from which records the rows come.
 */
public final class VertexTexts {
    private int size;
    private int[] positions = {};
    private long[] ids = {};
    private long[] checks = {};
    // ends[i] = end of text i in bytes; it begins where the one before ends.
    private int[] ends = {};
    private byte[] bytes = {};
    private final RecordRuns records = new RecordRuns();

    /** Returns the position of the source of a row; that of its target is 1 higher. */
    public static int sourceOf(int row) {
        return 2 * row;
    }

    /**
     * Appends a text.
     *
     * @param position of the end that it belongs to, at least that of the text before
     * @param check a second hash of the text, not 0
     * @param text UTF-8
     * @param from first byte of the text
     * @param to the byte after its last one
     */
    public void add(int position, long id, long check, byte[] text, int from, int to) {
        if (size == ids.length) {
            int capacity = Math.max(16, size + (size >> 1));
            positions = Arrays.copyOf(positions, capacity);
            ids = Arrays.copyOf(ids, capacity);
            checks = Arrays.copyOf(checks, capacity);
            ends = Arrays.copyOf(ends, capacity);
        }
        int begin = from(size);
        int end = Math.addExact(begin, to - from);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.max(256, end), end + (end >> 1)));
        }
        System.arraycopy(text, from, bytes, begin, to - from);
        positions[size] = position;
        ids[size] = id;
        checks[size] = check;
        ends[size++] = end;
    }

    /** Appends the texts of a batch whose rows follow so many others. */
    public void addAll(VertexTexts other, int rowsBefore) {
        records.addAll(other.records, rowsBefore);
        for (int i = 0; i < other.size; i++) {
            add(
                    other.positions[i] + sourceOf(rowsBefore),
                    other.ids[i],
                    other.checks[i],
                    other.bytes,
                    other.from(i),
                    other.ends[i]);
        }
    }

    /**
     * Moves the texts of a row when rows before it are removed.
     *
     * @param from the first text of the row
     * @param to the new number of the row or, if it is removed, of the next one that is kept
     * @return the first text after the row
     */
    public int move(int from, int row, int to, boolean isKept) {
        int i = from;
        for (; i < size && positions[i] <= sourceOf(row) + 1; i++) {
            positions[i] = sourceOf(to) + (isKept ? positions[i] - sourceOf(row) : 0);
        }
        return i;
    }

    /** Removes the texts that are not to be kept; the others stay in their order. */
    public void retain(boolean[] isKept) {
        int kept = 0;
        int end = 0;
        for (int i = 0, begin = 0; i < size; i++) {
            int next = ends[i];
            if (isKept[i]) {
                System.arraycopy(bytes, begin, bytes, end, next - begin);
                end += next - begin;
                positions[kept] = positions[i];
                ids[kept] = ids[i];
                checks[kept] = checks[i];
                ends[kept++] = end;
            }
            begin = next;
        }
        size = kept;
    }

    public void clear() {
        size = 0;
        records.clear();
    }

    /** From which records the rows come. */
    public RecordRuns records() {
        return records;
    }

    public int size() {
        return size;
    }

    public int position(int i) {
        return positions[i];
    }

    public long id(int i) {
        return ids[i];
    }

    /** Returns the second hash of text {@code i}, which is not 0. */
    public long check(int i) {
        return checks[i];
    }

    /** The texts one after the other; text {@code i} is from {@link #from} to {@link #to}. */
    public byte[] bytes() {
        return bytes;
    }

    public int from(int i) {
        return i == 0 ? 0 : ends[i - 1];
    }

    /** Returns the index after the last byte of text {@code i}. */
    public int to(int i) {
        return ends[i];
    }
}
