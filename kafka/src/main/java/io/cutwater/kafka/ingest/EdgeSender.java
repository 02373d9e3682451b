package io.cutwater.kafka.ingest;

import io.cutwater.kafka.client.DeadLetterRecords;
import io.cutwater.kafka.client.RecordSender;
import io.cutwater.kafka.event.EdgeEventEncoder;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.progress.RateLimit;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.text.VertexTexts;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches of edges at a limited rate. Edges with keys go to the topic partition of their key, so that those with
 * the same key keep their order. Not thread-safe.
 */
final class EdgeSender {
    private final IngestOptions options;
    private final RateLimit rate;
    private final RecordSender records;
    private final EdgeEventEncoder encoder;
    private final List<EdgeBatch> byPartition = new ArrayList<>();

    EdgeSender(IngestOptions options, RateLimit rate, RecordSender records) {
        this.options = options;
        this.rate = rate;
        this.records = records;
        encoder = options.format().encoder();
    }

    /** Sends the edges, and the rejected records as dead letters. */
    void send(EdgeBatch batch) {
        if (options.operation() == EdgeOperation.REMOVE) {
            for (int i = 0; i < batch.size(); i++) {
                batch.setRemoval(i);
            }
        }
        if (batch.hasKeys()) {
            sendByKey(batch);
        } else {
            send(batch, null);
        }
        for (RejectedRecord record : batch.rejected()) {
            records.send(DeadLetterRecords.toRecord(options.deadLetterTopic(), record));
        }
    }

    private void sendByKey(EdgeBatch batch) {
        int partitions = records.topicPartitions();
        while (byPartition.size() < partitions) {
            byPartition.add(new EdgeBatch());
        }
        for (int i = 0; i < batch.size(); i++) {
            int partition =
                    Utils.toPositive(Utils.murmur2(bytes(batch.key(i)))) % partitions; // as Kafka's producers do
            add(batch, i, byPartition.get(partition));
        }
        for (int partition = 0; partition < partitions; partition++) {
            send(byPartition.get(partition), partition);
            byPartition.get(partition).clear();
        }
    }

    private static void add(EdgeBatch batch, int i, EdgeBatch into) {
        VertexTexts texts = batch.texts();
        int end = VertexTexts.sourceOf(into.size());
        for (int text = VertexTexts.sourceOf(i);
                texts.size() > 0 && text <= VertexTexts.sourceOf(i) + 1;
                text++, end++) {
            into.texts().add(end, texts.id(text), texts.check(text), texts.bytes(), texts.from(text), texts.to(text));
        }
        into.addFrom(batch, i);
    }

    private static byte[] bytes(long key) {
        return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
    }

    private void send(EdgeBatch batch, @Nullable Integer partition) {
        boolean isOne = !options.format().holdsManyEdges();
        int step = isOne ? 1 : options.edgesPerRecord();
        for (int from = 0; from < batch.size(); from += step) {
            int to = Math.min(batch.size(), from + step);
            rate.await(to - from);
            byte[] key = isOne && batch.hasKeys() ? bytes(batch.key(from)) : null;
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(options.topic(), partition, key, encoder.encode(batch, from, to));
            record.headers().add(EdgeEventFormat.HEADER, options.format().header());
            records.send(record);
        }
    }
}
