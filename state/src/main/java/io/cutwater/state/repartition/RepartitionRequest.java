package io.cutwater.state.repartition;

import io.cutwater.state.partition.PartitionerOptions;

/**
 * The request for a re-partitioning.
 *
 * @param options of the placement that is wanted, with its number of partitions
 * @param partitionsBefore how many there are now
 * @param budget edges that may change their shard, as a share of all, above 0; 1 for all of them
 */
public record RepartitionRequest(PartitionerOptions options, int partitionsBefore, double budget) {
    public RepartitionRequest {
        if (!(budget > 0 && budget <= 1)) {
            throw new IllegalArgumentException("budget must be above 0 and at most 1: " + budget);
        }
    }
}
