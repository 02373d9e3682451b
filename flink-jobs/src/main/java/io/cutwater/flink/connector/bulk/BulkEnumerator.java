package io.cutwater.flink.connector.bulk;

import java.util.List;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;

/** Gives the one split to the one reader. */
final class BulkEnumerator implements SplitEnumerator<BulkSplit, List<BulkSplit>> {
    private final SplitEnumeratorContext<BulkSplit> context;
    private List<BulkSplit> waiting;

    BulkEnumerator(SplitEnumeratorContext<BulkSplit> context, List<BulkSplit> waiting) {
        this.context = context;
        this.waiting = waiting;
    }

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
        if (waiting.isEmpty()) {
            context.signalNoMoreSplits(subtask);
        } else {
            context.assignSplit(waiting.get(0), subtask);
            waiting = List.of();
        }
    }

    @Override
    public void addSplitsBack(List<BulkSplit> splits, int subtask) {
        waiting = List.copyOf(splits);
    }

    @Override
    public void addReader(int subtask) {}

    @Override
    public List<BulkSplit> snapshotState(long checkpointId) {
        return waiting;
    }

    @Override
    public void close() {}
}
