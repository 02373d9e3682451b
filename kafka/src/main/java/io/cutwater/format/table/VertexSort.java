package io.cutwater.format.table;

import io.cutwater.format.binary.ExternalSort;
import io.cutwater.format.binary.FrameReader;
import io.cutwater.format.binary.SortedRows;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** The staged rows of the partition book in ascending order of their signed vertex ids, sorted in bounded memory. */
public final class VertexSort implements Closeable {
    /** The bytes of rows in a run: about a million rows at a replication factor of 5. */
    public static final int RUN_BYTES = 32 << 20;

    private final ExternalSort sort;
    private final SortedRows rows;
    private long replicaTotal;
    private boolean isStarted;
    private long vertex;

    /**
     * Reads and sorts all rows.
     *
     * @param staged the vertex file of a staging
     * @param spill a file to create; it is deleted on {@link #close}
     * @param runBytes the bytes of rows sorted at once, room for one row at least
     */
    public VertexSort(Path staged, Path spill, int runBytes) throws IOException {
        long stagedBytes = Files.exists(staged) ? Files.size(staged) : 0;
        sort = ExternalSort.ofRows(
                spill, (rows, at) -> VertexRows.bytes(VertexRows.replicaCount(rows, at)), VertexRows.headBytes(), (int)
                        Math.min(runBytes, Math.max(1, stagedBytes)));
        boolean isSorted = false;
        try (FrameReader frames = new FrameReader(staged)) {
            while (frames.next()) {
                ByteBuffer payload = frames.payload();
                for (int at = 0; at < payload.limit(); ) {
                    replicaTotal += VertexRows.replicaCount(payload, at);
                    at += sort.add(payload, at);
                }
            }
            rows = sort.sorted();
            isSorted = true;
        } finally {
            if (!isSorted) {
                close();
            }
        }
    }

    /**
     * Advances to the next row; returns false at the end.
     *
     * @throws IOException if a vertex was staged twice
     */
    public boolean next() throws IOException {
        if (!rows.next()) {
            return false;
        }
        if (isStarted && rows.first() == vertex) {
            throw new IOException("vertex %d was staged twice, so its replicas are not known".formatted(vertex));
        }
        isStarted = true;
        vertex = rows.first();
        return true;
    }

    public long vertex() {
        return vertex;
    }

    /** Returns the buffer that holds the row; see {@link #at}. */
    public ByteBuffer rows() {
        return rows.rows();
    }

    /** Returns the position of the row in {@link #rows()}. */
    public int at() {
        return rows.at();
    }

    /** Returns the number of rows. */
    public long vertexCount() {
        return sort.size();
    }

    /** Returns the number of replicas in all rows. */
    public long replicaTotal() {
        return replicaTotal;
    }

    @Override
    public void close() throws IOException {
        sort.close();
    }
}
