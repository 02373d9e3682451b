package io.cutwater.flink.job;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How an embedded cluster runs a job.
 *
 * @param workFolder for RocksDB, checkpoints and temporary files; the caller removes it
 * @param checkpointInterval time from one checkpoint to the next
 * @param managedMemoryBytes memory of RocksDB
 * @param restarts how often a failed job goes on from its last checkpoint before it gives up
 */
public record EmbeddedOptions(Path workFolder, Duration checkpointInterval, long managedMemoryBytes, int restarts) {}
