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
 * Drops rows without a place and counts them in the first pass: duplicates, unknown removals, and removed edges with
 * their removals.
 */
public final class CountLeftOut extends RichMapFunction<EdgeBatch, EdgeBatch> implements CheckpointedFunction {
    /** Accumulator of the removals that found no edge. */
    public static final String UNKNOWN_REMOVALS = "cutwater-unknown-removals";

    /** Accumulator of the removed edges. */
    public static final String TAKEN_AWAY = "cutwater-taken-away";

    private static final long serialVersionUID = 1;
    private static final ListStateDescriptor<Long> DUPLICATES =
            new ListStateDescriptor<>("duplicates", LongSerializer.INSTANCE);
    private static final ListStateDescriptor<Long> UNKNOWN =
            new ListStateDescriptor<>("unknown-removals", LongSerializer.INSTANCE);
    private static final ListStateDescriptor<Long> TAKEN =
            new ListStateDescriptor<>("taken-away", LongSerializer.INSTANCE);

    private final boolean keepsPlaces;

    // Set in initializeState(), which Flink calls first.
    @SuppressWarnings("NullAway.Init")
    private transient ListState<Long> duplicatesState;

    @SuppressWarnings("NullAway.Init")
    private transient ListState<Long> unknownState;

    @SuppressWarnings("NullAway.Init")
    private transient ListState<Long> takenState;

    @SuppressWarnings("NullAway.Init")
    private transient LongCounter duplicates;

    @SuppressWarnings("NullAway.Init")
    private transient LongCounter unknownRemovals;

    @SuppressWarnings("NullAway.Init")
    private transient LongCounter takenAway;

    /** @param keepsPlaces whether the places of the other rows are kept; otherwise they only mark rows as edges */
    public CountLeftOut(boolean keepsPlaces) {
        this.keepsPlaces = keepsPlaces;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        duplicatesState = context.getOperatorStateStore().getListState(DUPLICATES);
        unknownState = context.getOperatorStateStore().getListState(UNKNOWN);
        takenState = context.getOperatorStateStore().getListState(TAKEN);
        duplicates = new LongCounter(sum(duplicatesState));
        unknownRemovals = new LongCounter(sum(unknownState));
        takenAway = new LongCounter(sum(takenState));
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
        getRuntimeContext().addAccumulator(TAKEN_AWAY, takenAway);
    }

    @Override
    public EdgeBatch map(EdgeBatch batch) {
        if (!batch.hasPlaces()) {
            return batch; // of a source that has nothing to leave out
        }
        if (batch.pass() == 0) {
            count(batch);
        }
        batch.removePlaced(EdgeBatch.TAKEN_AWAY);
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
            } else if (batch.place(i) == EdgeBatch.TAKEN_AWAY && !batch.isRemoval(i)) {
                takenAway.add(1L);
            }
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        duplicatesState.update(List.of(duplicates.getLocalValuePrimitive()));
        unknownState.update(List.of(unknownRemovals.getLocalValuePrimitive()));
        takenState.update(List.of(takenAway.getLocalValuePrimitive()));
    }
}
