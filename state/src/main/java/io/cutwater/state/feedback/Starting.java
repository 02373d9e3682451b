package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.SlotIndex;

/**
 * The time at the start of an attempt before an assigner places edges. When every bucket has greeted, it tells the
 * tables that all is sent that earlier attempts have left; if it is the only one, after several, it awaits the records
 * that it needs ({@link CatchingUp}).
 */
final class Starting {
    private final UpdateSender updates;
    private final UpdateSender.Changes changes;
    private Resumption resumption;
    private VertexSet awaited = new VertexSet(); // vertices whose records have not come
    private int tablesAwaited; // whose records have not come
    private boolean isReady; // every bucket has greeted
    private boolean isOver;

    Starting(Resumption resumption, UpdateSender updates, UpdateSender.Changes changes) {
        this.resumption = resumption;
        this.updates = updates;
        this.changes = changes;
    }

    /** See {@link ViewJoin#resume}. */
    void resume(Resumption other) {
        resumption = other;
    }

    /** Takes down which records have come. */
    void restored(Views views) {
        tablesAwaited -= views.handover() == null ? 0 : 1;
        for (int i = 0; i < views.size(); i++) {
            int at = awaited.find(views.records()[i * views.stride()]);
            if (at != SlotIndex.NO_SLOT) {
                awaited.remove(at);
            }
        }
    }

    /** Goes on if it can; returns whether it is over since this call. */
    boolean proceed() {
        if (!isReady && updates.isReady()) {
            isReady = true;
            tablesAwaited = resumption.asksForRecords() ? updates.firstBuckets().length : 0;
            if (resumption.catchesUp()) {
                catchUp();
            }
        }
        boolean awaitsRecords = resumption.asksForRecords() && awaited.size() > 0;
        boolean isNowOver = isReady && !isOver && tablesAwaited == 0 && !awaitsRecords;
        isOver |= isNowOver;
        return isNowOver;
    }

    private void catchUp() {
        awaited = VertexSet.of(resumption.buffered());
        updates.catchUp(resumption.asksForRecords(), awaited, resumption.degreeChanges(awaited));
        if (changes instanceof ReplicaChanges shared) {
            shared.enter(awaited);
        }
    }

    /** Returns whether the assigner may place edges. */
    boolean isOver() {
        return isOver;
    }
}
