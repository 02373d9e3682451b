package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.bulk.work.BulkReading;
import io.cutwater.flink.connector.bulk.work.BulkSplit;
import io.cutwater.flink.connector.bulk.work.InputWork;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;
import org.jspecify.annotations.Nullable;

/** Reads the only split, and ends with it. */
final class BulkSourceReader implements SourceReader<EdgeBatch, BulkSplit> {
    private final SourceReaderContext context;
    private final InputWork work;
    private final String name;
    private CompletableFuture<Void> idle = new CompletableFuture<>();
    private @Nullable BulkReading reading;
    private boolean noMoreSplits;

    /** @param name of the job's scratch folder */
    BulkSourceReader(SourceReaderContext context, InputWork work, String name) {
        this.context = context;
        this.work = work;
        this.name = name;
    }

    @Override
    public void start() {
        if (reading == null) {
            context.sendSplitRequest();
        }
    }

    @Override
    public void addSplits(List<BulkSplit> splits) {
        reading = new BulkReading(context, work, name, splits.get(0));
        idle.complete(null);
    }

    @Override
    public void notifyNoMoreSplits() {
        noMoreSplits = true;
        idle.complete(null);
    }

    @Override
    public InputStatus pollNext(ReaderOutput<EdgeBatch> output) throws IOException {
        BulkReading open = reading;
        if (open == null) {
            idle = new CompletableFuture<>();
            return noMoreSplits ? InputStatus.END_OF_INPUT : InputStatus.NOTHING_AVAILABLE;
        }
        InputStatus status = open.poll(output);
        if (status == InputStatus.END_OF_INPUT) {
            open.done();
            open.close();
            reading = null;
        }
        return status;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return reading == null ? idle : reading.available();
    }

    @Override
    public List<BulkSplit> snapshotState(long checkpointId) {
        return reading == null ? List.of() : List.of(reading.next());
    }

    @Override
    public void close() {
        if (reading != null) {
            reading.close();
        }
    }
}
