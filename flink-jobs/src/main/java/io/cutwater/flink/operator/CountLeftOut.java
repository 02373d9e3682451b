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

/**
 * Leaves out the rows that the source gave no place, and counts them in the first pass: duplicates, and removals of
 * edges that were not there.
 */
public final class CountLeftOut extends RichMapFunction<EdgeBatch, EdgeBatch> implements CheckpointedFunction {
    /** The accumulator that holds, at the job's end, how many removals found no edge. */
    public static final String UNKNOWN_REMOVALS = "cutwater-unknown-removals";

    private static final long serialVersionUID = 1;
    private static final ListStateDescriptor<Long> DUPLICATES =
            new ListStateDescriptor<>("duplicates", LongSerializer.INSTANCE);
    private static final ListStateDescriptor<Long> UNKNOWN =
            new ListStateDescriptor<>("unknown-removals", LongSerializer.INSTANCE);

    private final boolean keepsPlaces;

    // Made in initializeState(), which comes first.
    @SuppressWarnings("NullAway.Init")
    private transient ListState<Long> duplicatesState;

    @SuppressWarnings("NullAway.Init")
    private transient ListState<Long> unknownState;

    @SuppressWarnings("NullAway.Init")
    private transient LongCounter duplicates;

    @SuppressWarnings("NullAway.Init")
    private transient LongCounter unknownRemovals;

    /** @param keepsPlaces whether the places of the others are where they go, or only say that they are edges */
    public CountLeftOut(boolean keepsPlaces) {
        this.keepsPlaces = keepsPlaces;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        duplicatesState = context.getOperatorStateStore().getListState(DUPLICATES);
        unknownState = context.getOperatorStateStore().getListState(UNKNOWN);
        duplicates = new LongCounter(sum(duplicatesState));
        unknownRemovals = new LongCounter(sum(unknownState));
    }

    private static long sum(ListState<Long> state) throws Exception {
        long sum = 0;
        for (long part : state.get()) {
            sum += part;
        }
        return sum;
    }

    @Override
    public void open(OpenContext context) {
        getRuntimeContext().addAccumulator(DropDuplicatesOperator.DUPLICATES, duplicates);
        getRuntimeContext().addAccumulator(UNKNOWN_REMOVALS, unknownRemovals);
    }

    @Override
    public EdgeBatch map(EdgeBatch batch) {
        if (!batch.hasPlaces()) {
            return batch; // of a source that has nothing to leave out
        }
        if (batch.pass() == 0) {
            count(batch);
        }
        batch.removeUnplaced();
        if (!keepsPlaces) {
            batch.forgetPlaces();
        }
        return batch;
    }

    private void count(EdgeBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.place(i) == EdgeBatch.NO_PLACE) {
                (batch.isRemoval(i) ? unknownRemovals : duplicates).add(1L);
            }
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        duplicatesState.update(List.of(duplicates.getLocalValuePrimitive()));
        unknownState.update(List.of(unknownRemovals.getLocalValuePrimitive()));
    }
}
