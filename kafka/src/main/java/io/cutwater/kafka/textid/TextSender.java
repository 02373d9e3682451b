package io.cutwater.kafka.textid;

import io.cutwater.format.text.VertexNames;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.client.RecordSender;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** Writes the texts of a bounded run to topic {@code ids}. */
public final class TextSender {
    private TextSender() {}

    /**
     * Creates the topic if it is missing, and writes the texts of all vertices. Records of the same run that are there
     * already become older ones of their keys.
     *
     * @param properties further client properties, such as those of TLS
     * @throws BrokerException if the broker rejects a record, or is unreachable
     */
    public static void send(String bootstrapServers, Map<String, ?> properties, Topics topics, VertexNames names) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            admin.ensure(topics.texts());
        }
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(bootstrapServers, properties))) {
            RecordSender records = new RecordSender(producer, topics.ids(), bootstrapServers);
            names.<RuntimeException>forEach((id, text, from, to) -> records.send(new ProducerRecord<>(
                    topics.ids(), VertexTextCodec.key(id), VertexTextCodec.value(text, from, to))));
            producer.flush();
            records.checkDelivery();
        } catch (KafkaException e) {
            throw RecordSender.notWritten(topics.ids(), bootstrapServers, e);
        }
    }
}
