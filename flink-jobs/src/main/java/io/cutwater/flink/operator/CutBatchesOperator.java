package io.cutwater.flink.operator;

import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Cuts the few edges of each topic record into batches: full ones while there is traffic, and whatever there is after a
 * time limit. A runtime operator, because nothing may stay behind when a barrier passes: the source's offsets are
 * already beyond it.
 */
public final class CutBatchesOperator extends AbstractStreamOperator<EdgeBatch>
        implements OneInputStreamOperator<EdgeBatch, EdgeBatch>, BoundedOneInput {
    private static final int MAX_REJECTED = 1024;

    private final long maxWaitMillis;

    private transient EdgeBatch open;
    private transient boolean timerIsSet;

    /** @param maxWaitMillis how long an edge waits for company at the most */
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
            // From a bulk source, whose batches are full; and the operator behind takes those as a whole.
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
