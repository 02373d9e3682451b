package io.cutwater.kafka.vertex;

import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.format.vertex.VertexRecordCodec;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.client.RecordLimits;
import io.cutwater.kafka.client.RecordSender;
import io.cutwater.kafka.topic.BrokerException;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Writes vertex data to a topic; the last record of a vertex counts. Not thread-safe. */
public final class VertexSender implements AutoCloseable {
    private final String bootstrapServers;
    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;
    private final RecordSender records;

    /** @param properties further client properties, such as those of TLS */
    public VertexSender(String bootstrapServers, String topic, Map<String, ?> properties) {
        this.bootstrapServers = bootstrapServers;
        this.topic = topic;
        producer = new KafkaProducer<>(ClientSettings.producer(bootstrapServers, properties));
        records = new RecordSender(producer, topic, bootstrapServers);
    }

    /**
     * Sends the data of one vertex without waiting.
     *
     * @throws BrokerException if this record or an earlier one is known to be rejected
     * @throws IllegalArgumentException if the features exceed the size of a record
     */
    public void send(VertexRecord vertex) {
        byte[] value = VertexRecordCodec.value(vertex);
        RecordLimits.requireVertexFits(vertex.vertex(), value);
        try {
            records.send(new ProducerRecord<>(topic, VertexRecordCodec.key(vertex.vertex()), value));
        } catch (KafkaException e) {
            throw RecordSender.notWritten(topic, bootstrapServers, e);
        }
    }

    /**
     * Waits until the broker has all records.
     *
     * @throws BrokerException if it rejects one
     */
    public void flush() {
        try {
            producer.flush();
        } catch (InterruptException e) {
            throw new BrokerException("interrupted while writing to topic " + topic, e);
        }
        records.checkDelivery();
    }

    @Override
    public void close() {
        producer.close();
    }
}
