package io.cutwater.kafka.ingest;

import io.cutwater.kafka.client.DeadLetterRecords;
import io.cutwater.kafka.client.RecordSender;
import io.cutwater.kafka.event.EdgeEventEncoder;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.progress.RateLimit;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Sends batches of edges at a limited rate. Not thread-safe. */
final class EdgeSender {
    private final IngestOptions options;
    private final RateLimit rate;
    private final RecordSender records;
    private final EdgeEventEncoder encoder;

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
        int step = options.format().holdsManyEdges() ? options.edgesPerRecord() : 1;
        for (int from = 0; from < batch.size(); from += step) {
            int to = Math.min(batch.size(), from + step);
            rate.await(to - from);
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(options.topic(), encoder.encode(batch, from, to));
            record.headers().add(EdgeEventFormat.HEADER, options.format().header());
            records.send(record);
        }
        for (RejectedRecord record : batch.rejected()) {
            records.send(DeadLetterRecords.toRecord(options.deadLetterTopic(), record));
        }
    }
}
