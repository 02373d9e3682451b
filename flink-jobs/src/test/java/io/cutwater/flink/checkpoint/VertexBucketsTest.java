package io.cutwater.flink.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class VertexBucketsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 128, 4096})
    void everyBucketIsAKeyGroupOfItsOwn(int maxParallelism) {
        VertexBuckets buckets = new VertexBuckets(maxParallelism);
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            assertThat(KeyGroupRangeAssignment.assignToKeyGroup(buckets.key(bucket), maxParallelism))
                    .isEqualTo(bucket);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1_000_000, Long.MIN_VALUE, Long.MAX_VALUE - 200_000})
    void consecutiveIdsSpreadEvenly(long first) {
        VertexBuckets buckets = new VertexBuckets(128);
        int[] counts = new int[128];
        for (int i = 0; i < 128_000; i++) {
            counts[buckets.bucket(first + i)]++;
        }
        for (int count : counts) {
            assertThat(count).isBetween(850, 1150);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 100, 5_000, 40_000})
    void theOrderIsThatOfBucketsAndUnsignedIdsAndEqualOnesKeepTheirs(int count) {
        VertexBuckets buckets = new VertexBuckets(128);
        SplittableRandom random = new SplittableRandom(count);
        long[] vertices = random.longs(count)
                .map(id -> (id & 1) == 0 ? id : (id >> 1) % (count + 1L)) // half of them small, so some are equal
                .toArray();
        Comparator<Integer> byBucket = Comparator.comparingInt(i -> buckets.bucket(vertices[i]));
        Integer[] expected = IntStream.range(0, count).boxed().toArray(Integer[]::new);
        Arrays.sort(expected, byBucket.thenComparing((i, j) -> Long.compareUnsigned(vertices[i], vertices[j])));
        assertThat(buckets.inStoreOrder(vertices, count))
                .containsExactly(Arrays.stream(expected).mapToInt(i -> i).toArray());
    }
}
