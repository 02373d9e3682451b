package io.cutwater.flink.checkpoint;

import io.cutwater.state.graph.Hashing;
import java.util.Arrays;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Maps vertices to keys of keyed state: one bucket per key group, so that state spreads evenly over any number of
 * subtasks, and a batch requests its vertices with one request per bucket.
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

    /** Returns the bucket of a vertex, 0 to {@code count() - 1}, which is also its key group. */
    public int bucket(long vertex) {
        return Hashing.bucket(vertex, keys.length);
    }

    /** Returns the key of a bucket in Flink's keyed state. */
    public int key(int bucket) {
        return keys[bucket];
    }

    /**
     * Returns the positions of vertices in the order of the keys in RocksDB: bucket by bucket, and in each by the id's
     * bytes as unsigned numbers. Neighbours in this order share most of the path to them, in memory and on disk.
     *
     * @param vertices ids, the first {@code count} entries; equal ones keep their order
     */
    int[] inStoreOrder(long[] vertices, int count) {
        int[] bucketOf = new int[count];
        int[] ends = new int[keys.length + 1];
        for (int i = 0; i < count; i++) {
            bucketOf[i] = bucket(vertices[i]);
            ends[bucketOf[i] + 1]++;
        }
        Arrays.parallelPrefix(ends, Integer::sum);
        long[] sorted = new long[count];
        int[] starts = ends.clone();
        for (int i = 0; i < count; i++) {
            sorted[starts[bucketOf[i]]++] = vertices[i] ^ Long.MIN_VALUE;
        }
        for (int bucket = 0; bucket < keys.length; bucket++) {
            Arrays.sort(sorted, ends[bucket], ends[bucket + 1]);
        }
        int[] order = new int[count];
        int[] taken = new int[count];
        for (int i = 0; i < count; i++) {
            int first = first(sorted, ends[bucketOf[i]], ends[bucketOf[i] + 1], vertices[i] ^ Long.MIN_VALUE);
            order[first + taken[first]++] = i;
        }
        return order;
    }

    /** Returns the first position of a value between two positions of a sorted array that contains it. */
    private static int first(long[] sorted, int from, int to, long value) {
        int low = from;
        int high = to - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (sorted[middle] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
