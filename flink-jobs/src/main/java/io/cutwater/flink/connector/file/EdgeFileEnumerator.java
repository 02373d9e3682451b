package io.cutwater.flink.connector.file;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;

/** Assigns files in order, one at a time, to the readers that request them. */
final class EdgeFileEnumerator implements SplitEnumerator<EdgeFileSplit, List<EdgeFileSplit>> {
    private static final Comparator<EdgeFileSplit> INPUT_ORDER =
            Comparator.comparingInt(EdgeFileSplit::pass).thenComparingInt(EdgeFileSplit::number);

    private final SplitEnumeratorContext<EdgeFileSplit> context;
    private final List<EdgeFileSplit> waiting;

    EdgeFileEnumerator(SplitEnumeratorContext<EdgeFileSplit> context, List<EdgeFileSplit> waiting) {
        this.context = context;
        this.waiting = new ArrayList<>(waiting);
    }

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
        if (waiting.isEmpty()) {
            context.signalNoMoreSplits(subtask);
        } else {
            context.assignSplit(waiting.remove(0), subtask);
        }
    }

    @Override
    public void addSplitsBack(List<EdgeFileSplit> splits, int subtask) {
        waiting.addAll(splits);
        waiting.sort(INPUT_ORDER);
    }

    @Override
    public void addReader(int subtask) {}

    @Override
    public List<EdgeFileSplit> snapshotState(long checkpointId) {
        return List.copyOf(waiting);
    }

    @Override
    public void close() {}
}
