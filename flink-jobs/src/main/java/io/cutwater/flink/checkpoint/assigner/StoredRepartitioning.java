package io.cutwater.flink.checkpoint.assigner;

import io.cutwater.state.repartition.live.RepartitioningState;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;

/**
 * Re-partitionings in the operator state of an assigner. All tasks that read the state have it whole, so vertex tables
 * find there what a job of one task has left ({@code FusedState}). Several assigners restore the same: what the first
 * one had, with the edges that the others had moved. That is never behind what any of them had, because the first one's
 * barrier comes after everything that the others had heard from it.
 */
public final class StoredRepartitioning {
    /** That of the only assigner in earlier builds, which one task reads. */
    private static final ListStateDescriptor<byte[]> REPARTITIONING =
            new ListStateDescriptor<>("repartitioning", BytePrimitiveArraySerializer.INSTANCE);
    /** That of the first assigner, or the only one. */
    private static final ListStateDescriptor<byte[]> OF_FIRST =
            new ListStateDescriptor<>("repartitioning-of-first", BytePrimitiveArraySerializer.INSTANCE);
    /** Edges that each of several assigners but the first has moved. */
    private static final ListStateDescriptor<byte[]> MOVED =
            new ListStateDescriptor<>("moved-edges", BytePrimitiveArraySerializer.INSTANCE);

    private final ListState<byte[]> state;
    private final ListState<byte[]> moved;
    private RepartitioningState restored;
    private final boolean isOfEarlierBuild;

    public StoredRepartitioning(OperatorStateStore store) throws Exception {
        ListState<byte[]> ofOne = store.getListState(REPARTITIONING);
        state = store.getUnionListState(OF_FIRST);
        moved = store.getUnionListState(MOVED);
        RepartitioningState last = RepartitioningState.NONE;
        for (byte[] bytes : ofOne.get()) {
            last = RepartitioningCodec.fromBytes(bytes);
        }
        isOfEarlierBuild = last != RepartitioningState.NONE;
        ofOne.update(List.of());
        for (byte[] bytes : state.get()) {
            last = RepartitioningCodec.fromBytes(bytes);
        }
        long edges = 0;
        for (byte[] bytes : moved.get()) {
            edges += RepartitioningCodec.movedFromBytes(bytes, last.generation());
        }
        restored = last.withMoved(edges);
    }

    /** Returns what a checkpoint had, {@link RepartitioningState#NONE} for nothing. */
    public RepartitioningState restored() {
        return restored;
    }

    /** Returns whether one task has it that is of an earlier build, and others do not know of it. */
    public boolean isOfEarlierBuild() {
        return isOfEarlierBuild;
    }

    /** Goes on with what a job of the other topology has left. */
    public void takeOver(RepartitioningState left) {
        restored = left;
    }

    /** Removes it from the state. */
    public void clear() throws Exception {
        state.update(List.of());
        moved.update(List.of());
    }

    /** Updates the state of the first assigner, or of the only one. */
    public void update(RepartitioningState now) throws Exception {
        state.update(List.of(RepartitioningCodec.toBytes(now)));
        moved.update(List.of());
    }

    /**
     * Updates the state of another assigner.
     *
     * @param edges that it has moved in the generation since it was restored
     */
    public void update(long generation, long edges) throws Exception {
        state.update(List.of());
        moved.update(List.of(RepartitioningCodec.movedToBytes(generation, edges)));
    }
}
