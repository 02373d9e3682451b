package io.cutwater.kafka.training;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.client.RecordSender;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.training.ModelMessage.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One end of the two topics on which the coordinator and the workers of a training communicate. It receives messages
 * sent after it was opened. It waits for a broker that is down: messages sent meanwhile are delivered if it is back
 * within 10 minutes. Not thread-safe, except where stated.
 *
 * <p>A coordinator announces itself on {@code model-updates} when it opens its end. Its run is the offset of that
 * record, so it is above all earlier runs and unique, whatever the clocks say. An earlier coordinator receives the
 * announcement as a message of {@link Kind#BEGIN}.
 */
public final class ModelChannel implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModelChannel.class);
    private static final Duration BROKER_AWAY = Duration.ofMinutes(10);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);
    private static final int ONE = 1;

    private final String bootstrapServers;
    private final boolean isCoordinator;
    private final String heard;
    private final String told;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final RecordSender sender;
    private final ModelMessageCodec codec = new ModelMessageCodec();
    private long run;
    private long bytes;
    private long passedOver;

    private ModelChannel(String bootstrapServers, Map<String, ?> properties, Topics topics, boolean isCoordinator) {
        this.bootstrapServers = bootstrapServers;
        this.isCoordinator = isCoordinator;
        heard = isCoordinator ? topics.modelUpdates() : topics.models();
        told = isCoordinator ? topics.models() : topics.modelUpdates();
        Map<String, Object> reading = new HashMap<>();
        // Records deleted while this end was asleep are no longer of interest.
        reading.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        reading.putAll(properties);
        Map<String, Object> writing = new HashMap<>();
        writing.put(ProducerConfig.LINGER_MS_CONFIG, 0); // the other end waits
        writing.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) BROKER_AWAY.toMillis());
        writing.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BROKER_AWAY.toMillis());
        writing.putAll(properties);
        consumer = new KafkaConsumer<>(ClientSettings.consumer(bootstrapServers, reading));
        producer = new KafkaProducer<>(ClientSettings.producer(bootstrapServers, writing));
        sender = new RecordSender(producer, told, bootstrapServers);
    }

    /**
     * Opens the end of a coordinator, which sends on {@code models} and receives on {@code model-updates}; missing
     * topics are created. Its announcement reaches the workers and any earlier coordinator.
     *
     * @param sender its name
     * @param properties further client properties, such as those of TLS
     * @throws BrokerException if no broker answers
     */
    public static ModelChannel ofCoordinator(
            String bootstrapServers, Map<String, ?> properties, Topics topics, String sender) {
        ModelChannel channel = open(bootstrapServers, properties, topics, true);
        try {
            channel.announce(sender);
            return channel;
        } catch (RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Opens the end of a worker, like {@link #ofCoordinator}. */
    public static ModelChannel ofWorker(String bootstrapServers, Map<String, ?> properties, Topics topics) {
        return open(bootstrapServers, properties, topics, false);
    }

    private void announce(String sender) {
        byte[] record = ModelMessageCodec.encode(new ModelMessage(Kind.BEGIN, 0, 0, -1, 0, sender, new byte[0]))
                .get(0);
        try {
            RecordMetadata place = producer.send(new ProducerRecord<>(heard, 0, key(sender), record))
                    .get();
            if (!place.hasOffset()) {
                throw new BrokerException(
                        "the broker at %s did not report the offset of a record in topic %s; start this command again"
                                .formatted(bootstrapServers, heard));
            }
            run = run(place.offset());
            consumer.seek(new TopicPartition(heard, 0), place.offset() + 1);
        } catch (ExecutionException e) {
            throw RecordSender.notWritten(heard, bootstrapServers, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RecordSender.notWritten(heard, bootstrapServers, e);
        }
        send(new ModelMessage(Kind.BEGIN, run, 0, -1, 0, sender, new byte[0]));
    }

    private static long run(long offset) {
        return offset + 1; // 0 means none
    }

    /** Returns the run that the messages of a coordinator must carry. */
    public long run() {
        return run;
    }

    private static ModelChannel open(
            String bootstrapServers, Map<String, ?> properties, Topics topics, boolean isCoordinator) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            admin.ensure(topics.spec(topics.models(), ONE), topics.spec(topics.modelUpdates(), ONE));
        }
        ModelChannel channel = new ModelChannel(bootstrapServers, properties, topics, isCoordinator);
        try {
            channel.listen();
            return channel;
        } catch (KafkaException e) {
            channel.close();
            throw channel.notRead(e);
        }
    }

    private void listen() {
        List<TopicPartition> partition = List.of(new TopicPartition(heard, 0));
        consumer.assign(partition);
        consumer.seekToEnd(partition);
        // Asked now rather than with the first records, so that everything after this call is received.
        partition.forEach(consumer::position);
    }

    /**
     * Sends a message after all earlier ones.
     *
     * @throws BrokerException if an earlier message is known to be lost
     */
    public void send(ModelMessage message) {
        List<byte[]> records = ModelMessageCodec.encode(message);
        for (int piece = 0; piece < records.size(); piece++) {
            // The topic keeps the last message of each kind, piece by piece; the last one to test has the final
            // average.
            String key = isCoordinator ? message.kind() + "/" + piece : message.sender() + "/" + message.round();
            sender.send(new ProducerRecord<>(told, 0, key(key), records.get(piece)));
            bytes += records.get(piece).length;
        }
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Waits for messages.
     *
     * @return the messages received, empty if none came in time; malformed records are counted and logged
     * @throws BrokerException if the topic cannot be read
     */
    public List<ModelMessage> poll(Duration wait) {
        sender.checkDelivery();
        List<ModelMessage> messages = new ArrayList<>();
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
                bytes += record.value() == null ? 0 : record.value().length;
                decode(record, messages);
            }
        } catch (WakeupException e) {
            return messages; // none yet: poll discards nothing
        } catch (KafkaException e) {
            throw notRead(e);
        }
        return messages;
    }

    /** Makes the current or next {@link #poll} return at once. Thread-safe. */
    public void wake() {
        consumer.wakeup();
    }

    private void decode(ConsumerRecord<byte[], byte[]> record, List<ModelMessage> into) {
        try {
            if (record.value() == null) {
                throw new IllegalArgumentException("it has no value");
            }
            codec.decode(record.value())
                    .map(message -> isCoordinator ? placed(message, record.offset()) : message)
                    .ifPresent(into::add);
        } catch (IllegalArgumentException e) {
            passedOver++;
            if (Long.bitCount(passedOver) == 1) { // the 1st, 2nd, 4th, …
                LOG.warn(
                        "the record at offset {} of topic {} is passed over: {}; {} so far",
                        record.offset(),
                        heard,
                        e.getMessage(),
                        passedOver);
            }
        }
    }

    /** The run of an announcement is its offset. */
    private static ModelMessage placed(ModelMessage message, long offset) {
        return message.kind() == Kind.BEGIN
                ? new ModelMessage(
                        Kind.BEGIN,
                        run(offset),
                        message.round(),
                        message.shard(),
                        message.weight(),
                        message.sender(),
                        message.body())
                : message;
    }

    private BrokerException notRead(KafkaException e) {
        return new BrokerException(
                "cannot read topic %s at %s: %s".formatted(heard, bootstrapServers, e.getMessage()), e);
    }

    /** Returns the bytes of all records sent and received so far. */
    public long bytes() {
        return bytes;
    }

    /** Sends the remaining messages, for at most 10 seconds. */
    @Override
    public void close() {
        producer.close(CLOSE_WAIT);
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
