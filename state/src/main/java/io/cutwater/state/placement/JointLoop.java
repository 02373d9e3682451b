package io.cutwater.state.placement;

import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.joint.EdgeCopies;
import io.cutwater.state.joint.JointBuffer;
import io.cutwater.state.joint.JointPartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;

/**
 * The buffered edges of a rule that places them together. When the buffer is full, places are chosen for all of them
 * ({@link JointBuffer}), and half of them are placed, the surest first. So each edge is chosen for twice in the mean,
 * and an edge of which little is known waits longer.
 *
 * <p>The loads keep the rule's cap for the edges that are placed, at every time. An edge whose place is full waits, or
 * is placed by itself if it may not wait any longer. Copies of an edge are placed in the order in which they came.
 */
final class JointLoop {
    /** When so few of a full buffer find room where they belong, others are placed by themselves. */
    private static final int LEAST_SHARE = 16;

    private static final int EXPECTED = 4096;

    private final JointPartitioner rule;
    private final VertexTable vertices;
    private final EdgeTables tables;
    private final EdgeWindow window;
    private final EdgeBuffer held;
    private final boolean keepsEdges;
    private final long[] sources = new long[EXPECTED];
    private final long[] targets = new long[EXPECTED];

    JointLoop(JointPartitioner rule, VertexTable vertices, EdgeTables tables, EdgeWindow window, boolean keepsEdges) {
        this.rule = rule;
        this.vertices = vertices;
        this.tables = tables;
        this.window = window;
        held = window.edges();
        this.keepsEdges = keepsEdges;
    }

    /** Buffers edge {@code i}, which its endpoints have counted. */
    void take(EdgeBatch batch, int i, PlacedEdges into) {
        window.add(batch, i, true, true);
        if (held.size() >= rule.bufferSize()) {
            placeSurest(into);
        }
    }

    private void placeSurest(PlacedEdges into) {
        int[] slots = held.slots();
        JointBuffer chosen = new JointBuffer(held.toBatch(), rule, vertices, tables.openLoads());
        int[] order = chosen.surestFirst();
        EdgeCopies copies = keepsEdges ? chosen.copies() : EdgeCopies.NONE; // else nothing is removed
        int wanted = Math.max(1, slots.length / 2);
        long cap = cap(wanted);
        int placed = 0;
        int passed = 0;
        for (int at = 0; at < order.length && placed < wanted; at++) {
            if (at % EXPECTED == 0) {
                expect(slots, order, at);
            }
            int edge = order[at];
            if (tables.openLoads().edges(chosen.place(edge)) < cap) {
                place(slots[copies.takeOldest(edge)], chosen.place(edge), into);
                placed++;
            } else {
                order[passed++] = edge;
            }
        }
        for (int at = 0; at < passed && placed < Math.max(1, wanted / LEAST_SHARE); at++, placed++) {
            place(slots[copies.takeOldest(order[at])], EdgeBatch.NO_PLACE, into);
        }
    }

    /** Places the edges that were buffered before that many others. */
    void placeBefore(long number, PlacedEdges into) {
        int[] slots = held.slots();
        int due = 0;
        while (due < slots.length && held.number(slots[due]) < number) {
            due++;
        }
        if (due == 0) {
            return;
        }
        JointBuffer chosen = new JointBuffer(held.toBatch(), rule, vertices, tables.openLoads());
        long cap = cap(due);
        for (int edge = 0; edge < due; edge++) {
            int place = chosen.place(edge);
            place(slots[edge], tables.openLoads().edges(place) < cap ? place : EdgeBatch.NO_PLACE, into);
        }
    }

    /** Places the copies of an edge that are buffered, the oldest first, where a younger one comes to be. */
    void placeCopies(long source, long target, int partition, PlacedEdges into) {
        for (int edge = window.find(source, target); edge != EdgeBuffer.NONE; edge = window.find(source, target)) {
            place(edge, partition, into);
        }
    }

    private long cap(int more) {
        PartitionLoads loads = tables.openLoads();
        return rule.maxEdges(loads.totalEdges() + more, loads.partitionCount());
    }

    /** Announces the edges that are looked at next. */
    private void expect(int[] slots, int[] order, int from) {
        int count = Math.min(EXPECTED, order.length - from);
        for (int i = 0; i < count; i++) {
            sources[i] = held.source(slots[order[from + i]]);
            targets[i] = held.target(slots[order[from + i]]);
        }
        vertices.expect(sources, targets, count);
    }

    /** @param place chosen for the edge; {@link EdgeBatch#NO_PLACE} if it is to be placed by itself */
    private void place(int edge, int place, PlacedEdges into) {
        long sourceId = held.source(edge);
        long targetId = held.target(edge);
        int source = vertices.slot(sourceId);
        int target = sourceId == targetId ? source : vertices.slot(targetId, source);
        int partition = place == EdgeBatch.NO_PLACE ? rule.place(vertices, source, target, tables.openLoads()) : place;
        window.removeEdge(edge);
        tables.add(source, target, partition, held.weight(edge), held.timestamp(edge));
        rule.recorded(vertices, source, target, partition);
        into.placed(sourceId, targetId, held.weight(edge), held.timestamp(edge), Place.of(partition));
    }
}
