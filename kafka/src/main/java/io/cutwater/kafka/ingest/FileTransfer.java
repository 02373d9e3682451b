package io.cutwater.kafka.ingest;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.kafka.event.mapped.MappedFileReader;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.ingest.EdgeFileIngest.FileResult;
import io.cutwater.kafka.progress.FileStamp;
import io.cutwater.kafka.progress.IngestProgress;
import io.cutwater.kafka.progress.IngestTally;
import io.cutwater.kafka.progress.ProgressTransactions;
import io.cutwater.kafka.progress.RateLimit;
import io.cutwater.kafka.textid.TextEnds;
import io.cutwater.kafka.textid.TextIds;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;

/** Writes the rest of one file, in transactions that hold edges and the position after them. Not thread-safe. */
final class FileTransfer implements AutoCloseable {
    private final EdgeFileIngestOptions options;
    private final IngestFile file;
    private final FileStamp stamp;
    private final ProgressTransactions transactions;
    private final EdgeSender sender;

    private long edges;
    private long rejected;
    private long edgesBeforeTransaction;

    /**
     * Creates the transfer of one file.
     *
     * @param key of the file in the progress topic
     * @param stamp of the file, as it is now
     */
    FileTransfer(EdgeFileIngestOptions options, IngestFile file, byte[] key, FileStamp stamp, RateLimit rate) {
        this.options = options;
        this.file = file;
        this.stamp = stamp;
        IngestOptions target = options.target();
        transactions = new ProgressTransactions(
                target.bootstrapServers(),
                target.properties(),
                target.topic(),
                options.progressTopic(),
                file.path(),
                key);
        sender = new EdgeSender(target, rate, transactions.sender());
    }

    /** Does {@link ProgressTransactions#takeOver}. */
    void takeOver() {
        transactions.takeOver();
    }

    /** Resets the progress of earlier runs; committed at once, so that a later run resumes this one's work. */
    void restart() {
        transactions.attempt(() -> commit(EdgeFilePosition.START, false));
    }

    /**
     * Writes the edges from a position.
     *
     * @param from the progress of the file, from the progress topic
     */
    FileResult write(IngestProgress from, EdgeFileIngest.Opener opener, IngestTally tally) throws IOException {
        edges = from.edges();
        rejected = from.rejected();
        try (EdgeFileReader reader = open(from.position(), opener)) {
            EdgeBatch batch = new EdgeBatch();
            long bytesRead = 0;
            while (reader.read(batch, options.edgesPerRead())) {
                transactions.attempt(() -> send(batch, reader.position()));
                tally.add(batch.size(), reader.bytesRead() - bytesRead);
                bytesRead = reader.bytesRead();
                batch.clear();
                tally.checkGoesOn();
            }
            transactions.attempt(() -> commit(reader.position(), true));
            tally.add(0, stamp.bytes() - bytesRead);
        }
        return new FileResult(file.path(), edges - from.edges(), rejected - from.rejected(), from.edges(), false);
    }

    private EdgeFileReader open(EdgeFilePosition from, EdgeFileIngest.Opener opener) throws IOException {
        FieldMapping mapping = file.mapping();
        TextEnds texts = file.areTexts() ? new TextIds(0).allEnds() : null; // of any seed: the ids are not written
        if (mapping != null) {
            return MappedFileReader.open(file.path(), file.format(), from, mapping, texts);
        }
        return texts == null
                ? opener.open(file.path(), file.format(), from)
                : EdgeFiles.openTexts(file.path(), file.format(), from, texts);
    }

    private void send(EdgeBatch batch, EdgeFilePosition end) {
        if (transactions.begin()) {
            edgesBeforeTransaction = edges;
        }
        sender.send(batch);
        edges += batch.size();
        rejected += batch.rejected().size();
        if (edges - edgesBeforeTransaction >= options.edgesPerTransaction() || transactions.isDue()) {
            commit(end, false);
        }
    }

    private void commit(EdgeFilePosition end, boolean isFinished) {
        transactions.commit(new IngestProgress(end, edges, rejected, stamp, isFinished));
    }

    /** Aborts the open transaction. */
    @Override
    public void close() {
        transactions.close();
    }
}
