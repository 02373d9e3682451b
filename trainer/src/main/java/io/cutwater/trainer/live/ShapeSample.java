package io.cutwater.trainer.live;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;

/**
 * The number of features and the label of a sample of vertices, as the shards last reported them: of all vertices at
 * first, then of every second one by hash, every fourth, and so on. 32 bytes per copy of a vertex.
 */
final class ShapeSample {
    private static final int MAX_ROWS = 1 << 20;
    private static final int MIN_ROWS = 64;
    private static final int STRIDE = 1;
    private static final int GONE = -1;

    private final int maxRows;
    private SlotIndex index = new SlotIndex(STRIDE, MIN_ROWS);
    private long[] keys = new long[MIN_ROWS];
    private long[] vertices = new long[MIN_ROWS];
    private int[] widths = new int[MIN_ROWS];
    private int[] labels = new int[MIN_ROWS];
    private int size;
    private int bits;

    /** Receives the vertices of the sample. */
    interface RowConsumer {
        void accept(long vertex, int width, int label);
    }

    ShapeSample() {
        this(MAX_ROWS);
    }

    ShapeSample(int maxRows) {
        this.maxRows = maxRows;
    }

    /** Records the data of a vertex in a shard. */
    void put(int shard, long vertex, int width, int label) {
        long key = Hashing.mix64(shard, vertex);
        int row = index.find(key, keys);
        if (row == VertexTable.NO_SLOT) {
            while (isIn(key) && size == maxRows) {
                thin();
            }
            if (!isIn(key)) {
                return;
            }
            row = insert(key, vertex);
        }
        widths[row] = width;
        labels[row] = label;
    }

    /** Records that a shard has no data of a vertex any more. */
    void gone(int shard, long vertex) {
        int row = index.find(Hashing.mix64(shard, vertex), keys);
        if (row != VertexTable.NO_SLOT) {
            widths[row] = GONE;
        }
    }

    private boolean isIn(long key) {
        return (key & (1L << bits) - 1) == 0;
    }

    private int insert(long key, long vertex) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
            vertices = Arrays.copyOf(vertices, 2 * size);
            widths = Arrays.copyOf(widths, 2 * size);
            labels = Arrays.copyOf(labels, 2 * size);
            index.grow(keys.length, size, keys);
        }
        keys[size] = key;
        vertices[size] = vertex;
        index.insert(key, size);
        return size++;
    }

    private void thin() {
        bits++;
        int kept = 0;
        for (int row = 0; row < size; row++) {
            if (isIn(keys[row])) {
                keys[kept] = keys[row];
                vertices[kept] = vertices[row];
                widths[kept] = widths[row];
                labels[kept++] = labels[row];
            }
        }
        size = kept;
        index = new SlotIndex(STRIDE, keys.length);
        for (int row = 0; row < size; row++) {
            index.insert(keys[row], row);
        }
    }

    /** Passes on the vertices that have data. A vertex with copies in several shards appears several times. */
    void forEach(RowConsumer consumer) {
        for (int row = 0; row < size; row++) {
            if (widths[row] != GONE) {
                consumer.accept(vertices[row], widths[row], labels[row]);
            }
        }
    }

    /** Returns the most frequent number of features, the larger one of two; 0 if no vertex has features. */
    int commonWidth() {
        int[] sorted = Arrays.copyOf(widths, size);
        Arrays.sort(sorted);
        int common = 0;
        int most = 0;
        int count = 0;
        for (int row = 0; row < size; row++) {
            count = row > 0 && sorted[row] == sorted[row - 1] ? count + 1 : 1;
            if (sorted[row] > 0 && count >= most) {
                most = count;
                common = sorted[row];
            }
        }
        return common;
    }

    /** Returns how many vertices have the given number of features. */
    int count(int width) {
        int count = 0;
        for (int row = 0; row < size; row++) {
            count += widths[row] == width ? 1 : 0;
        }
        return count;
    }
}
