package io.cutwater.kafka.progress;

import io.cutwater.kafka.ingest.EdgeFileIngest;

/** Is told how an {@link EdgeFileIngest} goes on; called by several threads, but by one at a time. */
public interface IngestListener {
    /**
     * Called after every few thousand edges.
     *
     * @param edges that this run has sent so far, of all files
     * @param share of the files' bytes that are read, those of earlier runs included, 0 to 1
     */
    void progress(long edges, double share);

    /** One sentence: a file is skipped, or goes on where an earlier run stopped. */
    void note(String sentence);
}
