package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.feedback.LoopTopic;
import org.jspecify.annotations.Nullable;

/**
 * Parts of a graph that bulk passes place at the same time: each in a thread of the one task of the source, or each in
 * a task of the source.
 *
 * @param count of the parts
 * @param buckets by which messages between tasks are in the topic of updates, {@code count} at least; 0 for threads
 * @param loop the topic of updates, for tasks; null for threads
 */
public record PassParts(int count, int buckets, @Nullable LoopTopic loop) {
    /** All in one task. */
    public static PassParts inThreads(int count) {
        return new PassParts(count, 0, null);
    }

    /** Returns the number of tasks. */
    int tasks() {
        return loop == null ? 1 : count;
    }
}
