package io.cutwater.state.feedback.bucket;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/** The numbers 0, 1, 2 … in the order of the bucket that each belongs to: a stable counting sort. */
public final class BucketOrder {
    /** The bucket of a number that is left out. */
    public static final int NOWHERE = -1;

    /** Receives the vertices of a bucket, perhaps none, with a word for each. */
    @FunctionalInterface
    public interface BucketConsumer {
        void accept(int bucket, VertexBatch vertices, long[] words);
    }

    private final int[] starts;
    private int[] bucketOf = new int[0];
    private int[] order = new int[0];

    /** @param buckets at least 1 */
    public BucketOrder(int buckets) {
        starts = new int[buckets + 1];
    }

    /**
     * Sorts the numbers from 0 to {@code size} − 1.
     *
     * @param bucket returns the bucket of a number, or {@link #NOWHERE}
     */
    public void sort(int size, IntUnaryOperator bucket) {
        if (order.length < size) {
            bucketOf = new int[size + (size >> 1)];
            order = new int[bucketOf.length];
        }
        Arrays.fill(starts, 0);
        for (int i = 0; i < size; i++) {
            bucketOf[i] = bucket.applyAsInt(i);
            if (bucketOf[i] != NOWHERE) {
                starts[bucketOf[i] + 1]++;
            }
        }
        for (int b = 1; b < starts.length; b++) {
            starts[b] += starts[b - 1];
        }
        int sorted = starts[starts.length - 1];
        for (int i = size - 1; i >= 0; i--) {
            if (bucketOf[i] != NOWHERE) {
                // Filled from the end, each bound moves down to where its bucket begins.
                order[--starts[bucketOf[i] + 1]] = i;
            }
        }
        System.arraycopy(starts, 1, starts, 0, starts.length - 1);
        starts[starts.length - 1] = sorted;
    }

    /**
     * Sorts vertices and passes them on, bucket by bucket.
     *
     * @param count how many there are
     * @param vertices returns the vertex of a number
     * @param words one for each vertex
     */
    public void forEachBucket(int count, IntToLongFunction vertices, long[] words, BucketConsumer consumer) {
        int buckets = starts.length - 1;
        sort(count, i -> Hashing.bucket(vertices.applyAsLong(i), buckets));
        for (int bucket = 0; bucket < buckets; bucket++) {
            int from = start(bucket);
            int size = start(bucket + 1) - from;
            VertexBatch own = new VertexBatch(size);
            long[] ofBucket = new long[size];
            for (int i = 0; i < size; i++) {
                own.add(vertices.applyAsLong(at(from + i)), 0, VertexTable.NO_MASTER);
                ofBucket[i] = words[at(from + i)];
            }
            consumer.accept(bucket, own, ofBucket);
        }
    }

    /** Returns the position at which a bucket begins; it ends where the next one begins. */
    public int start(int bucket) {
        return starts[bucket];
    }

    /** Returns the number at a position. */
    public int at(int position) {
        return order[position];
    }

    /** Returns the numbers by position; not changed until the next sort. */
    public int[] order() {
        return order;
    }
}
