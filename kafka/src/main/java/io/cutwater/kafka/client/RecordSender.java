package io.cutwater.kafka.client;

import io.cutwater.kafka.topic.BrokerException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Sends records with one producer, and notices early if they are rejected. Not thread-safe. */
public final class RecordSender {
    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final String bootstrapServers;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final Callback onCompletion = (metadata, exception) -> {
        if (exception != null) {
            failure.compareAndSet(null, exception);
        }
    };

    /** @param topic the topic of most records, for messages */
    public RecordSender(Producer<byte[], byte[]> producer, String topic, String bootstrapServers) {
        this.producer = producer;
        this.topic = topic;
        this.bootstrapServers = bootstrapServers;
    }

    /** Returns the number of topic partitions of the topic of most records. */
    public int topicPartitions() {
        return producer.partitionsFor(topic).size();
    }

    /** Sends a record; throws if this record or an earlier one is known to be rejected. */
    public void send(ProducerRecord<byte[], byte[]> record) {
        Future<RecordMetadata> unused = producer.send(record, onCompletion);
        // After each record: while a topic is missing, every single one would wait a minute for it.
        checkDelivery();
    }

    /** @throws BrokerException if a record is known to be rejected */
    public void checkDelivery() {
        Exception exception = failure.get();
        if (exception != null) {
            throw notWritten(exception);
        }
    }

    public BrokerException notWritten(Exception cause) {
        return notWritten(topic, bootstrapServers, cause);
    }

    public static BrokerException notWritten(String topic, String bootstrapServers, Exception cause) {
        return new BrokerException(
                "cannot write to topic %s at %s: %s".formatted(topic, bootstrapServers, cause.getMessage()), cause);
    }
}
