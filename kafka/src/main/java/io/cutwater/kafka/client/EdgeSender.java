package io.cutwater.kafka.client;

import io.cutwater.kafka.record.EdgeEventEncoder;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Writes batches with one producer, no faster than the rate allows. Used by one thread. */
final class EdgeSender {
    private final IngestOptions options;
    private final RateLimit rate;
    private final Producer<byte[], byte[]> producer;
    private final EdgeEventEncoder encoder;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final Callback onCompletion = (metadata, exception) -> {
        if (exception != null) {
            failure.compareAndSet(null, exception);
        }
    };

    EdgeSender(IngestOptions options, RateLimit rate, Producer<byte[], byte[]> producer) {
        this.options = options;
        this.rate = rate;
        this.producer = producer;
        encoder = options.format().encoder();
    }

    /** Sends the edges, and what was rejected as dead letters. */
    void send(EdgeBatch batch) {
        int step = options.format().holdsManyEdges() ? options.edgesPerRecord() : 1;
        for (int from = 0; from < batch.size(); from += step) {
            int to = Math.min(batch.size(), from + step);
            rate.await(to - from);
            send(new ProducerRecord<>(options.topic(), encoder.encode(batch, from, to)));
        }
        for (RejectedRecord record : batch.rejected()) {
            send(DeadLetters.toRecord(options.deadLetterTopic(), record));
        }
    }

    /** Sends a record; throws if this one or an earlier one is known not to be taken. */
    void send(ProducerRecord<byte[], byte[]> record) {
        Future<RecordMetadata> unused = producer.send(record, onCompletion);
        // After each: while a topic is missing, every single one would wait a minute for it.
        checkDelivery();
    }

    /** @throws BrokerException with one sentence if a record is known not to be taken */
    void checkDelivery() {
        Exception exception = failure.get();
        if (exception != null) {
            throw notWritten(exception);
        }
    }

    BrokerException notWritten(Exception cause) {
        return notWritten(options, cause);
    }

    static BrokerException notWritten(IngestOptions options, Exception cause) {
        return new BrokerException(
                "cannot write to topic %s at %s: %s"
                        .formatted(options.topic(), options.bootstrapServers(), cause.getMessage()),
                cause);
    }
}
