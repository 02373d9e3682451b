package io.cutwater.kafka.client;

import io.cutwater.kafka.client.EdgeFileIngest.FileResult;
import io.cutwater.kafka.file.EdgeFilePosition;
import io.cutwater.kafka.file.EdgeFileReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
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
 * What is still to write of one file, in transactions that hold edges and the position behind them. Used by one thread.
 */
final class FileTransfer implements AutoCloseable {
    private static final Duration TRANSACTION_INTERVAL = Duration.ofSeconds(1);
    /** To abort what is open; the broker does it after the transaction's timeout if this is too short. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final EdgeFileIngestOptions options;
    private final IngestFile file;
    private final byte[] key;
    private final long fileBytes;
    private final KafkaProducer<byte[], byte[]> producer;
    private final EdgeSender sender;

    private long edges;
    private long rejected;
    private boolean isOpen;
    private long openedNanos;
    private long edgesBeforeTransaction;

    /**
     * A transfer with a producer of its own: the file's transactional id is what a second ingest of it fences.
     *
     * @param key of the file in the progress topic
     */
    FileTransfer(EdgeFileIngestOptions options, IngestFile file, byte[] key, long fileBytes, RateLimit rate) {
        this.options = options;
        this.file = file;
        this.key = key;
        this.fileBytes = fileBytes;
        IngestOptions target = options.target();
        Map<String, Object> settings = ClientSettings.producer(target.bootstrapServers(), target.properties());
        settings.put(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                "cutwater-ingest-" + HexFormat.of().formatHex(key));
        // The usual 100 ms are waited once for each file: 112 ms until the transactions are ready, 22 ms with these.
        settings.putIfAbsent(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 10);
        producer = new KafkaProducer<>(settings);
        sender = new EdgeSender(target, rate, producer);
    }

    /**
     * Stops every earlier ingest of the file and ends its transaction: what is committed then is final until another
     * one begins.
     */
    void takeOver() {
        attempt(producer::initTransactions);
    }

    /** Forgets what earlier runs have written; committed at once, so that a later run goes on with this one's work. */
    void restart() {
        attempt(() -> commit(EdgeFilePosition.START, false));
    }

    /**
     * Writes the edges from a position on.
     *
     * @param from where the file is, by the progress topic
     */
    FileResult write(IngestProgress from, EdgeFileIngest.Opener opener, IngestTally tally) throws IOException {
        edges = from.edges();
        rejected = from.rejected();
        edgesBeforeTransaction = edges;
        try (EdgeFileReader reader = opener.open(file.path(), file.format(), from.position())) {
            EdgeBatch batch = new EdgeBatch();
            long bytesRead = 0;
            while (reader.read(batch, options.edgesPerRead())) {
                attempt(() -> send(batch, reader.position()));
                tally.add(batch.size(), reader.bytesRead() - bytesRead);
                bytesRead = reader.bytesRead();
                batch.clear();
                tally.checkGoesOn();
            }
            attempt(() -> commit(reader.position(), true));
            tally.add(0, fileBytes - bytesRead);
        }
        return new FileResult(file.path(), edges - from.edges(), rejected - from.rejected(), from.edges(), false);
    }

    private void send(EdgeBatch batch, EdgeFilePosition behind) {
        begin();
        sender.send(batch);
        edges += batch.size();
        rejected += batch.rejected().size();
        if (edges - edgesBeforeTransaction >= options.edgesPerTransaction()
                || System.nanoTime() - openedNanos >= TRANSACTION_INTERVAL.toNanos()) {
            commit(behind, false);
        }
    }

    private void begin() {
        if (!isOpen) {
            producer.beginTransaction();
            isOpen = true;
            openedNanos = System.nanoTime();
            edgesBeforeTransaction = edges;
        }
    }

    private void commit(EdgeFilePosition behind, boolean isFinished) {
        begin();
        byte[] progress = new IngestProgress(behind, edges, rejected, fileBytes, isFinished).encode(file.path());
        sender.send(new ProducerRecord<>(options.progressTopic(), key, progress));
        // The commit would also find a record that was not taken, but not say which or why.
        producer.flush();
        sender.checkDelivery();
        producer.commitTransaction();
        isOpen = false;
    }

    private void attempt(Runnable work) {
        try {
            work.run();
        } catch (KafkaException e) {
            throw isFenced(e) ? stopped(e) : EdgeSender.notWritten(options.target(), e);
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
                ("another ingest of %s has begun, so this one stops; the other goes on behind what this one committed. "
                                + "If there is no other, the broker gave up a slow transaction: run again")
                        .formatted(file.path()),
                cause);
    }

    /** Aborts what is not committed. */
    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
    }
}
