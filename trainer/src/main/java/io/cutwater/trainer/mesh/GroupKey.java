package io.cutwater.trainer.mesh;

import java.util.Comparator;

/**
 * One attempt at a request that needs all shards at the same time. A later one replaces all earlier ones.
 *
 * @param run run of the coordinator
 * @param round number of the round
 * @param attempt number of the attempt, from 1
 */
public record GroupKey(long run, int round, int attempt) implements Comparable<GroupKey> {
    private static final Comparator<GroupKey> ORDER = Comparator.comparingLong(GroupKey::run)
            .thenComparingInt(GroupKey::round)
            .thenComparingInt(GroupKey::attempt);

    @Override
    public int compareTo(GroupKey other) {
        return ORDER.compare(this, other);
    }
}
