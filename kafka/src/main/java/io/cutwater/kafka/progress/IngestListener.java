package io.cutwater.kafka.progress;

/** Receives the progress of an ingest; several threads call it, but one at a time. */
public interface IngestListener {
    /**
     * Called after every few thousand edges.
     *
     * @param edges sent by this run so far, of all files
     * @param share of the files' bytes that are read, including those of earlier runs, 0 to 1
     */
    void progress(long edges, double share);

    /** Receives a sentence for users: a file is skipped, or resumed where an earlier run stopped. */
    void note(String sentence);
}
