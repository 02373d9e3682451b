package io.cutwater.flink.connector.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.types.shard.OutputRow;
import io.cutwater.kafka.book.PartitionBookCodec;
import io.cutwater.kafka.book.PartitionBookEntry;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.VertexBatch;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.DefaultOpenContext;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

final class BookRowsTest {
    @Test
    void aVertexWithoutReplicasIsATombstone() {
        VertexBatch rows = new VertexBatch();
        rows.add(7, 3, 1);
        rows.addReplica(1);
        rows.add(8, 0, 0);
        rows.add(9, 5, -1);
        rows.markDegreeOnly();
        List<OutputRow> bytes = new ArrayList<>();
        BookRows function = new BookRows();
        function.open(DefaultOpenContext.INSTANCE);
        function.flatMap(rows, new ListCollector<>(bytes));

        TopicRecords.Rows book = new TopicRecords.Rows(new Topics(""), null);
        PartitionBookCodec codec = new PartitionBookCodec();
        ProducerRecord<byte[], byte[]> there = book.serialize(Tuple2.of(1, bytes.get(0)), null, null);
        assertThat(codec.decode(there.key(), there.value()))
                .isEqualTo(new PartitionBookEntry(7, 1, new int[] {1}, PartitionBookEntry.NO_CLUSTER, 3));
        ProducerRecord<byte[], byte[]> gone = book.serialize(Tuple2.of(1, bytes.get(1)), null, null);
        assertThat(gone.key()).containsExactly(0, 0, 0, 0, 0, 0, 0, 8);
        assertThat(gone.value()).isNull();
        ProducerRecord<byte[], byte[]> onItsWay = book.serialize(Tuple2.of(1, bytes.get(2)), null, null);
        assertThat(codec.decode(onItsWay.key(), onItsWay.value()))
                .isEqualTo(new PartitionBookEntry(
                        9, PartitionBookEntry.NO_OWNER, new int[] {}, PartitionBookEntry.NO_CLUSTER, 5));
    }
}
