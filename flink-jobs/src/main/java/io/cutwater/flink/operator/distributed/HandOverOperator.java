package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.types.OperatorId;
import io.cutwater.flink.types.message.AssignerMessage;
import io.cutwater.state.feedback.Views;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the commands of a job of one task, and before these the state of the assigners of a distributed job, if the
 * job was one when it stopped. It has their uid, and parallelism 1. The state is passed on before the first barrier, so
 * no checkpoint has it any more.
 *
 * <p>A runtime operator, because it must pass the state on although no command may ever come.
 */
public final class HandOverOperator extends AbstractStreamOperator<AssignerMessage>
        implements OneInputStreamOperator<AssignerMessage, AssignerMessage>, BoundedOneInput {
    // Runtime, created in every attempt.
    private transient SpreadState state;
    private transient boolean isPassedOn;

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        state = new SpreadState(context);
    }

    @Override
    public void open() throws Exception {
        super.open();
        getProcessingTimeService()
                .registerTimer(getProcessingTimeService().getCurrentProcessingTime(), time -> passOn());
    }

    private void passOn() throws Exception {
        if (!isPassedOn) {
            isPassedOn = true;
            state.forEachPiece(piece -> output.collect(new StreamRecord<>(
                    AssignerMessage.of(new Views().reset(0, 0, 0, 0, 0).setHandover(piece)))));
        }
    }

    @Override
    public void processElement(StreamRecord<AssignerMessage> element) throws Exception {
        passOn();
        output.collect(element);
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        passOn();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        state.clear();
    }

    @Override
    public void endInput() throws Exception {
        passOn();
    }

    /**
     * Passes everything on, in the place of an operator that a job of one task does not have: Flink restores no state
     * without an operator of its uid. What {@link AskViewsOperator} and {@link VertexEdgesOperator} have left is
     * removed; the sinks of the loop, which store no position, have left next to nothing.
     */
    public static final class InPlace extends AbstractStreamOperator<AssignerMessage>
            implements OneInputStreamOperator<AssignerMessage, AssignerMessage> {
        private final @Nullable ListStateDescriptor<?> left;

        /** @param uid of the operator in whose place it is */
        public InPlace(String uid) {
            left = uid.equals(OperatorId.ASK_VIEWS.uid())
                    ? AskViewsOperator.EDGES
                    : uid.equals(OperatorId.VERTEX_EDGES.uid()) ? VertexEdgesOperator.BEGUN : null;
        }

        @Override
        public void initializeState(StateInitializationContext context) throws Exception {
            super.initializeState(context);
            if (left != null) {
                context.getOperatorStateStore().getListState(left).clear();
            }
        }

        @Override
        public void processElement(StreamRecord<AssignerMessage> element) {
            output.collect(element);
        }
    }
}
