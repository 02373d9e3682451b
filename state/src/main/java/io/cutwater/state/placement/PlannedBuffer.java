package io.cutwater.state.placement;

import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.joint.BufferCuts;
import io.cutwater.state.joint.JointCut;
import io.cutwater.state.joint.JointPause;
import io.cutwater.state.joint.JointPlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A buffer whose edges are placed together, or whose vertices get their owners together, by plans that are made while
 * the stream goes on. A plan begins when the buffer is full. It is taken when an eighth of a buffer more has come,
 * whenever it was ready, so that the result does not depend on time. Whatever else changes the tables comes after that
 * ({@link #finishPlan}).
 *
 * <p>The edges of a buffer that shows no communities are placed one by one, and so are the next ones, for a
 * {@link JointPause}.
 *
 * @param <S> the sorted edges of a plan
 * @param <B> what is chosen
 */
final class PlannedBuffer<S, B> {
    /** The share of a buffer that comes while a plan is made for a full one. */
    private static final int AHEAD = 8;

    /** Edges after which the stream waits a little for the plan, so that no edge, and no barrier, waits for long. */
    private static final int PACE_EDGES = 1024;

    private static final long PACE_MILLIS = 100;

    /** What the edges of a buffer are, and how they leave it. */
    interface Edges<S, B> {
        /**
         * Begins a plan.
         *
         * @param snapshot from which the plan goes on; empty for one that begins now
         */
        JointPlan<S, B> begin(EdgeBatch planned, List<byte[]> snapshot);

        /** Chooses for all buffered edges at once. */
        B choose();

        /** Returns whether something is chosen; if not, the edges are better placed one by one. */
        boolean isChosen(B plan);

        /**
         * Places those edges of a plan that are surest of their place, one at least.
         *
         * @param size of the plan
         */
        void placeSurest(B plan, int size, PlacedEdges into);

        /** Places the buffered edges one by one, except those that wait in a window. */
        void placeOneByOne(PlacedEdges into);

        /** Places edges that wait in a window, so that there is room for those of the stream as it is now. */
        void makeRoom(int most, PlacedEdges into);

        /** Places the edges that were buffered before that many others. */
        void placeBefore(long number, PlacedEdges into);
    }

    private final int size;
    private final EdgeBuffer held;
    private final Edges<S, B> edges;
    private final BufferCuts cuts = new BufferCuts();
    private final JointPause pause = new JointPause();
    private @Nullable JointPlan<S, B> plan; // of the oldest edges
    private long planEnd; // edges that had ever been buffered when it began
    private int assigner;
    private int assigners = 1;

    /** @param size edges of a full buffer, at least 1 */
    PlannedBuffer(int size, EdgeBuffer held, Edges<S, B> edges) {
        this.size = size;
        this.held = held;
        this.edges = edges;
    }

    /** Makes the buffer that of one of several assigners, so that it takes back no cuts of others. */
    void share(int assigner, int assigners) {
        this.assigner = assigner;
        this.assigners = assigners;
    }

    /** Begins, goes on with or finishes a plan, or counts an edge of a pause, when an edge has come. */
    void took(PlacedEdges into) {
        if (pause.isOn()) {
            if (pause.endsWithEdge()) {
                edges.makeRoom(size / 4, into);
            }
            return;
        }
        if (plan == null) {
            if (held.size() < size) {
                return;
            }
            plan = edges.begin(held.toBatch(), List.of());
            planEnd = held.added();
        }
        long later = held.added() - planEnd; // of several assigners others may have decided on those before
        if (later >= size / AHEAD) {
            finishPlan(into);
        } else if (later % PACE_EDGES == PACE_EDGES - 1) {
            plan.advance(PACE_MILLIS);
        }
    }

    /** Returns whether edges are placed one by one. */
    boolean isPaused() {
        return pause.isOn();
    }

    /** Returns whether a plan is being made, so that what it reads must not change. */
    boolean isPlanning() {
        return plan != null;
    }

    /** Places edges by the plan that is being made, if there is one, so that the tables may change. */
    void finishPlan(PlacedEdges into) {
        if (plan != null) {
            B chosen = plan.finish();
            int planned = plan.size();
            plan = null;
            place(chosen, planned, into);
            while (held.size() >= size && !pause.isOn()) {
                place(edges.choose(), held.size(), into);
            }
        }
    }

    /** Places edges by the plan that is being made, or by one that is made at once. */
    void placeNow(PlacedEdges into) {
        if (plan != null) {
            finishPlan(into);
        } else {
            place(edges.choose(), held.size(), into);
        }
    }

    private void place(B chosen, int planned, PlacedEdges into) {
        if (edges.isChosen(chosen)) {
            pause.shorten();
            edges.placeSurest(chosen, planned, into);
            held.orderFreed();
        } else {
            beginPause(into);
        }
    }

    /** Begins to place edges one by one. */
    void beginPause(PlacedEdges into) {
        pause.begin(size);
        edges.placeOneByOne(into);
    }

    /** Drops the plan that is being made; its edges will be planned again. */
    void dropPlan() {
        if (plan != null) {
            plan.stop();
            plan = null;
        }
    }

    /** Cuts off the edges that have been buffered at so many checkpoints, this one included. */
    void cut(int checkpoints) {
        cuts.cut(checkpoints, held.added());
    }

    /** Places the edges before the cut, if there is one. */
    void placeCut(PlacedEdges into) {
        long number = cuts.take();
        if (number > 0) {
            edges.placeBefore(number, into);
        }
    }

    /** Returns the pause if there is or was one, and where the buffer is cut. */
    List<byte[]> snapshot() {
        List<byte[]> pieces = new ArrayList<>();
        if (!pause.isForgotten()) {
            pieces.add(pause.toBytes());
        }
        JointCut now = cuts.now(plan == null ? 0 : held.countBefore(planEnd), held::countBefore);
        if (!now.isNone()) {
            pieces.add(now.toBytes(assigner, assigners));
        }
        return pieces;
    }

    /** Returns the pieces of a snapshot that {@link #snapshot} does not give. */
    static List<byte[]> others(List<byte[]> snapshot) {
        return JointCut.others(JointPause.others(snapshot));
    }

    /** Takes back the pause of a snapshot; then its edges are buffered. */
    void restorePause(List<byte[]> snapshot) {
        pause.restore(snapshot);
    }

    /** Takes back the cuts of a snapshot, whose edges are buffered, and begins its plan again. */
    void restorePlan(List<byte[]> snapshot, EdgeBatch buffered) {
        JointCut then = JointCut.of(snapshot, buffered.size(), assigner, assigners);
        cuts.restore(then);
        if (then.planned() > 0) {
            EdgeBatch planned = new EdgeBatch(then.planned());
            for (int i = 0; i < then.planned(); i++) {
                planned.addFrom(buffered, i);
            }
            plan = edges.begin(planned, snapshot);
            planEnd = then.planned();
        }
    }
}
