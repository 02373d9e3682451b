package io.cutwater.flink.operator;

import io.cutwater.state.graph.EdgeBatch;
import java.util.List;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/** Leaves out the edges that a bulk run gave no place, because they are duplicates, and counts them. */
public final class CountDuplicates extends RichMapFunction<EdgeBatch, EdgeBatch> implements CheckpointedFunction {
    private static final long serialVersionUID = 1;
    private static final ListStateDescriptor<Long> DUPLICATES =
            new ListStateDescriptor<>("duplicates", LongSerializer.INSTANCE);

    // Made in initializeState(), which comes first.
    @SuppressWarnings("NullAway.Init")
    private transient ListState<Long> state;

    @SuppressWarnings("NullAway.Init")
    private transient LongCounter counter;

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        state = context.getOperatorStateStore().getListState(DUPLICATES);
        long before = 0;
        for (long duplicates : state.get()) {
            before += duplicates;
        }
        counter = new LongCounter(before);
    }

    @Override
    public void open(OpenContext context) {
        getRuntimeContext().addAccumulator(DropDuplicatesOperator.DUPLICATES, counter);
    }

    @Override
    public EdgeBatch map(EdgeBatch batch) {
        int size = batch.size();
        batch.removeUnplaced();
        counter.add(size - batch.size());
        return batch;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        state.update(List.of(counter.getLocalValuePrimitive()));
    }
}
