package io.cutwater.flink.checkpoint;

import io.cutwater.state.graph.Hashing;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * The key of a vertex in keyed state: one bucket per key group, so that state spreads evenly over however many subtasks
 * there are, and a batch asks for its vertices with one request per bucket.
 *
 * <p>Flink hashes keys into key groups; {@code keys[g]} is the smallest key that it hashes into group g.
 */
public final class VertexBuckets {
    private final int[] keys;

    /** @param maxParallelism key groups of the job, at least 1 */
    public VertexBuckets(int maxParallelism) {
        keys = new int[maxParallelism];
        boolean[] found = new boolean[maxParallelism];
        int missing = maxParallelism;
        for (int key = 0; missing > 0; key++) {
            int group = KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism);
            if (!found[group]) {
                found[group] = true;
                keys[group] = key;
                missing--;
            }
        }
    }

    public int count() {
        return keys.length;
    }

    /** The bucket of a vertex, 0 to {@code count() - 1}, which is also its key group. */
    public int bucket(long vertex) {
        return Hashing.bucket(vertex, keys.length);
    }

    /** The key in Flink's keyed state of a bucket. */
    public int key(int bucket) {
        return keys[bucket];
    }
}
