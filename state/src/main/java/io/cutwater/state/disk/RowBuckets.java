package io.cutwater.state.disk;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.scratch.ScratchFolder;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * Rows of an input in a file, dealt by the hash of their two ends to buckets: all rows of an edge are in one, in the
 * order in which they came. The file is in blocks, each of one bucket; a row takes 24 bytes.
 */
final class RowBuckets implements Closeable {
    static final int BUCKETS = 64;

    private static final int WIDTH = 6; // both ends and the number of the row, in two halves each
    private static final int BLOCK_ROWS = 680;
    private static final int BLOCK_INTS = BLOCK_ROWS * WIDTH;
    private static final long BLOCK_BYTES = (long) BLOCK_INTS * Integer.BYTES;

    private final ScratchFolder scratch;
    private final String name;
    private final int depth;
    private final FileChannel file;
    private final ByteBuffer bytes =
            ByteBuffer.allocate(BLOCK_INTS * Integer.BYTES).order(ByteOrder.nativeOrder());
    private final int[][] buffers = new int[BUCKETS][];
    private final int[][] blocks = new int[BUCKETS][];
    private final long[] rows = new long[BUCKETS];
    private int blockCount;

    /** @param depth rows that are in one bucket at a depth are spread over several at the next one */
    RowBuckets(ScratchFolder scratch, String name, int depth) throws IOException {
        this.scratch = scratch;
        this.name = name + "-" + depth;
        this.depth = depth;
        file = scratch.create(this.name);
    }

    /** @param row its number, with anything in the sign */
    void add(long source, long target, long row) throws IOException {
        int bucket = Hashing.reduce(Hashing.mix64(depth, source, target), BUCKETS);
        int[] buffer = buffers[bucket];
        if (buffer == null) {
            buffer = new int[BLOCK_INTS];
            buffers[bucket] = buffer;
        }
        int at = (int) (rows[bucket]++ % BLOCK_ROWS) * WIDTH;
        buffer[at] = (int) (source >>> Integer.SIZE);
        buffer[at + 1] = (int) source;
        buffer[at + 2] = (int) (target >>> Integer.SIZE);
        buffer[at + 3] = (int) target;
        buffer[at + 4] = (int) (row >>> Integer.SIZE);
        buffer[at + 5] = (int) row;
        if (at + WIDTH == BLOCK_INTS) {
            write(bucket, buffer, BLOCK_INTS);
        }
    }

    private void write(int bucket, int[] buffer, int length) throws IOException {
        int blocksBefore = (int) ((rows[bucket] - 1) / BLOCK_ROWS);
        int[] ofBucket = blocks[bucket] == null ? new int[1] : blocks[bucket];
        if (blocksBefore == ofBucket.length) {
            ofBucket = Arrays.copyOf(ofBucket, 2 * blocksBefore);
        }
        ofBucket[blocksBefore] = blockCount;
        blocks[bucket] = ofBucket;
        bytes.clear().asIntBuffer().put(buffer, 0, length);
        scratch.write(file, bytes.limit(length * Integer.BYTES), blockCount++ * BLOCK_BYTES);
    }

    /** Ends the adding, which comes before all reading. */
    void finish() throws IOException {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int inLast = (int) (rows[bucket] % BLOCK_ROWS);
            if (inLast > 0) {
                write(bucket, buffers[bucket], inLast * WIDTH);
            }
            buffers[bucket] = null;
        }
    }

    long rows(int bucket) {
        return rows[bucket];
    }

    /** Begins to read a bucket. One is read at a time. */
    Reader read(int bucket) {
        return new Reader(bucket);
    }

    /** A cursor over rows, which starts before the first. */
    final class Reader {
        private final int bucket;
        private final int[] block = new int[BLOCK_INTS];
        private long next;
        private int at = BLOCK_INTS - WIDTH;

        private Reader(int bucket) {
            this.bucket = bucket;
        }

        boolean next() throws IOException {
            if (next == rows[bucket]) {
                return false;
            }
            at += WIDTH;
            if (at == BLOCK_INTS) {
                load((int) (next / BLOCK_ROWS));
                at = 0;
            }
            next++;
            return true;
        }

        private void load(int number) throws IOException {
            int length = (int) Math.min(BLOCK_ROWS, rows[bucket] - next) * WIDTH;
            bytes.clear().limit(length * Integer.BYTES);
            for (long from = blocks[bucket][number] * BLOCK_BYTES; bytes.hasRemaining(); ) {
                int read = file.read(bytes, from);
                if (read < 0) {
                    throw new EOFException("a scratch file became shorter: nobody else may change them");
                }
                from += read;
            }
            bytes.flip().asIntBuffer().get(block, 0, length);
        }

        long source() {
            return joined(at);
        }

        long target() {
            return joined(at + 2);
        }

        long row() {
            return joined(at + 4);
        }

        private long joined(int first) {
            return (long) block[first] << Integer.SIZE | block[first + 1] & 0xFFFFFFFFL;
        }
    }

    /** Deletes the file. */
    @Override
    public void close() throws IOException {
        file.close();
        scratch.delete(name);
    }
}
