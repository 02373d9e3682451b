package io.cutwater.kafka.ingest;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.client.RecordSender;
import io.cutwater.kafka.progress.RateLimit;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Writes edges to a topic, without keys, in the order of the supplier; a topic of one partition keeps that order.
 * Rejected records become dead letters.
 */
public final class EdgeIngest {
    private final IngestOptions options;
    private final LongConsumer progress;
    private final RateLimit rate;

    /**
     * The result of an ingest.
     *
     * @param edges written, and acknowledged by the broker
     * @param rejected dead letters written
     */
    public record Result(long edges, long rejected) {}

    /**
     * Creates an ingest with its own producer.
     *
     * @param progress receives the number of edges sent so far, after every batch
     */
    public EdgeIngest(IngestOptions options, LongConsumer progress) {
        this.options = options;
        this.progress = progress;
        rate = new RateLimit(options.edgesPerSecond(), System::nanoTime, LockSupport::parkNanos);
    }

    /**
     * Writes all edges and waits until the broker has them.
     *
     * @throws IOException if the edges cannot be read
     * @throws BrokerException if the broker rejects them; some of them may have been written
     * @throws IllegalArgumentException if the format cannot represent an attribute of an edge
     */
    public Result run(EdgeSupplier edges) throws IOException {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(options.bootstrapServers(), options.properties()))) {
            RecordSender records = new RecordSender(producer, options.topic(), options.bootstrapServers());
            Result result = send(edges, new EdgeSender(options, rate, records));
            producer.flush();
            records.checkDelivery();
            return result;
        } catch (InterruptException e) {
            throw new BrokerException("interrupted while writing to topic " + options.topic(), e);
        } catch (KafkaException e) {
            throw RecordSender.notWritten(options.topic(), options.bootstrapServers(), e);
        }
    }

    private Result send(EdgeSupplier edges, EdgeSender sender) throws IOException {
        EdgeBatch batch = new EdgeBatch();
        long sent = 0;
        long rejected = 0;
        while (edges.next(batch)) {
            sender.send(batch);
            sent += batch.size();
            rejected += batch.rejected().size();
            batch.clear();
            progress.accept(sent);
        }
        return new Result(sent, rejected);
    }
}
