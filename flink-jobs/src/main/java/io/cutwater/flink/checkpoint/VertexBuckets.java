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
    private static final int MOST_INSERTED = 64;

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
        int[] ends = new int[keys.length + 1];
        for (int i = 0; i < count; i++) {
            ends[bucket(vertices[i]) + 1]++;
        }
        for (int bucket = 0; bucket < keys.length; bucket++) {
            ends[bucket + 1] += ends[bucket];
        }
        long[] sorted = new long[count];
        int[] order = new int[count];
        int[] starts = ends.clone();
        for (int i = 0; i < count; i++) {
            int at = starts[bucket(vertices[i])]++;
            sorted[at] = vertices[i] ^ Long.MIN_VALUE;
            order[at] = i;
        }
        for (int bucket = 0; bucket < keys.length; bucket++) {
            int from = ends[bucket];
            int to = ends[bucket + 1];
            if (to - from <= MOST_INSERTED) {
                insert(sorted, order, from, to);
            } else {
                sort(sorted, order, from, to);
            }
        }
        return order;
    }

    /** Sorts a few values, and their positions with them. */
    private static void insert(long[] values, int[] positions, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            long value = values[i];
            int position = positions[i];
            int at = i;
            while (at > from && values[at - 1] > value) {
                values[at] = values[at - 1];
                positions[at] = positions[at - 1];
                at--;
            }
            values[at] = value;
            positions[at] = position;
        }
    }

    private static void sort(long[] values, int[] positions, int from, int to) {
        long[] before = Arrays.copyOfRange(values, from, to);
        int[] positionsBefore = Arrays.copyOfRange(positions, from, to);
        Arrays.sort(values, from, to);
        int[] taken = new int[to - from];
        for (int i = 0; i < before.length; i++) {
            int first = first(values, from, to, before[i]);
            positions[first + taken[first - from]++] = positionsBefore[i];
        }
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
