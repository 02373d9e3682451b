package io.cutwater.state.placement;

import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.joint.JointPlan;
import io.cutwater.state.joint.JointVertexRule;
import io.cutwater.state.joint.OwnedSoFar;
import io.cutwater.state.joint.OwnerBuffer;
import io.cutwater.state.joint.OwnerMoves;
import io.cutwater.state.joint.WaitingEdges;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Owners that are chosen together. When the buffer is full, owners are chosen for all of its vertices
 * ({@link OwnerBuffer}), and the surest vertices get theirs, until a share of the edges can be placed.
 *
 * <p>While a plan is made no vertex gets an owner, and edges between vertices that have one are placed. The vertices of
 * a buffer that shows no communities get their owners one by one, as without a buffer.
 *
 * <p>If vertices move to better places ({@link Refinement}), a plan also chooses for those with an owner that buffered
 * edges name, and they move before the others get their owners.
 */
final class JointOwners implements PlannedBuffer.Edges<OwnerBuffer.Endpoints, OwnerBuffer> {
    /** The share of a full buffer whose edges are placed; the vertices of the others wait until more is known. */
    private static final int PLACED_SHARE = 4;

    /** Edges of a full buffer that may wait on although they were to be placed, as a share of those that wait. */
    private static final int LEAST_SHARE = 4;

    /** At the end of the input, the share of a full buffer that is not planned for, if there are several assigners. */
    private static final int FEW = 16;

    /** Edges that leave a full buffer for each that comes when a pause has begun. */
    private static final int PLACED_AT_ONCE = 8;

    /** The placed edges of a vertex that a plan may move, as a share of those that may move now. */
    private static final int MOVED_SHARE = 20;

    private final JointVertexRule rule;
    private final OwnerLoop loop;
    private final VertexTable vertices;
    private final OwnerTables tables;
    private final OwnerLoads loads;
    private final EdgeBuffer held;
    private final int windowSize; // in a pause
    private final PlannedBuffer<OwnerBuffer.Endpoints, OwnerBuffer> plans;
    private OwnedSoFar owned; // when the plan began
    private OwnerMoves moves = OwnerMoves.none(); // in this plan
    private @Nullable Refinement refinement;

    JointOwners(JointVertexRule rule, OwnerLoop loop, VertexTable vertices, OwnerTables tables, OwnerLoads loads) {
        this.rule = rule;
        this.loop = loop;
        this.vertices = vertices;
        this.tables = tables;
        this.loads = loads;
        held = loop.window().edges();
        windowSize = Math.min(rule.windowSize(), rule.bufferSize() - 1);
        plans = new PlannedBuffer<>(rule.bufferSize(), held, this);
        owned = OwnedSoFar.of(loads);
    }

    PlannedBuffer<OwnerBuffer.Endpoints, OwnerBuffer> plans() {
        return plans;
    }

    /** Lets vertices move. */
    void refineBy(Refinement by) {
        refinement = by;
    }

    private OwnerMoves moves() {
        Refinement moving = refinement;
        return moving == null || loads.partitionCount() < vertices.layout().partitionCount()
                ? OwnerMoves.none()
                : new OwnerMoves((long) (moving.credit() / MOVED_SHARE));
    }

    /** Goes on when an edge between vertices that have their owner has been placed. */
    void placed(int source, int target, PlacedEdges into) {
        if (plans.isPlanning() && moves.areWanted()) {
            moves.placed(
                    vertices.vertex(source),
                    vertices.vertex(target),
                    Place.of(vertices.master(source), vertices.master(target)));
            if (moves.size() >= rule.bufferSize()) {
                plans.finishPlan(into);
            }
        }
    }

    /** Goes on when an edge has been buffered. */
    void took(PlacedEdges into) {
        if (plans.isPaused()) {
            loop.placeAllBut(Math.max(windowSize, held.size() - PLACED_AT_ONCE), into);
        }
        plans.took(into);
    }

    @Override
    public JointPlan<OwnerBuffer.Endpoints, OwnerBuffer> begin(EdgeBatch planned, List<byte[]> snapshot) {
        OwnedSoFar now = OwnedSoFar.of(snapshot, loads);
        owned = now;
        OwnerMoves moving = snapshot.isEmpty() ? moves() : OwnerMoves.of(snapshot);
        moves = moving;
        loop.window().unrank(); // until vertices get their owners one by one
        return new JointPlan<>(
                planned.size(),
                () -> new OwnerBuffer.Endpoints(planned, moving),
                ends -> new OwnerBuffer(planned, ends, vertices, loop.known(), moving, now.partitionCount()),
                chosen -> chosen.choose(rule, now, false));
    }

    @Override
    public OwnerBuffer choose() {
        return choose(false);
    }

    private OwnerBuffer choose(boolean isWhole) {
        return OwnerBuffer.of(held.toBatch(), rule, vertices, loop.known(), loads, moves(), isWhole);
    }

    @Override
    public boolean isChosen(OwnerBuffer plan) {
        return plan.isChosen();
    }

