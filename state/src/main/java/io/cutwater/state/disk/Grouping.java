package io.cutwater.state.disk;

import io.cutwater.state.scratch.ScratchFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * A stable sort of records by dense keys in bounded memory: a counting sort where they fit in memory, otherwise they
 * are dealt out by ranges of keys to the regions of a file first, and each region is sorted by itself. How many records
 * a key has is known before, so regions have no gaps, and nothing is compared or merged, as sorting by arbitrary keys
 * would need.
 */
final class Grouping {
    /** Receives the values of records, without their keys. */
    interface Sink {
        /** @param values the next ones, in the order of the keys; the first {@code length} entries count */
        void accept(int[] values, int length) throws IOException;
    }

    private static final int MAX_REGIONS = 256;
    private static final int READ_INTS = 3 << 14;

    private final ScratchFolder scratch;
    private final String name;
    private final int width;
    private final int[] counts;
    private final int maxInts;
    private final int maxSorted; // records

    /**
     * @param name of scratch files
     * @param width numbers of a record, 2 to 4, the key counted
     * @param counts records of each key, read as they are when grouping begins
     * @param maxInts memory to sort in, in numbers; half as much is used to deal out
     */
    Grouping(ScratchFolder scratch, String name, int width, int[] counts, int maxInts) {
        this.scratch = scratch;
        this.name = name;
        this.width = width;
        this.counts = counts;
        this.maxInts = maxInts;
        maxSorted = Math.max(1, maxInts / (width - 1));
    }

    /** Groups all records; {@code records} is closed. */
    void group(Records records, Sink sink) throws IOException {
        long total = 0;
        for (int count : counts) {
            total += count;
        }
        group(records, 0, counts.length, total, 0, sink);
    }

    private void group(Records records, int low, int high, long total, int depth, Sink sink) throws IOException {
        try (records) {
            if (total <= maxSorted) {
                sort(records, low, high, (int) total, sink);
                return;
            }
            if (high - low == 1) {
                strip(records, sink);
                return;
            }
            dealAndGroup(records, low, high, total, depth, sink);
        }
    }

    private void sort(Records records, int low, int high, int total, Sink sink) throws IOException {
        int values = width - 1;
        int[] next = new int[high - low];
        for (int key = low, start = 0; key < high; key++) {
            next[key - low] = start;
            start += counts[key] * values;
        }
        int[] sorted = new int[total * values];
        int[] read = new int[READ_INTS];
        for (int length; (length = records.read(read)) > 0; ) {
            if (width == 2) { // the neighbours of vertices, by far the most
                for (int i = 0; i < length; i += 2) {
                    sorted[next[read[i] - low]++] = read[i + 1];
                }
            } else {
                for (int i = 0; i < length; i += width) {
                    int to = next[read[i] - low];
                    next[read[i] - low] = to + values;
                    System.arraycopy(read, i + 1, sorted, to, values);
                }
            }
        }
        sink.accept(sorted, sorted.length);
    }

    /** The records of one key, however many, are in their order already. */
    private void strip(Records records, Sink sink) throws IOException {
        int[] read = new int[READ_INTS];
        for (int length; (length = records.read(read)) > 0; ) {
            int end = 0;
            for (int i = 0; i < length; i++) {
                if (i % width != 0) {
                    read[end++] = read[i];
                }
            }
            sink.accept(read, end);
        }
    }

    private void dealAndGroup(Records records, int low, int high, long total, int depth, Sink sink) throws IOException {
        long perRegion = Math.max(maxSorted, (total + MAX_REGIONS - 1) / MAX_REGIONS);
        int[] firsts = new int[2 * MAX_REGIONS + 2];
        long[] starts = new long[firsts.length];
        char[] regions = new char[high - low];
        int regionCount = 0;
        long before = 0;
        firsts[0] = low;
        for (int key = low; key < high; key++) {
            long inRegion = before - starts[regionCount];
            if (inRegion + counts[key] > perRegion && key > firsts[regionCount]) {
                firsts[++regionCount] = key;
                starts[regionCount] = before;
            }
            regions[key - low] = (char) regionCount;
            before += counts[key];
        }
        firsts[++regionCount] = high;
        starts[regionCount] = total;

        String file = name + "-" + depth;
        try (FileChannel dealt = scratch.create(file)) {
            deal(records, low, regions, Arrays.copyOf(starts, regionCount), dealt);
            ByteBuffer buffer = IntReader.buffer();
            for (int region = 0; region < regionCount; region++) {
                Records part =
                        new Region(new IntReader(dealt, buffer, starts[region] * width, starts[region + 1] * width));
                long size = starts[region + 1] - starts[region];
                group(part, firsts[region], firsts[region + 1], size, depth + 1, sink);
            }
        }
        scratch.delete(file);
    }

    /** @param starts where the next record of each region goes; counted up */
    private void deal(Records records, int low, char[] regions, long[] starts, FileChannel dealt) throws IOException {
        int room = Math.max(1, Math.min(1 << 16, maxInts / 2 / starts.length) / width) * width;
        int[] buffers = new int[starts.length * room];
        int[] filled = new int[starts.length];
        ByteBuffer bytes = ByteBuffer.allocateDirect(room * Integer.BYTES).order(ByteOrder.nativeOrder());
        int[] read = new int[READ_INTS];
        for (int length; (length = records.read(read)) > 0; ) {
            for (int i = 0; i < length; i += width) {
                int region = regions[read[i] - low];
                int to = region * room + filled[region];
                for (int j = 0; j < width; j++) {
                    buffers[to + j] = read[i + j];
                }
                filled[region] += width;
                if (filled[region] == room) {
                    write(buffers, region * room, room, bytes, dealt, starts[region]);
                    starts[region] += room / width;
                    filled[region] = 0;
                }
            }
        }
        for (int region = 0; region < starts.length; region++) {
            write(buffers, region * room, filled[region], bytes, dealt, starts[region]);
        }
    }

    private void write(int[] buffers, int from, int length, ByteBuffer bytes, FileChannel dealt, long record)
            throws IOException {
        IntBuffer ints = bytes.clear().asIntBuffer();
        ints.put(buffers, from, length);
        scratch.write(dealt, bytes.limit(length * Integer.BYTES), record * width * Integer.BYTES);
    }

    private final class Region implements Records {
        private final IntReader reader;

        Region(IntReader reader) {
            this.reader = reader;
        }

        @Override
        public int read(int[] into) throws IOException {
            return reader.read(into, 0, into.length / width * width);
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }
}
