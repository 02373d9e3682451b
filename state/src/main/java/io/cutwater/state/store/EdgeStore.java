package io.cutwater.state.store;

/** Where edges that were seen are kept beyond memory: RocksDB in the job. */
public interface EdgeStore {
    /** What {@link #read} returns for an edge that was never written. */
    int NEVER = -1;

    /** The pass that the edge was last written for, or {@link #NEVER}. */
    int read(long source, long target);

    /**
     * Writes edges as seen in a pass.
     *
     * @param sources the first {@code count} entries, in no order
     * @param targets likewise
     */
    void write(long[] sources, long[] targets, int count, int pass);
}