    /** Does nothing yet: a full buffer is placed with the edges that come, so that no barrier waits for all of it. */
    @Override
    public void placeOneByOne(PlacedEdges into) {}

    @Override
    public void makeRoom(int most, PlacedEdges into) {
        loop.placeAllBut(most, into);
    }

    @Override
    public void placeBefore(long number, PlacedEdges into) {
        loop.placeHeldBefore(number, into);
    }

    /** Gives owners to the surest vertices, until a share of the edges that were chosen for has been placed. */
    @Override
    public void placeSurest(OwnerBuffer chosen, int size, PlacedEdges into) {
        int placing = Math.max(1, size / PLACED_SHARE);
        int before = held.size();
        int left = before - placing;
        moveAll(chosen, into);
        ownAll(chosen, chosen.surestFirst(placing, rule, loads), into);
        settleAlone(chosen, Math.min(before - 1, left + left / LEAST_SHARE), into);
    }

    /** Moves vertices that have an owner where the plan has them, as far as moves go. */
    private void moveAll(OwnerBuffer chosen, PlacedEdges into) {
        Refinement moving = refinement;
        if (moving == null) {
            return;
        }
        for (int number : chosen.moves(VertexPlacer.LEAST_GAIN)) {
            long vertex = chosen.vertex(number);
            int to = chosen.owner(number);
            long degree = vertices.degree(vertices.slot(vertex));
            if (rule.takesMoved(to, degree, loads)) {
                moving.move(vertex, degree, chosen.before(number), to, into);
            }
        }
    }

    /** Gives vertices whose chosen owner has no room another one, until no more than some edges are left. */
    private void settleAlone(OwnerBuffer chosen, int most, PlacedEdges into) {
        for (int number = 0; held.size() > most && number < chosen.size(); number++) {
            if (isWaiting(chosen.vertex(number))) {
                loop.settle(chosen.vertex(number), into);
            }
        }
    }

    private void ownAll(OwnerBuffer chosen, int[] numbers, PlacedEdges into) {
        WaitingEdges waiting = chosen.waiting();
        int[] buffered = waiting == null ? new int[0] : held.slots();
        for (int number : numbers) {
            long vertex = chosen.vertex(number);
            if (isWaiting(vertex)) {
                loop.own(vertex, vertices.slot(vertex), chosen.owner(number), number, waiting, buffered, into);
            }
        }
    }

    /** Returns whether a vertex has no owner yet: of several assigners another one may have proposed one. */
    private boolean isWaiting(long vertex) {
        return loop.window().firstEdge(vertex) != EdgeBuffer.NONE;
    }

    /**
     * Gives owners to some of the surest vertices at the end of the input, unless there are few edges: other assigners
     * hear of them before the next ones are chosen. Returns whether edges have left the buffer.
     */
    boolean placeSome(PlacedEdges into) {
        int before = held.size();
        if (before > rule.bufferSize() / FEW && !plans.isPaused()) {
            plans.placeNow(into);
        }
        return held.size() < before;
    }

    /** Chooses owners for all vertices and gives them to those whose chosen owner has room, at the end of the input. */
    void placeAll(PlacedEdges into) {
        plans.dropPlan();
        if (held.size() > 0 && !plans.isPaused()) {
            OwnerBuffer chosen = choose(loads.totalOwned() == 0);
            if (chosen.isChosen()) {
                moveAll(chosen, into);
                ownAll(chosen, chosen.surestFirst(held.size(), rule, loads), into);
            }
        }
        loop.placeAllBut(0, into);
    }

    /** Chooses owners and gives them to the endpoints of the edges that were buffered before so many others. */
    void chooseBefore(long number, PlacedEdges into) {
        int due = held.countBefore(number);
        if (due == 0 || plans.isPaused()) {
            return;
        }
        plans.dropPlan();
        OwnerBuffer chosen = choose(due == held.size() && loads.totalOwned() == 0);
        if (chosen.isChosen()) {
            moveAll(chosen, into);
            ownAll(chosen, chosen.endpoints(due, rule, loads), into);
        } else {
            plans.beginPause(into);
        }
    }

    /**
     * Returns the state of plans, and what partitions own and which vertices may move in the one that is being made.
     */
    List<byte[]> snapshot() {
        List<byte[]> pieces = new ArrayList<>(plans.snapshot());
        if (plans.isPlanning()) {
            pieces.add(owned.toBytes());
            if (moves.areWanted()) {
                pieces.addAll(moves.toBytes());
            }
        }
        return pieces;
    }

    /** Returns the pieces of a snapshot that {@link #snapshot} does not give. */
    static List<byte[]> others(List<byte[]> snapshot) {
        return OwnerMoves.others(OwnedSoFar.others(PlannedBuffer.others(snapshot)));
    }

    /** Goes on with the plan or the pause of a snapshot; its edges are buffered, and its loads are restored. */
    void restore(List<byte[]> snapshot, EdgeBatch buffered) {
        plans.restorePause(snapshot);
        plans.restorePlan(snapshot, buffered);
    }
}
