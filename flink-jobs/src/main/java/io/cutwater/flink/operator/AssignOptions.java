package io.cutwater.flink.operator;

import io.cutwater.state.partition.PartitionerOptions;
import java.io.Serializable;
import java.time.Duration;

/**
 * What the assigner is asked to do.
 *
 * @param cacheBytes bound of the vertex table's memory, at least 1
 * @param publishesBook whether changes of replica sets go out as they happen
 * @param reportsEvery how often quality goes out
 */
public record AssignOptions(
        PartitionerOptions partitioner, long cacheBytes, boolean publishesBook, Duration reportsEvery)
        implements Serializable {
    public AssignOptions {
        if (cacheBytes < 1) {
            throw new IllegalArgumentException("cacheBytes must be at least 1: " + cacheBytes);
        }
    }
}
