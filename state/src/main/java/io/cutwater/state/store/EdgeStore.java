package io.cutwater.state.store;

/** A store of seen edges outside the heap: RocksDB in the job. */
public interface EdgeStore {
    /** The answer of {@link #read} for an edge that was never written. */
    int NEVER = -1;

    /** The pass that the edge was last written for, or {@link #NEVER}. */
    int read(long source, long target);

    /**
     * Writes edges as seen in a pass.
     *
     * @param sources the first {@code count} entries, in no order
     * @param targets targets of the edges
     */
    void write(long[] sources, long[] targets, int count, int pass);
}
