package io.cutwater.flink.operator;

import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Combines the edges of topic records into batches: full ones under load, partial ones after a time limit. It is a
 * runtime operator because it must empty its buffer before a barrier, whose source offsets already cover these edges.
 */
public final class CutBatchesOperator extends AbstractStreamOperator<EdgeBatch>
        implements OneInputStreamOperator<EdgeBatch, EdgeBatch>, BoundedOneInput {
    private static final int MAX_REJECTED = 1024;

    private final long maxWaitMillis;

    private transient EdgeBatch open;
    private transient boolean timerIsSet;

    /** @param maxWaitMillis longest time that an edge waits for a full batch */
    public CutBatchesOperator(long maxWaitMillis) {
        this.maxWaitMillis = maxWaitMillis;
    }

    @Override
    public void open() throws Exception {
        super.open();
        open = new EdgeBatch();
    }

    @Override
    public void processElement(StreamRecord<EdgeBatch> element) {
        EdgeBatch incoming = element.getValue();
        if (incoming.hasPlaces()) {
            // Batches of a bulk source are full already; the next operator accepts them as they are.
            cut();
            output.collect(element);
            return;
        }
        if (incoming.pass() != open.pass()) {
            cut();
            open.setPass(incoming.pass());
        }
        open.addAll(incoming);
        if (open.size() >= EdgeBatch.DEFAULT_CAPACITY || open.rejected().size() >= MAX_REJECTED) {
            cut();
        } else if (!timerIsSet) {
            timerIsSet = true;
            long now = getProcessingTimeService().getCurrentProcessingTime();
            getProcessingTimeService().registerTimer(now + maxWaitMillis, time -> {
                timerIsSet = false;
                cut();
            });
        }
    }

    private void cut() {
        if (!open.isEmpty() || !open.rejected().isEmpty()) {
            output.collect(new StreamRecord<>(open));
            open.clear();
        }
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        cut();
    }

    @Override
    public void endInput() {
        cut();
    }
}
