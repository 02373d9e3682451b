package io.cutwater.format.table;

import io.cutwater.format.binary.FrameReader;
import io.cutwater.format.binary.StagedFiles;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;

/**
 * Staged edges of one shard. A frame is columns of longs: sources, targets, then weights (as the bits of a double),
 * timestamps and keys if the flags say so. In a vertex partitioning a column of ints follows with the owners of both
 * endpoints, encoded by {@link Place}.
 */
public final class EdgeFrames implements Closeable {
    public static final int WEIGHTS = 1;
    public static final int TIMESTAMPS = 2;
    public static final int OWNERS = 4;
    public static final int KEYS = 8;

    private final FrameReader frames;
    private ByteBuffer payload = ByteBuffer.allocate(0);
    private LongBuffer columns = LongBuffer.allocate(0);
    private int size;

    public EdgeFrames(Path file) throws IOException {
        frames = new FrameReader(file);
    }

    /** Appends the edges of a batch, in several frames if they exceed the buffer. */
    public static void append(StagedFiles files, int file, EdgeBatch edges) throws IOException {
        int flags = flags(edges);
        int edgeBytes = edgeBytes(flags);
        int maxEdges = (files.bufferBytes() - FrameReader.HEADER_BYTES) / edgeBytes;
        for (int from = 0; from < edges.size(); ) {
            int count = Math.min(maxEdges, edges.size() - from);
            int bytes = count * edgeBytes;
            ByteBuffer out = files.room(file, FrameReader.HEADER_BYTES + bytes);
            out.putLong(FrameReader.header(flags, bytes));
            out.asLongBuffer().put(edges.sources(), from, count).put(edges.targets(), from, count);
            out.position(out.position() + 2 * count * Long.BYTES);
            if ((flags & WEIGHTS) != 0) {
                for (int i = from; i < from + count; i++) {
                    out.putDouble(edges.weight(i));
                }
            }
            if ((flags & TIMESTAMPS) != 0) {
                for (int i = from; i < from + count; i++) {
                    out.putLong(edges.timestamp(i));
                }
            }
            if ((flags & KEYS) != 0) {
                for (int i = from; i < from + count; i++) {
                    out.putLong(edges.key(i));
                }
            }
            if ((flags & OWNERS) != 0) {
                for (int i = from; i < from + count; i++) {
                    out.putInt(edges.place(i));
                }
            }
            from += count;
        }
    }

    // A column without a value is omitted, even if the batch has it: the files depend on the edges alone.
    private static int flags(EdgeBatch edges) {
        int flags = edges.hasPlaces() ? OWNERS : 0;
        for (int i = 0; i < edges.size() && edges.hasWeights() && (flags & WEIGHTS) == 0; i++) {
            flags |= Double.isNaN(edges.weight(i)) ? 0 : WEIGHTS;
        }
        for (int i = 0; i < edges.size() && edges.hasTimestamps() && (flags & TIMESTAMPS) == 0; i++) {
            flags |= edges.timestamp(i) == EdgeBatch.NO_TIMESTAMP ? 0 : TIMESTAMPS;
        }
        for (int i = 0; i < edges.size() && edges.hasKeys() && (flags & KEYS) == 0; i++) {
            flags |= edges.key(i) == EdgeBatch.NO_KEY ? 0 : KEYS;
        }
        return flags;
    }

    private static int columnCount(int flags) {
        return 2 + Integer.bitCount(flags & (WEIGHTS | TIMESTAMPS | KEYS));
    }

    private static int edgeBytes(int flags) {
        return columnCount(flags) * Long.BYTES + ((flags & OWNERS) == 0 ? 0 : Integer.BYTES);
    }

    /** Advances to the next frame; returns false at the end. */
    public boolean next() throws IOException {
        if (!frames.next()) {
            return false;
        }
        size = frames.payloadBytes() / edgeBytes(frames.kind());
        payload = frames.payload();
        columns = payload.asLongBuffer();
        return true;
    }

    /** Returns those of {@link #WEIGHTS}, {@link #TIMESTAMPS}, {@link #KEYS} and {@link #OWNERS} that the frame has. */
    public int flags() {
        return frames.kind();
    }

    /** Returns the number of edges in the frame. */
    public int size() {
        return size;
    }

    public long source(int i) {
        return columns.get(i);
    }

    public long target(int i) {
        return columns.get(size + i);
    }

    /** Returns the weight, {@link Double#NaN} for none. */
    public double weight(int i) {
        return (flags() & WEIGHTS) == 0 ? Double.NaN : Double.longBitsToDouble(columns.get(2 * size + i));
    }

    /** Returns the timestamp, {@link EdgeBatch#NO_TIMESTAMP} for none. */
    public long timestamp(int i) {
        return (flags() & TIMESTAMPS) == 0
                ? EdgeBatch.NO_TIMESTAMP
                : columns.get((columnCount(flags() & ~KEYS) - 1) * size + i);
    }

    /** Returns the key, {@link EdgeBatch#NO_KEY} for none. */
    public long key(int i) {
        return (flags() & KEYS) == 0 ? EdgeBatch.NO_KEY : columns.get((columnCount(flags()) - 1) * size + i);
    }

    /** Returns the owners of both endpoints, in a frame with {@link #OWNERS}. */
    int owners(int i) {
        return payload.getInt(columnCount(flags()) * size * Long.BYTES + i * Integer.BYTES);
    }

    /**
     * Returns whether the shard has the edge only because it owns the target. The shard that owns the source has the
     * edge, too, so skip it here to see each edge of the input once. Always false in an edge partitioning.
     */
    public boolean isSecond(int shard, int i) {
        return (flags() & OWNERS) != 0 && Place.ofSource(owners(i)) != shard;
    }

    /** Returns the bytes of column 0 (sources) or 1 (targets). */
    public ByteBuffer endColumn(int column) {
        return frames.payload().slice(column * size * Long.BYTES, size * Long.BYTES);
    }

    @Override
    public void close() throws IOException {
        frames.close();
    }
}
