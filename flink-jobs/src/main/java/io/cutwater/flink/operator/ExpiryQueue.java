package io.cutwater.flink.operator;

import io.cutwater.state.store.VarintReader;
import io.cutwater.state.store.VarintWriter;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.MapState;
import org.jspecify.annotations.Nullable;

/**
 * Rows in the order of their times, with those of one slice of time in the order in which they came. The rows of a
 * slice are a list of chunks in the state; each chunk names the next one. Only the newest rows of each slice are in
 * memory.
 *
 * <p>The bytes of a chunk:
 *
 * <pre>
 *   1 byte    version = 1
 *   varint    number of the next chunk of the slice
 *   each row:
 *     varint  its position less that of the row before (of the first: less 0), times 4, plus its kind
 *     varint  its first number
 *     varint  its second number; not of {@link #KEY}
 * </pre>
 */
final class ExpiryQueue {
    /** An edge that entered; its numbers are its ends. */
    static final int EDGE = 0;

    /** The removal of an edge; its numbers are the ends. */
    static final int REMOVAL = 1;

    /** An edge with a key, which is its first number. */
    static final int KEY = 2;

    /** The removal of a vertex, which is both numbers. */
    static final int VERTEX = 3;

    /** Slices of time that a window is divided into, so that few lists are open at a time. */
    static final int SLICES = 1024;

    private static final int VERSION = 1;
    private static final int ROWS_PER_CHUNK = 1024;
    private static final int KIND_BITS = 2;
    private static final long SHORTEST_SLICE = 100;

    /** Receives rows whose time has passed. */
    interface Rows {
        /** @param position number of the row, in the order in which all rows came */
        void accept(int kind, long position, long first, long second) throws Exception;
    }

    private static final class Slice {
        private long firstChunk;
        private long lastChunk; // the one in memory
        private long nextChunk;
        private int rows;
        private long position;
        private final VarintWriter bytes = new VarintWriter();

        private Slice(long chunk) {
            firstChunk = chunk;
            lastChunk = chunk;
        }
    }

    private final MapState<Long, byte[]> chunks;
    private final long sliceMillis;
    /** By the end of each slice, in milliseconds. */
    private final TreeMap<Long, Slice> slices = new TreeMap<>();

    private final VarintReader in = new VarintReader("a chunk of expiring edges", IllegalStateException::new);
    private long chunkCount;
    private @Nullable Slice recent;
    private long recentEnd;

    /**
     * @param chunks by number
     * @param windowMillis time from the oldest row to the newest
     */
    ExpiryQueue(MapState<Long, byte[]> chunks, long windowMillis) {
        this.chunks = chunks;
        sliceMillis = Math.max(SHORTEST_SLICE, windowMillis / SLICES);
    }

    /** Adds a row, which must have a higher position than all before. */
    void add(long time, int kind, long position, long first, long second) throws Exception {
        long end = Math.multiplyExact(Math.floorDiv(time, sliceMillis) + 1, sliceMillis);
        Slice slice = recent;
        if (slice == null || end != recentEnd) {
            slice = slices.computeIfAbsent(end, unused -> new Slice(chunkCount++));
            recent = slice;
            recentEnd = end;
        }
        VarintWriter bytes = slice.bytes;
        if (slice.rows == 0) {
            slice.nextChunk = chunkCount++;
            slice.position = 0;
            bytes.truncate(0);
            bytes.writeByte(VERSION);
            bytes.write(slice.nextChunk);
        }
        bytes.write(position - slice.position << KIND_BITS | kind);
        bytes.write(first);
        if (kind != KEY) {
            bytes.write(second);
        }
        slice.position = position;
        if (++slice.rows == ROWS_PER_CHUNK) {
            flush(slice);
        }
    }

    private void flush(Slice slice) throws Exception {
        if (slice.rows > 0) {
            chunks.put(slice.lastChunk, slice.bytes.toBytes());
            slice.lastChunk = slice.nextChunk;
            slice.rows = 0;
        }
    }

    /** Returns the time by which the oldest rows have all passed; {@link Long#MAX_VALUE} if there is none. */
    long oldest() {
        return slices.isEmpty() ? Long.MAX_VALUE : slices.firstKey();
    }

    /**
     * Hands out the rows before a time, chunk by chunk, until there are at least {@code limit}; they leave the queue.
     *
     * @return rows that were handed out
     */
    long poll(long time, long limit, Rows rows) throws Exception {
        long count = 0;
        while (count < limit && oldest() <= time) {
            Slice slice = slices.firstEntry().getValue();
            if (slice.firstChunk == slice.lastChunk) {
                slices.pollFirstEntry();
                recent = null;
                if (slice.rows > 0) {
                    in.start(slice.bytes.toBytes());
                    readNext();
                    count += read(rows);
                }
                continue;
            }
            long number = slice.firstChunk;
            byte[] chunk = chunks.get(number);
            if (chunk == null) {
                throw new IllegalStateException(
                        "chunk %d of the expiring edges is missing; the checkpoint is damaged, so go on from another one"
                                .formatted(number));
            }
            chunks.remove(number);
            in.start(chunk);
            slice.firstChunk = readNext();
            count += read(rows);
        }
        return count;
    }

    private long readNext() {
        int version = in.readByte();
        if (version != VERSION) {
            throw new IllegalStateException(
                    "a chunk of expiring edges of version %d; this build reads %d".formatted(version, VERSION));
        }
        return in.read();
    }

    private long read(Rows rows) throws Exception {
        long count = 0;
        long position = 0;
        while (in.remaining() > 0) {
            long head = in.read();
            int kind = (int) head & (1 << KIND_BITS) - 1;
            position += head >>> KIND_BITS;
            long first = in.read();
            rows.accept(kind, position, first, kind == KEY ? 0 : in.read());
            count++;
        }
        return count;
    }

    /** Writes all rows to the state; returns the slices as {@link #restore} reads them, 8 bytes a number. */
    byte[] snapshot() throws Exception {
        ByteBuffer out = ByteBuffer.allocate(Long.BYTES + 3 * Long.BYTES * slices.size());
        for (Map.Entry<Long, Slice> entry : slices.entrySet()) {
            Slice slice = entry.getValue();
            flush(slice);
            out.putLong(entry.getKey()).putLong(slice.firstChunk).putLong(slice.lastChunk);
        }
        return out.putLong(chunkCount).array();
    }

    void restore(ByteBuffer stored) {
        while (stored.remaining() > Long.BYTES) {
            long end = stored.getLong();
            Slice slice = new Slice(stored.getLong());
            slice.lastChunk = stored.getLong();
            slices.put(end, slice);
        }
        chunkCount = stored.getLong();
    }
}
