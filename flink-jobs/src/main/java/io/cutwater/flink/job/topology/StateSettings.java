package io.cutwater.flink.job.topology;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.state.rocksdb.RocksDBConfigurableOptions;
import org.rocksdb.CompactionStyle;

/** State backend settings of every job; {@code deploy/docs/reference/benchmarks-speed.md} has the figures. */
public final class StateSettings {
    private static final MemorySize WRITE_BUFFER = MemorySize.ofMebiBytes(8);
    private static final int WRITE_BUFFERS = 4;

    private StateSettings() {}

    /**
     * Returns the additional settings of a job that keeps edges, which writes many rows and seldom reads them. Levelled
     * compaction would write each row about ten times and delay writes.
     */
    static Configuration ofKeptEdges() {
        Configuration settings = new Configuration();
        settings.set(RocksDBConfigurableOptions.COMPACTION_STYLE, CompactionStyle.UNIVERSAL);
        return settings;
    }

    public static void apply(Configuration settings) {
        settings.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
        settings.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        // A batch and the views of its vertices must be on the same side of a barrier.
        settings.set(CheckpointingOptions.ENABLE_UNALIGNED, false);
        // Reads are of single vertices: a filter spares them the files that have no such vertex.
        settings.set(RocksDBConfigurableOptions.USE_BLOOM_FILTER, true);
        // A skip list that the processor's caches hold is searched faster than one of 64 MB, and what a checkpoint must
        // empty before the stream goes on is less. More of them, so that a burst of evictions need not wait.
        settings.set(RocksDBConfigurableOptions.WRITE_BUFFER_SIZE, WRITE_BUFFER);
        settings.set(RocksDBConfigurableOptions.MAX_WRITE_BUFFER_NUMBER, WRITE_BUFFERS);
    }
}
