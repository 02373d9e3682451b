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

/** Writes what is known of vertices to a topic, as it comes: of a vertex the last record counts. Used by one thread. */
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
     * Sends one vertex, soon.
     *
     * @throws BrokerException with one sentence, if this one or an earlier one is known not to be taken
     * @throws IllegalArgumentException with one sentence if no record takes so many features
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
     * Waits until the broker has all of them.
     *
     * @throws BrokerException with one sentence, if it does not take one
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
