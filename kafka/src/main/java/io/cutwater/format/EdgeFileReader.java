package io.cutwater.format;

import io.cutwater.state.graph.EdgeBatch;
import java.io.Closeable;
import java.io.IOException;

/**
 * Reads the edges of one file in order. However the reads are cut, and wherever the file is closed and opened again at
 * {@link #position()}, the same edges and rejected lines come in the same order. Used by one thread.
 */
public interface EdgeFileReader extends Closeable {
    /** Rejected lines after which a read ends, so that a file of garbage does not fill the memory. */
    int MAX_REJECTED_PER_READ = 1024;

    /**
     * Appends up to {@code maxEdges} edges, and the rejected lines between them, to the batch.
     *
     * @param maxEdges at least 1
     * @return false at the end of the file, with nothing added
     * @throws IOException with a sentence, when the file as a whole is not what it should be: cut short, damaged, or at
     *     odds with its own header; the batch may then hold the edges before that place
     */
    boolean read(EdgeBatch batch, int maxEdges) throws IOException;

    /** Where the next read begins. Not defined after a read has failed. */
    EdgeFilePosition position();

    /** Bytes of the (compressed) file consumed so far, including what is read ahead: for progress. */
    long bytesRead();
}
