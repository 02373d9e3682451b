package io.cutwater.flink.connector.pass;

import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.input.InputPosition;
import io.cutwater.flink.connector.input.OrderedInput;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;
import org.jspecify.annotations.Nullable;

/**
 * Reads a topic pass by pass, a batch at a time, in the task's own thread: all records exist already, so the broker
 * delays the thread only when it is unhealthy.
 */
final class TopicPassesReader implements SourceReader<EdgeBatch, TopicPassSplit> {
    private final SourceReaderContext context;
    private final EdgeInput.Topic topic;
    private final int passes;
    private final EdgeBatch batch = new EdgeBatch();
    private CompletableFuture<Void> available = new CompletableFuture<>();
    private @Nullable TopicPassSplit split;
    private @Nullable OrderedInput input;
    private boolean noMoreSplits;

    TopicPassesReader(SourceReaderContext context, EdgeInput.Topic topic, int passes) {
        this.context = context;
        this.topic = topic;
        this.passes = passes;
    }

    @Override
    public void start() {
        if (split == null) {
            context.sendSplitRequest();
        }
    }

    @Override
    public void addSplits(List<TopicPassSplit> splits) {
        split = splits.get(0);
        available.complete(null);
    }

    @Override
    public void notifyNoMoreSplits() {
        noMoreSplits = true;
        available.complete(null);
    }

    @Override
    public InputStatus pollNext(ReaderOutput<EdgeBatch> output) throws IOException, InterruptedException {
        TopicPassSplit at = split;
        if (at == null) {
            if (noMoreSplits) {
                return InputStatus.END_OF_INPUT;
            }
            available = new CompletableFuture<>();
            return InputStatus.NOTHING_AVAILABLE;
        }
        if (at.pass() == passes) {
            return InputStatus.END_OF_INPUT;
        }
        OrderedInput open = input;
        if (open == null) {
            open = OrderedInput.open(topic, at.next());
            input = open;
        }
        batch.clear();
        if (!open.read(batch)) {
            open.close();
            input = null;
            split = new TopicPassSplit(at.pass() + 1, InputPosition.START);
            return InputStatus.MORE_AVAILABLE;
        }
        split = new TopicPassSplit(at.pass(), open.position());
        batch.setPass(at.pass()).setProgress(at.pass() * topic.length() + batch.progress());
        output.collect(batch);
        return InputStatus.MORE_AVAILABLE;
    }

    @Override
    public List<TopicPassSplit> snapshotState(long checkpointId) {
        return split == null ? List.of() : List.of(split);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return available;
    }

    @Override
    public void close() throws IOException {
        if (input != null) {
            input.close();
        }
    }
}
