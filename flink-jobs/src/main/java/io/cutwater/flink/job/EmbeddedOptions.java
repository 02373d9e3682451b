package io.cutwater.flink.job;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Options of an embedded cluster.
 *
 * @param workFolder for RocksDB, checkpoints and temporary files; the caller removes it
 * @param checkpointInterval time from one checkpoint to the next
 * @param managedMemoryBytes memory of RocksDB
 * @param restarts number of restarts from the last checkpoint before a failed job ends
 */
public record EmbeddedOptions(Path workFolder, Duration checkpointInterval, long managedMemoryBytes, int restarts) {}
