package io.cutwater.state.placement;

import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.joint.EdgeCopies;
import io.cutwater.state.joint.JointBuffer;
import io.cutwater.state.joint.JointPartitioner;
import io.cutwater.state.joint.JointPause;
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
 * <p>The edges of a buffer that shows no communities are placed one by one ({@link BufferedLoop}), and so are the next
 * ones, for a {@link JointPause}.
 *
 * <p>The loads keep the rule's cap for the edges that are placed, at every time. An edge whose place is full waits, or
 * is placed by itself if it may not wait any longer. Copies of an edge are placed in the order in which they came.
 */
final class JointLoop {
    /** When so few of a full buffer find room where they belong, others are placed by themselves. */
    private static final int LEAST_SHARE = 16;

    /** The share of a full buffer that waits on, however sure its edges are. */
    private static final int LEAST_WAITING = 10;

    private static final int EXPECTED = 4096;

    private final JointPartitioner rule;
    private final VertexTable vertices;
    private final EdgeTables tables;
    private final EdgeWindow window;
    private final EdgeBuffer held;
    private final boolean keepsEdges;
    private final BufferedLoop oneByOne;
    private final JointPause pause = new JointPause();
    private final long[] sources = new long[EXPECTED];
    private final long[] targets = new long[EXPECTED];

    JointLoop(JointPartitioner rule, VertexTable vertices, EdgeTables tables, EdgeWindow window, boolean keepsEdges) {
        this.rule = rule;
        this.vertices = vertices;
        this.tables = tables;
        this.window = window;
        held = window.edges();
        this.keepsEdges = keepsEdges;
        BufferedPartitioner single = rule.oneByOne();
        int windowSize = Math.max(1, Math.min(single.windowSize(), rule.bufferSize() - 1));
        oneByOne = new BufferedLoop(single, windowSize, vertices, tables, window);
    }

    /** Returns the loop that places edges one by one, if it does so now. */
    @Nullable BufferedLoop oneByOne() {
        return pause.isOn() ? oneByOne : null;
    }

    /** Buffers edge {@code i}, which its endpoints, in these slots, have counted. */
    void take(EdgeBatch batch, int i, int source, int target, PlacedEdges into) {
        if (pause.isOn()) {
            oneByOne.take(batch, i, source, target, into);
            if (pause.endsWithEdge()) {
                endPause(into);
            }
            return;
        }
        add(batch, i);
        if (held.size() >= rule.bufferSize()) {
            placeSurest(into);
        }
    }

    /** Leaves room for edges of the stream as it is now: those that have waited in vain show little. */
    private void endPause(PlacedEdges into) {
        oneByOne.placeAllBut(rule.bufferSize() / 4, into);
        if (!keepsEdges) {
            window.forgetVertices();
        }
    }

    /** Places the buffered edges one by one, except those that wait for a first replica, and those that follow. */
    private void beginPause(PlacedEdges into) {
        pause.begin(rule.bufferSize());
        window.forgetVertices();
        int[] slots = held.slots();
        BitSet all = new BitSet();
        all.set(0, slots.length);
        for (int edge = 0; edge < slots.length; edge++) {
            int at = edge % EXPECTED;
            if (at == 0) {
                expect(slots, all, edge);
            }
            if (at % VertexTable.PREFETCH_EDGES == 0) {
                int to = Math.min(at + VertexTable.PREFETCH_EDGES, at + slots.length - edge);
                vertices.prefetch(sources, targets, at, to);
            }
            oneByOne.takeHeld(slots[edge], slots.length - edge - 1, into);
        }
    }

    /** Returns the state of the rule, and of the pause if there is or was one. */
    List<byte[]> snapshot() {
        List<byte[]> pieces = new ArrayList<>(rule.snapshot());
        if (!pause.isForgotten()) {
            pieces.add(pause.toBytes());
        }
        return pieces;
    }

    void restore(List<byte[]> snapshot, EdgeBatch buffered) {
        rule.restore(JointPause.others(snapshot));
        pause.restore(snapshot);
        for (int i = 0; i < buffered.size(); i++) {
            if (pause.isOn()) {
                window.add(buffered, i, true, true);
            } else {
                add(buffered, i);
            }
        }
    }

    /** Buffers edge {@code i}; edges that may be removed or placed before their turn are found by their endpoints. */
    void add(EdgeBatch batch, int i) {
        if (keepsEdges) {
            window.add(batch, i, true, true);
        } else {
            held.add(batch, i);
        }
    }

