package io.cutwater.flink.checkpoint;

import io.cutwater.format.binary.LongSort;
import io.cutwater.state.feedback.bucket.BucketOrder;
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
        BucketOrder byBucket = new BucketOrder(keys.length);
        byBucket.sort(count, i -> bucket(vertices[i]));
        int[] order = Arrays.copyOf(byBucket.order(), count);
        long[] ids = new long[count];
        for (int i = 0; i < count; i++) {
            ids[i] = vertices[order[i]] ^ Long.MIN_VALUE;
        }
        for (int bucket = 0; bucket < keys.length; bucket++) {
            int from = byBucket.start(bucket);
            int to = byBucket.start(bucket + 1);
            if (to - from <= MOST_INSERTED) {
                insert(ids, order, from, to);
            } else {
                sort(ids, order, from, to);
            }
        }
        return order;
    }

    /** Sorts a few positions by their ids, which move with them, in at most half of the time of {@link LongSort}. */
    private static void insert(long[] ids, int[] positions, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            long id = ids[i];
            int position = positions[i];
            int at = i;
            while (at > from && ids[at - 1] > id) {
                ids[at] = ids[at - 1];
                positions[at] = positions[at - 1];
                at--;
            }
            ids[at] = id;
            positions[at] = position;
        }
    }

    private static void sort(long[] ids, int[] positions, int from, int to) {
        int[] before = Arrays.copyOfRange(positions, from, to);
        int at = from;
        for (int i : LongSort.order(to - from, Arrays.copyOfRange(ids, from, to))) {
            positions[at++] = before[i];
        }
    }
}
