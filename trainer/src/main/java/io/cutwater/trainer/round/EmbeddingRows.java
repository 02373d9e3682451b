package io.cutwater.trainer.round;

import io.cutwater.state.graph.Hashing;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Learned rows of vertices with the state of their optimiser (Adam, with a number of steps for each row).
 *
 * @param seed seed of the initial rows; those of vertices without a row here are functions of seed and vertex
 * @param width values of a row, at least 1
 * @param vertices distinct vertices, ascending
 * @param steps number of updates of each row, at least 1
 * @param values rows, one after the other
 * @param means running means of gradients, like {@code values}
 * @param variances running means of squared gradients, like {@code values}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; lists would box every value
public record EmbeddingRows(
        long seed, int width, long[] vertices, int[] steps, float[] values, float[] means, float[] variances) {
    private static final int MAX_WIDTH = 1 << 16;
    private static final int FIRST_NUMBERS = 1 << 16;
    /** Bound of initial values. */
    private static final double BOUND = 0.1;

    /** Returns no rows. */
    public static EmbeddingRows none(long seed, int width) {
        return room(seed, width, 0);
    }

    /** Returns rows to be filled. */
    public static EmbeddingRows room(long seed, int width, int count) {
        int size = Math.multiplyExact(count, width);
        return new EmbeddingRows(
                seed, width, new long[count], new int[count], new float[size], new float[size], new float[size]);
    }

    /** Returns these rows with those of others, which replace the same vertices. Others have distinct vertices. */
    public EmbeddingRows with(List<EmbeddingRows> others) {
        List<EmbeddingRows> all = new ArrayList<>(others);
        all.add(this);
        int[] next = new int[all.size()];
        EmbeddingRows merged = room(seed, width, Math.addExact(vertices.length, newIn(others)));
        for (int to = 0; to < merged.vertices.length; to++) {
            int least = -1; // the first one of equal vertices is that of the others
            for (int each = 0; each < next.length; each++) {
                if (next[each] < all.get(each).vertices.length
                        && (least < 0 || all.get(each).vertices[next[each]] < all.get(least).vertices[next[least]])) {
                    least = each;
                }
            }
            EmbeddingRows from = all.get(least);
            int row = next[least]++;
            int old = all.size() - 1;
            if (least != old && next[old] < vertices.length && vertices[next[old]] == from.vertices[row]) {
                next[old]++;
            }
            merged.vertices[to] = from.vertices[row];
            merged.steps[to] = from.steps[row];
            System.arraycopy(from.values, row * width, merged.values, to * width, width);
            System.arraycopy(from.means, row * width, merged.means, to * width, width);
            System.arraycopy(from.variances, row * width, merged.variances, to * width, width);
        }
        return merged;
    }

    private int newIn(List<EmbeddingRows> others) {
        int count = 0;
        for (EmbeddingRows other : others) {
            for (long vertex : other.vertices) {
                count += find(vertex) < 0 ? 1 : 0;
            }
        }
        return count;
    }

    /** Returns the position of a vertex, negative if it has no row here. */
    public int find(long vertex) {
        return Arrays.binarySearch(vertices, vertex);
    }

    /** Copies the row of a vertex, which is the initial one if it has no row here: uniform within ±0.1. */
    public void copyRow(long vertex, float[] into, int at) {
        int row = find(vertex);
        if (row >= 0) {
            System.arraycopy(values, row * width, into, at, width);
            return;
        }
        long key = Hashing.mix64(seed, vertex);
        for (int i = 0; i < width; i++) {
            double uniform = (Hashing.mix64(key, i) >>> 11) * 0x1p-53; // 0 to 1
            into[at + i] = (float) (BOUND * (2 * uniform - 1));
        }
    }

    /**
     * Writes the seed (8 bytes), the width (4), the number of rows (4), and for each row the vertex (8), the steps (4),
     * the values, the means and the variances (4 each).
     */
    public void write(DataOutput out) throws IOException {
        out.writeLong(seed);
        out.writeInt(width);
        out.writeInt(vertices.length);
        for (int row = 0; row < vertices.length; row++) {
            out.writeLong(vertices[row]);
            out.writeInt(steps[row]);
            for (float[] part : new float[][] {values, means, variances}) {
                for (int i = row * width; i < (row + 1) * width; i++) {
                    out.writeFloat(part[i]);
                }
            }
        }
    }

    /**
     * Reads what {@link #write} wrote. Memory grows with the data actually read, and not with the stated number.
     *
     * @throws IOException if a number is out of range or the data are truncated
     */
    public static EmbeddingRows read(DataInput in) throws IOException {
        long seed = in.readLong();
        int width = in.readInt();
        int count = in.readInt();
        if (width < 1 || width > MAX_WIDTH || count < 0 || (long) count * width > Integer.MAX_VALUE) {
            throw new IOException("there cannot be %d embeddings of %d numbers".formatted(count, width));
        }
        int room = Math.min(count, Math.max(1, FIRST_NUMBERS / width));
        long[] vertices = new long[room];
        int[] steps = new int[room];
        float[][] parts = new float[3][room * width];
        for (int row = 0; row < count; row++) {
            if (row == vertices.length) {
                room = (int) Math.min(count, 2L * row);
                vertices = Arrays.copyOf(vertices, room);
                steps = Arrays.copyOf(steps, room);
                for (int part = 0; part < parts.length; part++) {
                    parts[part] = Arrays.copyOf(parts[part], room * width);
                }
            }
            vertices[row] = in.readLong();
            steps[row] = in.readInt();
            if (steps[row] < 1 || row > 0 && vertices[row] <= vertices[row - 1]) {
                throw new IOException("embedding %d cannot be that of vertex %d after %d steps"
                        .formatted(row, vertices[row], steps[row]));
            }
            for (float[] part : parts) {
                for (int i = row * width; i < (row + 1) * width; i++) {
                    part[i] = in.readFloat();
                }
            }
        }
        return new EmbeddingRows(seed, width, vertices, steps, parts[0], parts[1], parts[2]);
    }
}