    private void placeSurest(PlacedEdges into) {
        JointBuffer chosen = new JointBuffer(held.toBatch(), rule, vertices, tables.openLoads(), false);
        if (!chosen.isChosen()) {
            beginPause(into);
            return;
        }
        pause.shorten();
        JointBuffer.Order surest = chosen.surestFirst();
        int[] order = surest.edges();
        int most = order.length - order.length / LEAST_WAITING;
        int wanted = Math.max(Math.max(1, order.length / 2), Math.min(most, surest.sureCount()));
        long[] rooms = tables.openLoads().edges();
        long cap = cap(wanted);
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
            JointBuffer chosen, int[] slots, BitSet edges, EdgeCopies copies, boolean isAlone, PlacedEdges into) {
        int count = 0;
        for (int edge = edges.nextSetBit(0); edge >= 0; edge = edges.nextSetBit(edge + 1)) {
            if (count++ % EXPECTED == 0) {
                expect(slots, edges, edge);
            }
            int place = isAlone ? EdgeBatch.NO_PLACE : chosen.place(edge);
            place(chosen, edge, slots[copies.takeOldest(edge)], place, into);
        }
    }

    /** Places the edges that were buffered before that many others. */
    void placeBefore(long number, PlacedEdges into) {
        if (pause.isOn()) {
            oneByOne.placeBefore(number, into);
            return;
        }
        int[] slots = held.slots();
        int due = 0;
        while (due < slots.length && held.number(slots[due]) < number) {
            due++;
        }
        if (due == 0) {
            return;
        }
        boolean isWhole = due == slots.length && tables.openLoads().totalEdges() == 0;
        JointBuffer chosen = new JointBuffer(held.toBatch(), rule, vertices, tables.openLoads(), isWhole);
        if (!chosen.isChosen()) {
            beginPause(into);
            oneByOne.placeBefore(number, into);
            return;
        }
        long cap = cap(due);
        BitSet all = new BitSet();
        all.set(0, due);
        for (int edge = 0; edge < due; edge++) {
            if (edge % EXPECTED == 0) {
                expect(slots, all, edge);
            }
            int place = chosen.place(edge);
            boolean hasRoom = tables.openLoads().edges(place) < cap;
            place(chosen, edge, slots[edge], hasRoom ? place : EdgeBatch.NO_PLACE, into);
        }
        chosen.settle();
    }

    /** Places the copies of an edge that are buffered, the oldest first, where a younger one comes to be. */
    void placeCopies(long source, long target, int partition, PlacedEdges into) {
        for (int edge = window.find(source, target); edge != EdgeBuffer.NONE; edge = window.find(source, target)) {
            int sourceSlot = vertices.slot(source);
            int targetSlot = source == target ? sourceSlot : vertices.slot(target, sourceSlot);
            place(edge, sourceSlot, targetSlot, partition, into);
        }
    }

    private long cap(int more) {
        PartitionLoads loads = tables.openLoads();
        return rule.maxEdges(loads.totalEdges() + more, loads.partitionCount());
    }

    /** Announces the edges that are looked at next. */
    private void expect(int[] slots, BitSet edges, int from) {
        int count = 0;
        for (int edge = from; edge >= 0 && count < EXPECTED; edge = edges.nextSetBit(edge + 1)) {
            sources[count] = held.source(slots[edge]);
            targets[count++] = held.target(slots[edge]);
        }
        vertices.expect(sources, targets, count);
    }

    /** @param place chosen for the edge; {@link EdgeBatch#NO_PLACE} if it is to be placed by itself */
    private void place(JointBuffer chosen, int edge, int copy, int place, PlacedEdges into) {
        int source = chosen.source(edge);
        int target = chosen.target(edge, source);
        int partition = place == EdgeBatch.NO_PLACE ? rule.place(vertices, source, target, tables.openLoads()) : place;
        place(copy, source, target, partition, into);
    }

    private void place(int edge, int source, int target, int partition, PlacedEdges into) {
        if (keepsEdges) {
            window.removeEdge(edge);
        } else {
            held.free(edge);
        }
        tables.add(source, target, partition, held.weight(edge), held.timestamp(edge));
        rule.placed(vertices, source, target, partition);
        into.placed(held.source(edge), held.target(edge), held.weight(edge), held.timestamp(edge), Place.of(partition));
    }
}
