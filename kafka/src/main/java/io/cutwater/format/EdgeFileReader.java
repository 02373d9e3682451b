package io.cutwater.format;

import io.cutwater.state.graph.EdgeBatch;
import java.io.Closeable;
import java.io.IOException;

/**
 * Reads the edges of one file in order. The edges and rejected lines and their order do not depend on the sizes of the
 * reads, nor on closing the file and opening it again at {@link #position()}. Not thread-safe.
 */
public interface EdgeFileReader extends Closeable {
    /** The number of rejected lines after which a read ends, so that a malformed file does not fill the memory. */
    int MAX_REJECTED_PER_READ = 1024;

    /**
     * Appends up to {@code maxEdges} edges, and the rejected lines between them, to the batch.
     *
     * @param maxEdges at least 1
     * @return false at the end of the file, with nothing added
     * @throws IOException if the file as a whole is damaged, truncated, or contradicts its own header; the batch may
     *     then hold the edges before that place; the message is meant for users
     */
    boolean read(EdgeBatch batch, int maxEdges) throws IOException;

    /** Returns the position of the next read. Undefined after a failed read. */
    EdgeFilePosition position();

    /** Returns the bytes of the (compressed) file read so far, including read-ahead: for progress. */
    long bytesRead();
}
