package io.cutwater.flink.connector.feedback;

import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.kafka.vertex.VertexUpdateCodec;
import io.cutwater.state.feedback.VertexUpdate;
import java.io.IOException;
import java.time.Duration;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends messages to the topic of updates from a thread that is no sink of the job. For several threads. */
public final class LoopSender implements UpdateSource.Sender {
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final int buckets;
    private final int topicPartitions;
    private final Consumer<IOException> failed;

    /** @param failed is told what could not be sent, by any thread */
    LoopSender(Properties properties, String topic, int buckets, Consumer<IOException> failed) throws IOException {
        this.topic = topic;
        this.buckets = buckets;
        this.failed = failed;
        producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        try {
            topicPartitions = producer.partitionsFor(topic).size();
        } catch (KafkaException e) {
            close();
            throw failure(e);
        }
    }

    private IOException failure(Exception e) {
        return new IOException("cannot send to topic %s: %s".formatted(topic, e.getMessage()), e);
    }

    @Override
    public void send(VertexUpdate update) {
        int topicPartition = VertexUpdateCodec.topicPartition(update.bucket(), buckets, topicPartitions);
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(
                topic, topicPartition, VertexUpdateCodec.key(update), VertexUpdateCodec.encode(update));
        try {
            producer.send(message, (sent, exception) -> {
                if (exception != null) {
                    failed.accept(failure(exception));
                }
            });
        } catch (InterruptException e) {
            Thread.currentThread().interrupt(); // who waits for an answer ends with it
        } catch (KafkaException e) {
            failed.accept(failure(e));
        }
    }

    @Override
    public void close() {
        try {
            producer.close(CLOSE);
        } catch (InterruptException e) {
            Thread.currentThread().interrupt();
        }
    }
}
