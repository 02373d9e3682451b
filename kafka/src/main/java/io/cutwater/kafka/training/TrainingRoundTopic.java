package io.cutwater.kafka.training;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.client.RecordSender;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** Writes topic {@code training-rounds}, and creates it if it is missing. Not thread-safe. */
public final class TrainingRoundTopic implements AutoCloseable {
    private static final int ONE = 1;
    /** A training does not wait longer for a broker that is down. */
    private static final int BLOCK_MILLIS = 5_000;

    private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

    private final String topic;
    private final String bootstrapServers;
    private final KafkaProducer<byte[], byte[]> producer;
    private final RecordSender sender;

    /**
     * Opens the topic.
     *
     * @param properties further client properties, such as those of TLS
     * @throws BrokerException if the broker is unreachable or refuses the request; the message is meant for users
     */
    public TrainingRoundTopic(String bootstrapServers, Map<String, ?> properties, Topics topics) {
        this.bootstrapServers = bootstrapServers;
        topic = topics.trainingRounds();
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            admin.ensure(topics.spec(topic, ONE));
        }
        Map<String, Object> writing = new HashMap<>();
        writing.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        writing.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MILLIS);
        writing.putAll(properties);
        try {
            producer = new KafkaProducer<>(ClientSettings.producer(bootstrapServers, writing));
        } catch (KafkaException e) {
            throw RecordSender.notWritten(topic, bootstrapServers, e);
        }
        sender = new RecordSender(producer, topic, bootstrapServers);
    }

    /**
     * Sends a round.
     *
     * @throws BrokerException if an earlier round is known to be lost; the message is meant for users
     */
    public void send(TrainingRound round) {
        try {
            sender.send(new ProducerRecord<>(topic, 0, TrainingRoundJson.key(round), TrainingRoundJson.toBytes(round)));
        } catch (KafkaException e) {
            throw RecordSender.notWritten(topic, bootstrapServers, e);
        }
    }

    @Override
    public void close() {
        producer.close(CLOSE_WAIT);
    }
}
