package io.cutwater.flink.operator.assigner;

import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import java.io.Serializable;
import java.time.Duration;

/**
 * What the assigner is asked to do.
 *
 * @param kind whether edges or vertices are partitioned
 * @param cacheBytes bound of the vertex table's memory, at least 1
 * @param publishesBook whether changes of replica sets and degrees go out as they happen
 * @param reportsEvery how often quality goes out
 * @param waitLimit how long an edge may wait for others before it is placed, at least 2 ms; zero for as long as the
 *     input goes on, so that what happens does not depend on time
 * @param keepsEdges whether every placed edge is kept in the state, so that it can be removed and moved
 */
public record AssignOptions(
        PartitioningKind kind,
        PartitionerOptions partitioner,
        long cacheBytes,
        boolean publishesBook,
        Duration reportsEvery,
        Duration waitLimit,
        boolean keepsEdges)
        implements Serializable {
    public AssignOptions {
        if (cacheBytes < 1) {
            throw new IllegalArgumentException("cacheBytes must be at least 1: " + cacheBytes);
        }
        if (waitLimit.toMillis() < 2 && !waitLimit.isZero()) {
            throw new IllegalArgumentException("waitLimit must be zero or at least 2 ms: " + waitLimit);
        }
    }

    /** The same for another number of partitions. */
    public AssignOptions withPartitions(int partitions) {
        return new AssignOptions(
                kind,
                partitioner.withPartitions(partitions),
                cacheBytes,
                publishesBook,
                reportsEvery,
                waitLimit,
                keepsEdges);
    }

    /** Of an edge partitioning that keeps no edges, without a limit to waiting. */
    public AssignOptions(
            PartitionerOptions partitioner, long cacheBytes, boolean publishesBook, Duration reportsEvery) {
        this(PartitioningKind.EDGE, partitioner, cacheBytes, publishesBook, reportsEvery, Duration.ZERO, false);
    }
}
