package io.cutwater.kafka.vertex;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.input.VertexFileReader;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.input.VertexShape;
import io.cutwater.format.vertex.VertexRecordCodec;
import io.cutwater.kafka.client.RecordLimits;
import io.cutwater.kafka.ingest.EdgeFileIngest;
import io.cutwater.kafka.progress.FileStamp;
import io.cutwater.kafka.progress.IngestListener;
import io.cutwater.kafka.progress.IngestProgress;
import io.cutwater.kafka.progress.IngestProgressTopic;
import io.cutwater.kafka.progress.IngestTally;
import io.cutwater.kafka.progress.ProgressTransactions;
import io.cutwater.kafka.progress.RateLimit;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.text.Counted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes the rows of files of vertex data to a topic, each exactly once however often the ingest is interrupted and
 * restarted, like {@link EdgeFileIngest}. All rows are read once before any is written, so that a malformed row leaves
 * no half-written data.
 */
public final class VertexFileIngest {
    private final VertexIngestOptions options;
    private final IngestListener listener;
    private final Runnable beforeEachRow;
    private final RateLimit rate;

    /**
     * The result for files that belong together.
     *
     * @param vertices written by this run
     * @param verticesBefore written by earlier runs
     */
    public record Result(long vertices, long verticesBefore) {}

    public VertexFileIngest(VertexIngestOptions options, IngestListener listener) {
        this(options, listener, () -> {});
    }

    VertexFileIngest(VertexIngestOptions options, IngestListener listener, Runnable beforeEachRow) {
        this.options = options;
        this.listener = listener;
        this.beforeEachRow = beforeEachRow;
        rate = new RateLimit(options.verticesPerSecond(), System::nanoTime, LockSupport::parkNanos);
    }

    /**
     * Writes everything that is not written yet.
     *
     * @throws IOException if a file cannot be read, or a row is malformed
     * @throws BrokerException if the broker rejects the records, a topic is missing, or another ingest of the files has
     *     begun
     */
    public Result run(VertexFiles files) throws IOException {
        VertexShape shape = files.measure();
        byte[] key = key(files);
        FileStamp stamp = FileStamp.of(files.paths());
        Path first = files.paths().get(0).toAbsolutePath().normalize();
        IngestTally tally = new IngestTally(listener, stamp.bytes());
        try (IngestProgressTopic progress = new IngestProgressTopic(
                        options.bootstrapServers(),
                        options.properties(),
                        options.progressTopic(),
                        Set.of(HexFormat.of().formatHex(key)));
                ProgressTransactions transactions = new ProgressTransactions(
                        options.bootstrapServers(),
                        options.properties(),
                        options.topic(),
                        options.progressTopic(),
                        first,
                        key)) {
            transactions.takeOver();
            IngestProgress from = IngestProgress.none(stamp);
            if (!options.restart()) {
                from = progress.read(HexFormat.of().formatHex(key)).orElse(from);
            }
            Optional<String> difference = stamp.differsFrom(from.file(), true);
            if (difference.isPresent()) {
                throw new IOException("%s %s; give new files other names, or restart it to write all of it again"
                        .formatted(first, difference.get()));
            }
            if (from.isFinished()) {
                tally.add(0, stamp.bytes());
                tally.note("%s is skipped: the topic has its %s; give --restart to write them again"
                        .formatted(first, Counted.of(from.edges(), "vertex")));
                return new Result(0, from.edges());
            }
            if (from.edges() > 0) {
                tally.note("%s: resumes after its first %s".formatted(first, Counted.of(from.edges(), "vertex")));
            }
            return write(files, shape, stamp, from, transactions, tally);
        }
    }

    private Result write(
            VertexFiles files,
            VertexShape shape,
            FileStamp stamp,
            IngestProgress from,
            ProgressTransactions transactions,
            IngestTally tally)
            throws IOException {
        long written = from.edges();
        long inTransaction = 0;
        long bytesRead = 0;
        try (VertexFileReader reader = files.open(shape)) {
            for (long row = 0; reader.next(); row++) {
                if (row < from.edges()) {
                    continue;
                }
                beforeEachRow.run();
                rate.await(1);
                ProducerRecord<byte[], byte[]> record = record(reader, shape, row);
                transactions.attempt(() -> {
                    transactions.begin();
                    transactions.sender().send(record);
                });
                written++;
                if (++inTransaction >= options.verticesPerTransaction() || transactions.isDue()) {
                    commit(written, false, stamp, transactions);
                    inTransaction = 0;
                }
                tally.add(1, reader.bytesRead() - bytesRead);
                bytesRead = reader.bytesRead();
            }
        }
        commit(written, true, stamp, transactions);
        tally.add(0, stamp.bytes() - bytesRead);
        return new Result(written - from.edges(), from.edges());
    }

    private ProducerRecord<byte[], byte[]> record(VertexFileReader reader, VertexShape shape, long row)
            throws IOException {
        byte[] value = VertexRecordCodec.value(reader.features(), shape.featureCount(), reader.label(), reader.split());
        try {
            RecordLimits.requireVertexFits(reader.vertex(), value);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "row %d of the vertex files: %s; give fewer features".formatted(row + 1, e.getMessage()), e);
        }
        return new ProducerRecord<>(options.topic(), VertexRecordCodec.key(reader.vertex()), value);
    }

    private static void commit(long written, boolean isFinished, FileStamp stamp, ProgressTransactions transactions) {
        EdgeFilePosition end = new EdgeFilePosition(0, written, 0);
        transactions.attempt(() -> transactions.commit(new IngestProgress(end, written, 0, stamp, isFinished)));
    }

    /**
     * Returns the SHA-256 of everything that identifies the work: the topic, the role, path and size of each file, and
     * how ids are made of text.
     */
    private byte[] key(VertexFiles files) throws IOException {
        StringBuilder identity = new StringBuilder(options.topic()).append("\0vertices");
        for (Path path : new Path[] {files.features(), files.labels(), files.split()}) {
            identity.append('\0');
            if (path != null) {
                identity.append(path.toAbsolutePath().normalize()).append('\0').append(Files.size(path));
            }
        }
        if (files.names() != null) {
            identity.append('\0').append(files.names());
        }
        return Hashing.sha256().digest(identity.toString().getBytes(StandardCharsets.UTF_8));
    }
}
