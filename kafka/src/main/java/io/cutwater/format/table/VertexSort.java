package io.cutwater.format.table;

import io.cutwater.format.binary.FrameReader;
import io.cutwater.format.binary.LongSort;
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
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the staged rows of the partition book by their signed vertex ids in bounded memory: runs of about a million
 * rows are sorted into one spill file and merged when read.
 */
public final class VertexSort implements Closeable {
    /** The bytes of rows in a run: about a million rows at a replication factor of 5. */
    public static final int RUN_BYTES = 32 << 20;

    private static final int MERGE_BYTES = 64 << 20;
    private static final int MIN_BUFFER_BYTES = 16 << 10;
    private static final int MAX_BUFFER_BYTES = 256 << 10;

    private final Path spill;
    private final FileChannel channel;
    private final ByteBuffer pool;
    private final long[] keys;
    private final int[] offsets;
    private final List<long[]> ranges = new ArrayList<>();
    private final PriorityQueue<SortedRun> heads = new PriorityQueue<>(Comparator.comparingLong(SortedRun::vertex));
    private int rowCount;
    private long vertexCount;
    private long replicaTotal;
    private @Nullable SortedRun current;
    private long vertex;

    /**
     * Reads and sorts all rows.
     *
     * @param staged the vertex file of a staging
     * @param spill a file to create; it is deleted on {@link #close}
     * @param runBytes the bytes of rows sorted at once, room for one row at least
     */
    public VertexSort(Path staged, Path spill, int runBytes) throws IOException {
        this.spill = spill;
        long stagedBytes = Files.exists(staged) ? Files.size(staged) : 0;
        pool = allocate((int) Math.min(runBytes, stagedBytes));
        keys = new long[pool.capacity() / VertexRows.headBytes() + 1];
        offsets = new int[keys.length];
        channel = FileChannel.open(
                spill, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        boolean isSorted = false;
        try (FrameReader frames = new FrameReader(staged)) {
            sort(frames);
            isSorted = true;
        } finally {
            if (!isSorted) {
                close();
            }
        }
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void sort(FrameReader frames) throws IOException {
        while (frames.next()) {
            ByteBuffer payload = frames.payload();
            for (int at = 0; at < payload.limit(); ) {
                int replicaCount = VertexRows.replicaCount(payload, at);
                int bytes = VertexRows.bytes(replicaCount);
                if (pool.remaining() < bytes) {
                    spillRun();
                }
                keys[rowCount] = VertexRows.vertex(payload, at);
                offsets[rowCount++] = pool.position();
                pool.put(pool.position(), payload, at, bytes).position(pool.position() + bytes);
                replicaTotal += replicaCount;
                at += bytes;
            }
        }
        spillRun();
        int bufferBytes =
                Math.min(MAX_BUFFER_BYTES, Math.max(MIN_BUFFER_BYTES, MERGE_BYTES / Math.max(1, ranges.size())));
        for (long[] range : ranges) {
            SortedRun run = new SortedRun(channel, range[0], range[1], allocate(bufferBytes));
            if (run.next()) {
                heads.add(run);
            }
        }
    }

    private void spillRun() throws IOException {
        int[] order = LongSort.order(rowCount, keys);
        long from = channel.position();
        ByteBuffer out = allocate(MAX_BUFFER_BYTES);
        for (int i : order) {
            int bytes = VertexRows.bytes(VertexRows.replicaCount(pool, offsets[i]));
            if (out.remaining() < bytes) {
                FileOperations.write(channel, out.flip(), spill);
                out.clear();
            }
            out.put(out.position(), pool, offsets[i], bytes).position(out.position() + bytes);
        }
        FileOperations.write(channel, out.flip(), spill);
        ranges.add(new long[] {from, channel.position()});
        vertexCount += rowCount;
        rowCount = 0;
        pool.clear();
    }

    /**
     * Advances to the next row; returns false at the end.
     *
     * @throws IOException if a vertex was staged twice
     */
    public boolean next() throws IOException {
        SortedRun last = current;
        if (last != null && last.next()) {
            heads.add(last);
        }
        SortedRun head = heads.poll();
        if (head != null && last != null && head.vertex() == vertex) {
            throw new IOException("vertex %d was staged twice, so its replicas are not known".formatted(vertex));
        }
        current = head;
        if (head == null) {
            return false;
        }
        vertex = head.vertex();
        return true;
    }

    public long vertex() {
        return vertex;
    }

    /** Returns the buffer that holds the row; see {@link #at}. */
    public ByteBuffer rows() {
        return Objects.requireNonNull(current).rows();
    }

    /** Returns the position of the row in {@link #rows()}. */
    public int at() {
        return Objects.requireNonNull(current).at();
    }

    /** Returns the number of rows. */
    public long vertexCount() {
        return vertexCount;
    }

    /** Returns the number of replicas in all rows. */
    public long replicaTotal() {
        return replicaTotal;
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            Files.delete(spill);
        }
    }
}
