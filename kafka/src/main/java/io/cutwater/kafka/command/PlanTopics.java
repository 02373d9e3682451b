package io.cutwater.kafka.command;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.client.RecordSender;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Sends commands to a running job, and reads the committed status of its re-partitionings. Not thread-safe. */
public final class PlanTopics implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int SEND_MILLIS = 30_000;

    private final String bootstrapServers;
    private final Map<String, ?> properties;
    private final Topics topics;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, RepartitionStatus> last = new LinkedHashMap<>();

    /**
     * Opens the topics and reads the status so far.
     *
     * @param properties further client properties, such as those of TLS
     * @throws BrokerException if the broker is unreachable or rejects the request
     * @throws io.cutwater.kafka.topic.TopicMissingException if no job has created the topics yet
     */
    public PlanTopics(String bootstrapServers, Map<String, ?> properties, Topics topics) {
        this.bootstrapServers = bootstrapServers;
        this.properties = properties;
        this.topics = topics;
        Map<Integer, Long> beginnings;
        Map<Integer, Long> ends;
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            admin.partitionCount(topics.commands());
            beginnings = admin.offsets().beginnings(topics.plans());
            ends = admin.offsets().ends(topics.plans());
        }
        try {
            consumer = new KafkaConsumer<>(ClientSettings.consumer(bootstrapServers, properties));
            consumer.assign(ends.keySet().stream()
                    .map(p -> new TopicPartition(topics.plans(), p))
                    .toList());
            beginnings.forEach((p, offset) -> consumer.seek(new TopicPartition(topics.plans(), p), offset));
            while (ends.entrySet().stream().anyMatch(end -> isBefore(end.getKey(), end.getValue()))) {
                poll();
            }
        } catch (KafkaException e) {
            throw notRead(e);
        }
    }

    private boolean isBefore(int topicPartition, long end) {
        return consumer.position(new TopicPartition(topics.plans(), topicPartition)) < end;
    }

    /** Returns the latest status read of a re-partitioning; null if there is none. */
    public @Nullable RepartitionStatus status(String id) {
        return last.get(id);
    }

    /** Returns the status of the re-partitioning that has not ended; null if all have. */
    public @Nullable RepartitionStatus running() {
        return last.values().stream()
                .filter(status -> !status.state().isOver())
                .findFirst()
                .orElse(null);
    }

    /**
     * Waits a moment for new records.
     *
     * @return the ids with a new status
     * @throws BrokerException if the broker is unreachable or rejects the request
     */
    public Set<String> poll() {
        Set<String> changed = new HashSet<>();
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.value() != null) {
                    RepartitionStatus status = RepartitionStatusJson.read(record.value());
                    last.put(status.id(), status);
                    changed.add(status.id());
                }
            }
        } catch (InterruptException e) {
            Thread.currentThread().interrupt();
            throw notRead(e);
        } catch (KafkaException e) {
            throw notRead(e);
        } catch (IllegalArgumentException e) {
            throw new BrokerException(
                    "topic %s holds records that are not plans: %s; check --topic-prefix"
                            .formatted(topics.plans(), e.getMessage()),
                    e);
        }
        return changed;
    }

    /**
     * Sends a command and waits until the broker has it.
     *
     * @throws BrokerException if the broker is unreachable or rejects the request
     */
    public void send(JobCommand command) {
        Map<String, Object> settings = ClientSettings.producer(bootstrapServers, properties);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, SEND_MILLIS / 2);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, SEND_MILLIS);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
            producer.send(new ProducerRecord<>(
                            topics.commands(),
                            command.id().getBytes(StandardCharsets.UTF_8),
                            JobCommandJson.toBytes(command)))
                    .get();
        } catch (ExecutionException e) {
            throw RecordSender.notWritten(
                    topics.commands(), bootstrapServers, e.getCause() instanceof Exception cause ? cause : e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RecordSender.notWritten(topics.commands(), bootstrapServers, e);
        } catch (KafkaException e) {
            throw RecordSender.notWritten(topics.commands(), bootstrapServers, e);
        }
    }

    private BrokerException notRead(KafkaException e) {
        return new BrokerException(
                "cannot read topic %s at %s: %s".formatted(topics.plans(), bootstrapServers, e.getMessage()), e);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
