package io.cutwater.format.binary;

import io.cutwater.format.file.FileOperations;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A sort in bounded memory, of pairs of signed longs or of rows by the signed long at their beginning. Sorted runs are
 * written to one spill file and merged when read, as often as wanted. Rows with equal keys are kept, in no order.
 */
public final class ExternalSort implements Closeable {
    /** Pairs sorted at once: 16 MiB, and 12 MiB more while a run is being sorted. */
    public static final int RUN_PAIRS = 1 << 20;

    private static final RowLength PAIRS = (rows, at) -> 2 * Long.BYTES;
    private static final int MERGE_BYTES = 32 << 20;
    private static final int MIN_BUFFER_BYTES = 16 << 10;
    private static final int MAX_BUFFER_BYTES = 256 << 10;

    private final Path spill;
    private final FileChannel channel;
    private final RowLength length;
    private final int leastBytes;
    private final long[][] keys;
    private final ByteBuffer pool; // empty for pairs, which their keys hold
    private final int[] offsets;
    private final ByteBuffer out = allocate(MAX_BUFFER_BYTES);
    private final List<long[]> ranges = new ArrayList<>();
    private int pooled;
    private long size;

    /** Returns the length of rows in bytes. */
    @FunctionalInterface
    public interface RowLength {
        /** @param at where a row begins, of which the buffer has at least the fewest bytes of a row */
        int of(ByteBuffer rows, int at);
    }

    private ExternalSort(Path spill, RowLength length, int leastBytes, long[][] keys, int poolBytes)
            throws IOException {
        this.spill = spill;
        this.length = length;
        this.leastBytes = leastBytes;
        this.keys = keys;
        pool = allocate(poolBytes);
        offsets = new int[poolBytes == 0 ? 0 : keys[0].length];
        channel = FileChannel.open(
                spill, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /**
     * Creates a sort of pairs by the first number, then by the second.
     *
     * @param spill a file to create; it is deleted on {@link #close}
     * @param runPairs the number of pairs sorted at once, at least 1
     */
    public static ExternalSort ofPairs(Path spill, int runPairs) throws IOException {
        return new ExternalSort(spill, PAIRS, 2 * Long.BYTES, new long[2][runPairs], 0);
    }

    /**
     * Creates a sort of rows of different lengths.
     *
     * @param spill a file to create; it is deleted on {@link #close}
     * @param leastBytes the fewest bytes of a row, at least 8
     * @param runBytes the bytes of rows sorted at once, room for one row at least
     */
    public static ExternalSort ofRows(Path spill, RowLength length, int leastBytes, int runBytes) throws IOException {
        return new ExternalSort(spill, length, leastBytes, new long[1][runBytes / leastBytes + 1], runBytes);
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Adds a pair, to a sort of pairs. */
    public void add(long first, long second) throws IOException {
        if (pooled == keys[0].length) {
            spillRun();
        }
        keys[0][pooled] = first;
        keys[1][pooled++] = second;
        size++;
    }

    /** Adds the row at a position of a little-endian buffer, to a sort of rows; returns the length of the row. */
    public int add(ByteBuffer rows, int at) throws IOException {
        int bytes = length.of(rows, at);
        if (pool.remaining() < bytes) {
            spillRun();
        }
        keys[0][pooled] = rows.getLong(at);
        offsets[pooled++] = pool.position();
        pool.put(pool.position(), rows, at, bytes).position(pool.position() + bytes);
        size++;
        return bytes;
    }

    private void spillRun() throws IOException {
        long from = channel.position();
        for (int i : LongSort.order(pooled, keys)) {
            int bytes = pool.capacity() == 0 ? 2 * Long.BYTES : length.of(pool, offsets[i]);
            if (out.remaining() < bytes) {
                drain();
            }
            if (pool.capacity() == 0) {
                out.putLong(keys[0][i]).putLong(keys[1][i]);
            } else {
                out.put(out.position(), pool, offsets[i], bytes).position(out.position() + bytes);
            }
        }
        drain();
        ranges.add(new long[] {from, channel.position()});
        pooled = 0;
        pool.clear();
    }

    private void drain() throws IOException {
        FileOperations.write(channel, out.flip(), spill);
        out.clear();
    }

    /** Returns the number of pairs or rows added. */
    public long size() {
        return size;
    }

    /** Returns everything from the first row; rows may be added again only when no reader is in use. */
    public SortedRows sorted() throws IOException {
        if (pooled > 0) {
            spillRun();
        }
        int bufferBytes =
                Math.min(MAX_BUFFER_BYTES, Math.max(MIN_BUFFER_BYTES, MERGE_BYTES / Math.max(1, ranges.size())));
        List<SortedRun> runs = new ArrayList<>(ranges.size());
        for (long[] range : ranges) {
            int bytes = (int) Math.min(bufferBytes, range[1] - range[0]);
            runs.add(new SortedRun(channel, range, allocate(bytes), keys.length, length, leastBytes));
        }
        return new SortedRows(runs);
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            Files.delete(spill);
        }
    }
}
