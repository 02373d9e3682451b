package io.cutwater.state.placement;

import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.joint.BufferCuts;
import io.cutwater.state.joint.JointCut;
import io.cutwater.state.joint.JointPlan;
import io.cutwater.state.joint.JointVertexRule;
import io.cutwater.state.joint.OwnedSoFar;
import io.cutwater.state.joint.OwnerBuffer;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Owners that are chosen together. When the buffer is full, owners are chosen for all of its vertices
 * ({@link OwnerBuffer}), and the surest vertices get theirs, until a share of the edges can be placed.
 *
 * <p>The owners are chosen by other threads ({@link JointPlan}) while an eighth of a buffer more comes; then they are
 * given, whenever they were ready, so that the result does not depend on time. Meanwhile no vertex gets an owner, and
 * edges between vertices that have one are placed. Whatever else changes owners comes after that ({@link #finishPlan}).
 */
final class JointOwners implements PlannedBuffer {
    /** The share of a full buffer whose edges are placed; the vertices of the others wait until more is known. */
    private static final int PLACED_SHARE = 4;

    /** Edges of a full buffer that may wait on although they were to be placed, as a share of those that wait. */
    private static final int LEAST_SHARE = 4;

    private final JointVertexRule rule;
    private final OwnerLoop loop;
    private final VertexTable vertices;
    private final OwnerTables tables;
    private final OwnerLoads loads;
    private final EdgeBuffer held;
    private final BufferCuts cuts = new BufferCuts();
    private @Nullable JointPlan<OwnerBuffer.Endpoints, OwnerBuffer> plan; // of the oldest edges
    private OwnedSoFar owned; // when it began

    JointOwners(JointVertexRule rule, OwnerLoop loop, VertexTable vertices, OwnerTables tables, OwnerLoads loads) {
        this.rule = rule;
        this.loop = loop;
        this.vertices = vertices;
        this.tables = tables;
        this.loads = loads;
        held = loop.window().edges();
        owned = OwnedSoFar.of(loads);
    }

    /** Begins, goes on with or finishes a plan when an edge has been buffered. */
    void took(PlacedEdges into) {
        if (plan == null) {
            if (held.size() < rule.bufferSize()) {
                return;
            }
            plan = begin(held.toBatch(), OwnedSoFar.of(loads));
        }
        int later = held.size() - plan.size();
        if (later >= rule.bufferSize() / AHEAD) {
            finishPlan(into);
        } else if (later % PACE_EDGES == PACE_EDGES - 1) {
            plan.advance(PACE_MILLIS);
        }
    }

    private JointPlan<OwnerBuffer.Endpoints, OwnerBuffer> begin(EdgeBatch planned, OwnedSoFar now) {
        owned = now;
        return new JointPlan<>(
                planned.size(),
                () -> new OwnerBuffer.Endpoints(planned),
                ends -> new OwnerBuffer(planned, ends, vertices),
                chosen -> chosen.choose(rule, now));
    }

    @Override
    public boolean isPlanning() {
        return plan != null;
    }

    @Override
    public void finishPlan(PlacedEdges into) {
        if (plan != null) {
            OwnerBuffer chosen = plan.finish();
            int size = plan.size();
            plan = null;
            placeSurest(chosen, size, into);
            while (held.size() >= rule.bufferSize()) {
                placeSurest(chosen(), held.size(), into);
            }
        }
    }

    @Override
    public void dropPlan() {
        if (plan != null) {
            plan.stop();
            plan = null;
        }
    }

    private OwnerBuffer chosen() {
        return OwnerBuffer.of(held.toBatch(), rule, vertices, loads);
    }

    /** Gives owners to the surest vertices, until a share of the edges that were chosen for has been placed. */
    private void placeSurest(OwnerBuffer chosen, int size, PlacedEdges into) {
        int placing = Math.max(1, size / PLACED_SHARE);
        int before = held.size();
        int left = before - placing;
        settleAll(chosen, chosen.surestFirst(placing), into);
        settleAlone(chosen, Math.min(before - 1, left + left / LEAST_SHARE), into);
    }

    /** Gives vertices whose chosen owner has no room another one, until no more than some edges are left. */
    private void settleAlone(OwnerBuffer chosen, int most, PlacedEdges into) {
        for (int number = 0; held.size() > most && number < chosen.size(); number++) {
            if (!tables.hasOwner(vertices.slot(chosen.vertex(number)))) {
                loop.settle(chosen.vertex(number), into);
            }
        }
    }

    /** Gives vertices their chosen owners, except those whose owner would have too many then. */
    private void settleAll(OwnerBuffer chosen, int[] numbers, PlacedEdges into) {
        int count = numbers.length;
        for (int before = count + 1; count < before; ) {
            before = count;
            count = 0;
            double capacity = rule.capacity(loads.totalOwned() + before, loads.partitionCount());
            long[] rooms = new long[loads.partitionCount()];
            Arrays.setAll(rooms, p -> (long) Math.floor(capacity) - loads.owned(p));
            for (int number : numbers) {
                if (rooms[chosen.owner(number)]-- > 0) {
                    numbers[count++] = number;
                }
            }
            numbers = Arrays.copyOf(numbers, count);
        }
        for (int number : numbers) {
            long vertex = chosen.vertex(number);
            loop.own(vertex, vertices.slot(vertex), chosen.owner(number), into);
        }
    }

    /** Chooses owners for all vertices and gives them to those whose chosen owner has room, at the end of the input. */
    void placeAll(PlacedEdges into) {
        dropPlan();
        if (held.size() > 0) {
            OwnerBuffer chosen = chosen();
            settleAll(chosen, chosen.surestFirst(held.size()), into);
            settleAlone(chosen, 0, into);
        }
    }

    /** Chooses owners and gives them to the endpoints of the edges that were buffered before so many others. */
    void chooseBefore(long number, PlacedEdges into) {
        int due = held.countBefore(number);
        if (due > 0) {
            dropPlan();
            OwnerBuffer chosen = chosen();
            settleAll(chosen, chosen.endpoints(due), into);
        }
    }

    @Override
    public void cut(int checkpoints) {
        cuts.cut(checkpoints, held.added());
    }

    @Override
    public void placeCut(PlacedEdges into) {
        long number = cuts.take();
        if (number > 0) {
            loop.placeHeldBefore(number, into);
        }
    }

    /** Returns where the buffer is cut, and what partitions own in the plan that is being made. */
    List<byte[]> snapshot() {
        List<byte[]> pieces = new ArrayList<>();
        JointCut now = cuts.now(plan == null ? 0 : plan.size(), held::countBefore);
        if (!now.isNone()) {
            pieces.add(now.toBytes());
        }
        if (plan != null) {
            pieces.add(owned.toBytes());
        }
        return pieces;
    }

    /** Returns the pieces of a snapshot that {@link #snapshot} does not give. */
    static List<byte[]> others(List<byte[]> snapshot) {
        return OwnedSoFar.others(JointCut.others(snapshot));
    }

    /** Begins the plan of a snapshot again; its edges are buffered, and its loads are restored. */
    void restore(List<byte[]> snapshot, EdgeBatch buffered) {
        JointCut then = JointCut.of(snapshot, buffered.size());
        cuts.restore(then);
        if (then.planned() > 0) {
            EdgeBatch planned = new EdgeBatch(then.planned());
            for (int i = 0; i < then.planned(); i++) {
                planned.addFrom(buffered, i);
            }
            plan = begin(planned, OwnedSoFar.of(snapshot, loads));
        }
    }
}
