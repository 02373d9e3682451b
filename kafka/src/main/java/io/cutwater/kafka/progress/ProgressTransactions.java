package io.cutwater.kafka.progress;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.client.RecordSender;
import io.cutwater.kafka.topic.BrokerException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * Transactions that commit records of a file together with the position after them. Each file has its own producer,
 * whose transactional id fences a second ingest of the file. Not thread-safe.
 */
public final class ProgressTransactions implements AutoCloseable {
    private static final Duration TRANSACTION_INTERVAL = Duration.ofSeconds(1);
    /**
     * The time to abort an open transaction; if it is too short, the broker aborts it after the transaction's timeout.
     */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final String progressTopic;
    private final Path file;
    private final byte[] key;
    private final KafkaProducer<byte[], byte[]> producer;
    private final RecordSender sender;
    private boolean isOpen;
    private long openedNanos;

    /**
     * Creates the transactions of one file.
     *
     * @param topic of the records
     * @param key of the file in the progress topic
     */
    public ProgressTransactions(
            String bootstrapServers,
            Map<String, String> properties,
            String topic,
            String progressTopic,
            Path file,
            byte[] key) {
        this.progressTopic = progressTopic;
        this.file = file;
        this.key = key;
        Map<String, Object> settings = ClientSettings.producer(bootstrapServers, properties);
        settings.put(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                "cutwater-ingest-" + HexFormat.of().formatHex(key));
        // The default of 100 ms is waited once for each file: 112 ms until the transactions are ready, 22 ms with this
        // value.
        settings.putIfAbsent(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 10);
        producer = new KafkaProducer<>(settings);
        sender = new RecordSender(producer, topic, bootstrapServers);
    }

    public RecordSender sender() {
        return sender;
    }

    /**
     * Stops every earlier ingest of the file and ends its transaction: what is committed then is final until another
     * ingest begins.
     */
    public void takeOver() {
        attempt(producer::initTransactions);
    }

    /** Opens a transaction if none is open; returns whether it did. */
    public boolean begin() {
        if (isOpen) {
            return false;
        }
        producer.beginTransaction();
        isOpen = true;
        openedNanos = System.nanoTime();
        return true;
    }

    /** Returns whether the open transaction has lasted long enough. */
    public boolean isDue() {
        return System.nanoTime() - openedNanos >= TRANSACTION_INTERVAL.toNanos();
    }

    /** Commits the records sent so far together with the progress of the file. */
    public void commit(IngestProgress progress) {
        begin();
        sender.send(new ProducerRecord<>(progressTopic, key, progress.encode(file)));
        // The commit would also notice a rejected record, but not say which or why.
        producer.flush();
        sender.checkDelivery();
        producer.commitTransaction();
        isOpen = false;
    }

    /** @throws BrokerException if the broker rejects the work */
    public void attempt(Runnable work) {
        try {
            work.run();
        } catch (KafkaException e) {
            throw isFenced(e) ? stopped(e) : sender.notWritten(e);
        } catch (BrokerException e) {
            throw isFenced(e) ? stopped(e) : e;
        }
    }

    private static boolean isFenced(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof ProducerFencedException || cause instanceof InvalidProducerEpochException) {
                return true;
            }
        }
        return false;
    }

    private BrokerException stopped(Exception cause) {
        return new BrokerException(
                ("another ingest of %s has begun, so this one stops; the other continues after what this one committed. "
                                + "If there is no other, the broker gave up a slow transaction: run again")
                        .formatted(file),
                cause);
    }

    /** Aborts the open transaction. */
    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
    }
}
