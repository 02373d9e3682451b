package io.cutwater.flink.connector.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.connector.transaction.fate.PendingTransaction;
import io.cutwater.flink.connector.transaction.fate.TopicOffsets;
import java.io.IOException;
import java.util.List;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.connector.kafka.sink.internal.CheckpointTransaction;
import org.apache.flink.connector.kafka.sink.internal.TransactionOwnership;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

final class WriterStateSerializerTest {
    private static final KafkaWriterState CONNECTOR = new KafkaWriterState(
            "cutwater-shards",
            0,
            1,
            TransactionOwnership.IMPLICIT_BY_SUBTASK_ID,
            List.of(new CheckpointTransaction("cutwater-shards-0-7", 7)));

    private final SimpleVersionedSerializer<KafkaWriterState> connector = KafkaSink.<byte[]>builder()
            .setBootstrapServers("127.0.0.1:1")
            .setRecordSerializer((element, context, timestamp) -> new ProducerRecord<>("shards", element))
            .build()
            .getWriterStateSerializer();
    private final WriterStateSerializer serializer = new WriterStateSerializer(connector);

    @Test
    void readsWhatItWrote() throws Exception {
        TopicOffsets offsets = new TopicOffsets();
        for (long offset : new long[] {3, 4, 5, 9, 10, 12}) {
            offsets.add("shards", 2, offset);
            offsets.add("partition-book", 0, offset);
        }
        offsets.add("shards", 0, 1L << 40);
        PendingTransaction pending = new PendingTransaction("cutwater-shards-0-7", 5L << 32, (short) 3, 1_000, offsets);

        byte[] bytes = serializer.serialize(new WriterState(CONNECTOR, "job", List.of(pending)));
        WriterState read = serializer.deserialize(serializer.getVersion(), bytes);

        assertThat(read.connector()).isEqualTo(CONNECTOR);
        assertThat(read.job()).isEqualTo("job");
        PendingTransaction first = read.pending().get(0);
        assertThat(first).usingRecursiveComparison().ignoringFields("offsets").isEqualTo(pending);
        assertThat(first.offsets().count()).isEqualTo(13);
        assertThat(serializer.serialize(read)).isEqualTo(bytes);
    }

    @Test
    void theStateOfAnEarlierBuildNamesItsTransactions() throws Exception {
        WriterState read = serializer.deserialize(connector.getVersion(), connector.serialize(CONNECTOR));

        assertThat(read.connector()).isEqualTo(CONNECTOR);
        assertThat(read.job()).isEmpty();
        assertThat(read.pending()).hasSize(1).allMatch(PendingTransaction::isKnownById);
        assertThat(read.pending().get(0).transactionalId()).isEqualTo("cutwater-shards-0-7");
    }

    @Test
    void refusesTheStateOfALaterBuild() {
        assertThatThrownBy(() -> serializer.deserialize(serializer.getVersion() + 1, new byte[8]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("resume the job with the build that wrote it");
    }
}
