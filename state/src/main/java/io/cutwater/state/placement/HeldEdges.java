package io.cutwater.state.placement;

import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.joint.JointBuffer;
import io.cutwater.state.joint.JointPartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.BitSet;

/** The buffered edges of a {@link JointLoop}, and how one of them leaves the buffer for its partition. */
final class HeldEdges {
    /** Edges that are announced at a time. */
    static final int EXPECTED = 4096;

    private final JointPartitioner rule;
    private final VertexTable vertices;
    private final EdgeTables tables;
    private final EdgeWindow window;
    private final EdgeBuffer held;
    private final boolean keepsEdges;
    private final long[] sources = new long[EXPECTED];
    private final long[] targets = new long[EXPECTED];

    HeldEdges(JointPartitioner rule, VertexTable vertices, EdgeTables tables, EdgeWindow window, boolean keepsEdges) {
        this.rule = rule;
        this.vertices = vertices;
        this.tables = tables;
        this.window = window;
        held = window.edges();
        this.keepsEdges = keepsEdges;
    }

    /** Buffers edge {@code i}; edges that may be removed or placed before their turn are found by their endpoints. */
    void add(EdgeBatch batch, int i) {
        if (keepsEdges) {
            window.add(batch, i, true, true);
        } else {
            held.add(batch, i);
        }
    }

    /** Places the copies of an edge that are buffered, the oldest first, where a younger one comes to be. */
    void placeCopies(long source, long target, int partition, PlacedEdges into) {
        for (int edge = window.find(source, target, EdgeBatch.NO_KEY);
                edge != EdgeBuffer.NONE;
                edge = window.find(source, target, EdgeBatch.NO_KEY)) {
            int sourceSlot = vertices.slot(source);
            int targetSlot = source == target ? sourceSlot : vertices.slot(target, sourceSlot);
            place(edge, sourceSlot, targetSlot, partition, into);
        }
    }

    /** Returns the most edges of a partition when so many more are placed. */
    long cap(int more) {
        PartitionLoads loads = tables.openLoads();
        return rule.maxEdges(loads.totalEdges() + more, loads.partitionCount());
    }

    /** Prefetches the endpoints of some of the edges that were announced last. */
    void prefetch(int from, int to) {
        vertices.prefetch(sources, targets, from, to);
    }

    /** Announces the edges that are looked at next. */
    void expect(int[] slots, BitSet edges, int from) {
        int count = 0;
        for (int edge = from; edge >= 0 && count < EXPECTED; edge = edges.nextSetBit(edge + 1)) {
            sources[count] = held.source(slots[edge]);
            targets[count++] = held.target(slots[edge]);
        }
        vertices.expect(sources, targets, count);
    }

    /**
     * Places an edge of a plan.
     *
     * @param copy that is placed
     * @param place chosen for the edge; {@link EdgeBatch#NO_PLACE} if it is to be placed by itself
     */
    void place(JointBuffer chosen, int edge, int copy, int place, PlacedEdges into) {
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
        tables.add(source, target, partition, held.weight(edge), held.timestamp(edge), held.key(edge));
        rule.placed(vertices, source, target, partition);
        into.placed(
                held.source(edge),
                held.target(edge),
                held.weight(edge),
                held.timestamp(edge),
                held.key(edge),
                Place.of(partition));
    }
}
