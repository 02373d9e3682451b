package io.cutwater.flink.connector.pass;

import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;

/** Assigns the only split to the only reader. */
public final class OneSplitEnumerator<SplitT extends SourceSplit> implements SplitEnumerator<SplitT, List<SplitT>> {
    private final SplitEnumeratorContext<SplitT> context;
    private List<SplitT> waiting;

    /** @param waiting the split, or empty if a reader has it */
    public OneSplitEnumerator(SplitEnumeratorContext<SplitT> context, List<SplitT> waiting) {
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
    public void addSplitsBack(List<SplitT> splits, int subtask) {
        waiting = List.copyOf(splits);
    }

    @Override
    public void addReader(int subtask) {}

    @Override
    public List<SplitT> snapshotState(long checkpointId) {
        return waiting;
    }

    @Override
    public void close() {}
}
