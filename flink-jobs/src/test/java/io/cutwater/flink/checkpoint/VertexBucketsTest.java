package io.cutwater.flink.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

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
}
