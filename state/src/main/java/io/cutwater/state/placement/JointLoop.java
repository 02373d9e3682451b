package io.cutwater.state.placement;

import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RecordPrefetch;
import io.cutwater.state.joint.EdgeCopies;
import io.cutwater.state.joint.JointBuffer;
import io.cutwater.state.joint.JointPartitioner;
import io.cutwater.state.joint.JointPlan;
import io.cutwater.state.rule.BufferedPartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The buffered edges of a rule that places them together. When the buffer is full, places are chosen for all of them
 * ({@link JointBuffer}), and half of them are placed, the surest first, or more if more are sure. So each edge is
 * chosen for twice in the mean at most, and an edge of which little is known waits longer.
 *
 * <p>The edges of a buffer that shows no communities are placed one by one by a {@link BufferedLoop}.
 *
 * <p>The loads keep the rule's cap for the edges that are placed, at every time. An edge whose place is full waits, or
 * is placed by itself if it may not wait any longer. Copies of an edge are placed in the order in which they came.
 */
final class JointLoop implements PlannedBuffer.Edges<AdjacencyGraph, JointBuffer> {
    /** When so few of a full buffer find room where they belong, others are placed by themselves. */
    private static final int LEAST_SHARE = 16;

    /** The share of a full buffer that waits on, however sure its edges are. */
    private static final int LEAST_WAITING = 10;

    /** At the end of the input, the share of a full buffer that is placed at once, if there are several assigners. */
    private static final int FEW = 16;

    private final JointPartitioner rule;
    private final VertexTable vertices;
    private final EdgeTables tables;
    private final EdgeWindow window;
    private final EdgeBuffer held;
    private final HeldEdges edges;
    private final boolean keepsEdges;
    private final BufferedLoop oneByOne;
    private final PlannedBuffer<AdjacencyGraph, JointBuffer> plans;

    JointLoop(JointPartitioner rule, VertexTable vertices, EdgeTables tables, EdgeWindow window, boolean keepsEdges) {
        this.rule = rule;
        this.vertices = vertices;
        this.tables = tables;
        this.window = window;
        held = window.edges();
        this.keepsEdges = keepsEdges;
        edges = new HeldEdges(rule, vertices, tables, window, keepsEdges);
        BufferedPartitioner single = rule.oneByOne();
        int windowSize = Math.max(1, Math.min(single.windowSize(), rule.bufferSize() - 1));
        oneByOne = new BufferedLoop(single, windowSize, vertices, tables, window);
        plans = new PlannedBuffer<>(rule.bufferSize(), held, this);
    }

    /** Places the copies of an edge that are buffered, the oldest first, where a younger one comes to be. */
    void placeCopies(long source, long target, int partition, PlacedEdges into) {
        edges.placeCopies(source, target, partition, into);
    }

    /** Returns the loop that places edges one by one, if it does so now. */
    @Nullable BufferedLoop oneByOne() {
        return plans.isPaused() ? oneByOne : null;
    }

    PlannedBuffer<AdjacencyGraph, JointBuffer> plans() {
        return plans;
    }

    /** Buffers edge {@code i}, which its endpoints, in these slots, have counted. */
    void take(EdgeBatch batch, int i, int source, int target, PlacedEdges into) {
        if (plans.isPaused()) {
            oneByOne.take(batch, i, source, target, into);
        } else {
            edges.add(batch, i);
        }
        plans.took(into);
    }

    @Override
    public JointPlan<AdjacencyGraph, JointBuffer> begin(EdgeBatch planned, List<byte[]> snapshot) {
        int size = planned.size();
        PartitionLoads loads = tables.openLoads();
        return new JointPlan<>(
                size,
                () -> AdjacencyGraph.sorted(planned),
                graph -> new JointBuffer(graph, held.newest(held.size() - size), rule, vertices, loads),
                chosen -> chosen.choose(false));
    }

    @Override
    public JointBuffer choose() {
        return choose(false);
    }

    private JointBuffer choose(boolean isWhole) {
        return JointBuffer.of(held.toBatch(), rule, vertices, tables.openLoads(), isWhole);
    }

    @Override
    public boolean isChosen(JointBuffer plan) {
        return plan.isChosen();
    }

    @Override
    public void makeRoom(int most, PlacedEdges into) {
        oneByOne.placeAllBut(most, into); // those that have waited in vain show little
        if (!keepsEdges) {
            window.forgetVertices();
        }
    }

