package io.cutwater.flink.connector.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.types.shard.OutputRow;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;

final class ShardWritersTest {
    @Test
    void eachTopicPartitionHasOneWriterAndEachWriterHasSome() {
        ShardWriters writers = new ShardWriters(3, 5, 4, 2);
        SplittableRandom random = new SplittableRandom(7);
        Map<String, Integer> writerOf = new HashMap<>();
        for (int i = 0; i < 2_000; i++) {
            byte[] key = ByteBuffer.allocate(8).putLong(random.nextLong()).array();
            for (OutputRow row : new OutputRow[] {
                OutputRow.ofShard(random.nextInt(64), key), OutputRow.ofBook(key, key), OutputRow.ofText(key, key)
            }) {
                String topicPartition = Math.min(row.shard(), 0) + " " + writers.topicPartition(row);
                int writer = writers.writer(row);
                assertThat(writerOf.merge(topicPartition, writer, (before, now) -> before))
                        .isEqualTo(writer);
            }
        }
        assertThat(writerOf).hasSize(5 + 4 + 2);
        assertThat(writerOf.values()).contains(0, 1, 2);
    }

    @Test
    void keyedRowsGoWhereKafkasProducerSendsThem() {
        ShardWriters writers = new ShardWriters(2, 8, 7, 5);
        for (long vertex = -50; vertex < 50; vertex++) {
            byte[] key = ByteBuffer.allocate(8).putLong(vertex).array();
            assertThat(writers.topicPartition(OutputRow.ofBook(key, key)))
                    .isEqualTo(BuiltInPartitioner.partitionForKey(key, 7));
            assertThat(writers.topicPartition(OutputRow.ofText(key, key)))
                    .isEqualTo(BuiltInPartitioner.partitionForKey(key, 5));
        }
    }
}
