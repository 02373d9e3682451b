package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.EdgeInput;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.core.io.InputStatus;
import org.jspecify.annotations.Nullable;

/** Emits what a thread of its own hands over; until that has placed the input, the task is free for checkpoints. */
final class BulkSourceReader implements SourceReader<EdgeBatch, BulkSplit> {
    private static final long CLOSE_MILLIS = 30_000;

    private final SourceReaderContext context;
    private final EdgeInput input;
    private final BulkRequest request;
    private final String name;
    private final BulkStage stage = new BulkStage();
    private CompletableFuture<Void> idle = new CompletableFuture<>();
    private @Nullable BulkSplit split;
    private @Nullable BatchHandover handover;
    private @Nullable Thread thread;
    private boolean noMoreSplits;

    /** @param name of the job's scratch folder */
    BulkSourceReader(SourceReaderContext context, EdgeInput input, BulkRequest request, String name) {
        this.context = context;
        this.input = input;
        this.request = request;
        this.name = name;
    }

    @Override
    public void start() {
        stage.register(context.metricGroup());
        if (split == null) {
            context.sendSplitRequest();
        }
    }

    @Override
    public void addSplits(List<BulkSplit> splits) {
        if (splits.isEmpty()) {
            return;
        }
        BulkSplit whole = splits.get(0);
        BatchHandover work = new BatchHandover();
        Path temporary = Path.of(ConfigurationUtils.parseTempDirectories(context.getConfiguration())[0]);
        Thread worker =
                new Thread(new BulkWork(input, request, temporary, name, whole, work, stage), "bulk passes " + name);
        worker.setDaemon(true);
        worker.setContextClassLoader(context.getUserCodeClassLoader().asClassLoader());
        worker.start();
        split = whole;
        handover = work;
        thread = worker;
        idle.complete(null);
    }

    @Override
    public void notifyNoMoreSplits() {
        noMoreSplits = true;
        idle.complete(null);
    }

    @Override
    public InputStatus pollNext(ReaderOutput<EdgeBatch> output) throws Exception {
        BatchHandover work = handover;
        if (work == null) {
            idle = new CompletableFuture<>();
            return noMoreSplits ? InputStatus.END_OF_INPUT : InputStatus.NOTHING_AVAILABLE;
        }
        BatchHandover.Handed handed = work.poll();
        if (handed != null) {
            output.collect(handed.batch());
            split = handed.next();
            work.giveBack(handed.batch());
            return InputStatus.MORE_AVAILABLE;
        }
        Throwable failure = work.failure();
        if (failure != null) {
            throw failure instanceof IOException io
                    ? io
                    : new IOException("the bulk passes failed: " + failure, failure);
        }
        if (work.isFinished()) {
            stage.begin(BulkSources.DONE);
            split = null;
            handover = null;
            context.sendSplitRequest();
        }
        return InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return handover == null ? idle : handover.available();
    }

    @Override
    public List<BulkSplit> snapshotState(long checkpointId) {
        return split == null ? List.of() : List.of(split);
    }

    @Override
    public void close() throws IOException {
        Thread worker = thread;
        if (worker != null) {
            worker.interrupt();
            try {
                worker.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
