package io.cutwater.flink.connector.bulk;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.jspecify.annotations.Nullable;

/**
 * Tells the readers of a bootstrap in several tasks when the history is over. A live edge, or a removal, must come
 * after the edges of all readers, whichever way they take. So the readers wait for a checkpoint: its barriers are
 * behind everything that was emitted before the enumerator's part of it, and no task goes past a barrier before it has
 * come on all ways.
 */
final class BootstrapEnumerator implements SplitEnumerator<BootstrapSplit, KafkaSourceEnumState> {
    private static final long NONE = Long.MAX_VALUE;

    private final SplitEnumeratorContext<BootstrapSplit> context;
    private final SplitEnumerator<BootstrapSplit, KafkaSourceEnumState> live;
    private final int tasks;
    private final BitSet emitted = new BitSet();
    private long behind = NONE; // the first checkpoint behind the history

    /** @param live assigns the topic partitions, which wait in the readers */
    BootstrapEnumerator(
            SplitEnumeratorContext<BootstrapSplit> context,
            SplitEnumerator<BootstrapSplit, KafkaSourceEnumState> live,
            int tasks) {
        this.context = context;
        this.live = live;
        this.tasks = tasks;
    }

    /** A reader may begin anew, before the end of its piece. */
    private void forget(int subtask) {
        emitted.clear(subtask);
        behind = NONE;
    }

    @Override
    public void addReader(int subtask) {
        forget(subtask);
        live.addReader(subtask);
    }

    @Override
    public void addSplitsBack(List<BootstrapSplit> splits, int subtask) {
        forget(subtask);
        live.addSplitsBack(splits, subtask);
    }

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
        if (event == BootstrapEvent.EMITTED) {
            emitted.set(subtask);
        } else {
            live.handleSourceEvent(subtask, event);
        }
    }

    @Override
    public KafkaSourceEnumState snapshotState(long checkpointId) throws Exception {
        if (emitted.cardinality() == tasks && behind == NONE) {
            behind = checkpointId;
        }
        return live.snapshotState(checkpointId);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        live.notifyCheckpointComplete(checkpointId);
        if (checkpointId >= behind && emitted.cardinality() == tasks) {
            for (int subtask = 0; subtask < tasks; subtask++) {
                context.sendEventToSourceReader(subtask, BootstrapEvent.GO_LIVE);
            }
            emitted.clear(); // each is told once; one that begins anew reports again
            behind = NONE;
        }
    }

    @Override
    public void start() {
        live.start();
    }

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
        live.handleSplitRequest(subtask, host);
    }

    @Override
    public void close() throws IOException {
        live.close();
    }
}
