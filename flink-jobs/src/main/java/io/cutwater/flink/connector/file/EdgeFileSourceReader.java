package io.cutwater.flink.connector.file;

import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;
import org.jspecify.annotations.Nullable;

/**
 * Reads one file after the other, a batch at a time, in the task's own thread: local files are always available, and a
 * batch takes less than a millisecond.
 */
final class EdgeFileSourceReader implements SourceReader<EdgeBatch, EdgeFileSplit> {
    private final SourceReaderContext context;
    private final Queue<EdgeFileSplit> waiting = new ArrayDeque<>();
    private final EdgeBatch batch = new EdgeBatch();
    private CompletableFuture<Void> available = new CompletableFuture<>();
    private @Nullable EdgeFileSplit current;
    private @Nullable EdgeFileReader reader;
    private boolean noMoreSplits;

    EdgeFileSourceReader(SourceReaderContext context) {
        this.context = context;
    }

    @Override
    public void start() {
        if (waiting.isEmpty()) {
            context.sendSplitRequest();
        }
    }

    @Override
    public InputStatus pollNext(ReaderOutput<EdgeBatch> output) throws IOException {
        if (reader == null || current == null) {
            return openNext();
        }
        batch.clear();
        if (!reader.read(batch, EdgeBatch.DEFAULT_CAPACITY)) {
            reader.close();
            reader = null;
            current = null;
            if (waiting.isEmpty()) {
                context.sendSplitRequest();
            }
            return InputStatus.MORE_AVAILABLE;
        }
        batch.setPass(current.pass()).setProgress(current.bytesBefore() + reader.bytesRead());
        output.collect(batch);
        return InputStatus.MORE_AVAILABLE;
    }

    private InputStatus openNext() throws IOException {
        EdgeFileSplit next = waiting.poll();
        if (next != null) {
            current = next;
            reader = EdgeFiles.open(Path.of(next.file()), next.format(), next.position());
            return InputStatus.MORE_AVAILABLE;
        }
        if (noMoreSplits) {
            return InputStatus.END_OF_INPUT;
        }
        if (available.isDone()) {
            available = new CompletableFuture<>();
        }
        return InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public List<EdgeFileSplit> snapshotState(long checkpointId) {
        List<EdgeFileSplit> splits = new ArrayList<>();
        if (current != null && reader != null) {
            splits.add(current.at(reader.position()));
        }
        splits.addAll(waiting);
        return splits;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return available;
    }

    @Override
    public void addSplits(List<EdgeFileSplit> splits) {
        waiting.addAll(splits);
        available.complete(null);
    }

    @Override
    public void notifyNoMoreSplits() {
        noMoreSplits = true;
        available.complete(null);
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
        }
    }
}