    @Override
    public void placeOneByOne(PlacedEdges into) {
        window.forgetVertices();
        int[] slots = held.slots();
        BitSet all = new BitSet();
        all.set(0, slots.length);
        for (int edge = 0; edge < slots.length; edge++) {
            int at = edge % HeldEdges.EXPECTED;
            if (at == 0) {
                edges.expect(slots, all, edge);
            }
            if (at % RecordPrefetch.EDGES == 0) {
                edges.prefetch(at, Math.min(at + RecordPrefetch.EDGES, at + slots.length - edge));
            }
            oneByOne.takeHeld(slots[edge], slots.length - edge - 1, into);
        }
    }

    /**
     * Places the surest of the buffered edges, half of them at least, or all if there are few: other assigners hear of
     * them before they place their next ones.
     */
    void placeSome(PlacedEdges into) {
        int before = held.size();
        if (before > rule.bufferSize() / FEW && !plans.isPaused()) {
            plans.placeNow(into);
        }
        if (held.size() == before) { // also if a pause has begun, in which all wait for others
            placeBefore(held.added(), into);
        }
    }

    /** Returns the state of the rule, of pauses, and where the buffer is cut. */
    List<byte[]> snapshot() {
        List<byte[]> pieces = new ArrayList<>(rule.snapshot());
        pieces.addAll(plans.snapshot());
        return pieces;
    }

    void restore(List<byte[]> snapshot, EdgeBatch buffered) {
        rule.restore(PlannedBuffer.others(snapshot));
        plans.restorePause(snapshot);
        for (int i = 0; i < buffered.size(); i++) {
            if (plans.isPaused()) {
                window.add(buffered, i, true, true);
            } else {
                edges.add(buffered, i);
            }
        }
        plans.restorePlan(snapshot, buffered);
    }

    @Override
    public void placeSurest(JointBuffer chosen, int size, PlacedEdges into) {
        JointBuffer.Order surest = chosen.surestFirst();
        int[] order = surest.edges();
        int most = order.length - order.length / LEAST_WAITING;
        int wanted = Math.max(Math.max(1, order.length / 2), Math.min(most, surest.sureCount()));
        long[] rooms = tables.openLoads().edges();
        long cap = edges.cap(wanted);
        Arrays.setAll(rooms, p -> cap - rooms[p]);
        BitSet placing = new BitSet(order.length);
        int placed = 0;
        int passed = 0;
        for (int at = 0; at < order.length && placed < wanted; at++) {
            int edge = order[at];
            if (rooms[chosen.place(edge)]-- > 0) {
                placing.set(edge);
                placed++;
            } else {
                order[passed++] = edge;
            }
        }
        BitSet alone = new BitSet();
        for (int at = 0; at < passed && placed < Math.max(1, wanted / LEAST_SHARE); at++, placed++) {
            alone.set(order[at]);
        }
        int[] slots = held.slots();
        EdgeCopies copies = keepsEdges ? chosen.copies() : EdgeCopies.NONE; // else nothing is removed
        place(chosen, slots, placing, copies, false, into);
        place(chosen, slots, alone, copies, true, into);
        chosen.settle();
    }

    /** Places some of the buffered edges, in the order in which they came. */
    private void place(
            JointBuffer chosen, int[] slots, BitSet some, EdgeCopies copies, boolean isAlone, PlacedEdges into) {
        int count = 0;
        for (int edge = some.nextSetBit(0); edge >= 0; edge = some.nextSetBit(edge + 1)) {
            if (count++ % HeldEdges.EXPECTED == 0) {
                edges.expect(slots, some, edge);
            }
            int place = isAlone ? EdgeBatch.NO_PLACE : chosen.place(edge);
            edges.place(chosen, edge, slots[copies.takeOldest(edge)], place, into);
        }
    }

    @Override
    public void placeBefore(long number, PlacedEdges into) {
        if (plans.isPaused()) {
            oneByOne.placeBefore(number, into);
            return;
        }
        int due = held.countBefore(number);
        if (due == 0) {
            return;
        }
        plans.dropPlan();
        int[] slots = held.slots();
        JointBuffer chosen = choose(due == slots.length && tables.openLoads().totalEdges() == 0);
        if (!chosen.isChosen()) {
            plans.beginPause(into);
            oneByOne.placeBefore(number, into);
            return;
        }
        long cap = edges.cap(due);
        BitSet all = new BitSet();
        all.set(0, due);
        for (int edge = 0; edge < due; edge++) {
            if (edge % HeldEdges.EXPECTED == 0) {
                edges.expect(slots, all, edge);
            }
            int place = chosen.place(edge);
            boolean hasRoom = tables.openLoads().edges(place) < cap;
            edges.place(chosen, edge, slots[edge], hasRoom ? place : EdgeBatch.NO_PLACE, into);
        }
        chosen.settle();
    }
}
