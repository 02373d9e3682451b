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
 * Sorts pairs of signed longs in bounded memory, by the first number, then by the second. Sorted runs are written to
 * one spill file and merged when read, as often as wanted. Duplicate pairs are kept.
 */
public final class PairSort implements Closeable {
    /** The number of pairs sorted at once: 16 MiB, and 12 MiB more while a run is being sorted. */
    public static final int RUN_PAIRS = 1 << 20;

    static final int PAIR_BYTES = 2 * Long.BYTES;

    private static final int MERGE_BYTES = 32 << 20;
    private static final int MIN_BUFFER_BYTES = 16 << 10;
    private static final int MAX_BUFFER_BYTES = 256 << 10;

    private final Path spill;
    private final FileChannel channel;
    private final ByteBuffer out = allocate(MAX_BUFFER_BYTES);
    private final long[] firsts;
    private final long[] seconds;
    private final List<long[]> ranges = new ArrayList<>();
    private int pooled;
    private long size;

    /**
     * @param spill a file to create; it is deleted on {@link #close}
     * @param runPairs the number of pairs sorted at once, at least 1
     */
    public PairSort(Path spill, int runPairs) throws IOException {
        this.spill = spill;
        firsts = new long[runPairs];
        seconds = new long[runPairs];
        channel = FileChannel.open(
                spill, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    public void add(long first, long second) throws IOException {
        if (pooled == firsts.length) {
            spillRun();
        }
        firsts[pooled] = first;
        seconds[pooled++] = second;
        size++;
    }

    private void spillRun() throws IOException {
        long from = channel.position();
        for (int i : LongSort.order(pooled, firsts, seconds)) {
            if (out.remaining() < PAIR_BYTES) {
                drain();
            }
            out.putLong(firsts[i]).putLong(seconds[i]);
        }
        drain();
        ranges.add(new long[] {from, channel.position()});
        pooled = 0;
    }

    private void drain() throws IOException {
        FileOperations.write(channel, out.flip(), spill);
        out.clear();
    }

    /** Returns the number of pairs added. */
    long size() {
        return size;
    }

    /** Returns all pairs from the first; pairs may be added again only when no reader is in use. */
    public SortedPairs sorted() throws IOException {
        if (pooled > 0) {
            spillRun();
        }
        int bufferBytes =
                Math.min(MAX_BUFFER_BYTES, Math.max(MIN_BUFFER_BYTES, MERGE_BYTES / Math.max(1, ranges.size())));
        return new SortedPairs(channel, ranges, bufferBytes);
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            Files.delete(spill);
        }
    }
}
