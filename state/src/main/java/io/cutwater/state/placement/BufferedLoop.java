package io.cutwater.state.placement;

import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.rule.BufferedPartitioner;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;

/**
 * The buffered edges of a rule that delays an edge until one of its endpoints has a replica. A vertex that gets its
 * first replica releases its buffered edges.
 */
final class BufferedLoop {
    private final BufferedPartitioner rule;
    private final VertexTable vertices;
    private final EdgeTables tables;
    private final EdgeWindow window;
    private final EdgeBuffer held;
    private final int windowSize;

    /** Vertices that have got their first replica and whose buffered edges are not released yet: a stack. */
    private long[] released = new long[16];

    private int releasedCount;

    BufferedLoop(BufferedPartitioner rule, VertexTable vertices, EdgeTables tables, EdgeWindow window) {
        this(rule, rule.windowSize(), vertices, tables, window);
    }

    /** @param windowSize edges that may be buffered, at least 1 */
    BufferedLoop(BufferedPartitioner rule, int windowSize, VertexTable vertices, EdgeTables tables, EdgeWindow window) {
        this.rule = rule;
        this.vertices = vertices;
        this.tables = tables;
        this.window = window;
        held = window.edges();
        this.windowSize = windowSize;
    }

    /** Places edge {@code i}, whose endpoints are in these slots, or buffers it. */
    void take(EdgeBatch batch, int i, int source, int target, PlacedEdges into) {
        rule.learn(vertices, source, target);
        if (hasReplica(source) || hasReplica(target)) {
            if (tables.isShared() && held.size() > 0) {
                placeCopies(batch.source(i), batch.target(i), source, target, into);
            }
            place(source, target, batch.weight(i), batch.timestamp(i), batch.key(i), into);
            release(into);
        } else {
            window.add(batch, i, true, true);
            if (held.size() > windowSize) {
                placeOldest(into);
            }
        }
    }

    /** Places the copies of an edge that are older: with a replica from another assigner they are not released. */
    private void placeCopies(long source, long target, int sourceSlot, int targetSlot, PlacedEdges into) {
        int copy = window.find(source, target, EdgeBatch.NO_KEY);
        while (copy != EdgeBuffer.NONE) {
            placeHeld(copy, sourceSlot, targetSlot, into);
            release(into);
            copy = window.find(source, target, EdgeBatch.NO_KEY);
        }
    }

    /**
     * Takes an edge that is buffered already, in no chain.
     *
     * @param more edges that are buffered, younger, and not taken yet
     */
    void takeHeld(int edge, int more, PlacedEdges into) {
        int source = vertices.slot(held.source(edge));
        int target = targetSlot(edge, source);
        rule.learn(vertices, source, target);
        if (hasReplica(source) || hasReplica(target)) {
            held.free(edge);
            placeFreed(edge, source, target, into);
            release(into);
        } else {
            window.await(edge, true, true);
            if (held.size() - more > windowSize) {
                placeOldest(into);
            }
        }
    }

    private boolean hasReplica(int slot) {
        return vertices.master(slot) != VertexTable.NO_MASTER;
    }

    private void place(int source, int target, double weight, long timestamp, long key, PlacedEdges into) {
        int partition = rule.place(vertices, source, target, tables.openLoads());
        add(source, target, partition, weight, timestamp, key, into);
    }

    /** Adds an edge to a partition; {@link #release} then places the edges that have waited for its endpoints. */
    void add(int source, int target, int partition, double weight, long timestamp, long key, PlacedEdges into) {
        boolean releasesSource = !hasReplica(source);
        boolean releasesTarget = !hasReplica(target) && source != target;
        tables.add(source, target, partition, weight, timestamp, key);
        if (releasesSource) {
            push(vertices.vertex(source));
        }
        if (releasesTarget) {
            push(vertices.vertex(target));
        }
        into.placed(vertices.vertex(source), vertices.vertex(target), weight, timestamp, key, Place.of(partition));
    }

    private void push(long vertex) {
        if (releasedCount == released.length) {
            released = Arrays.copyOf(released, 2 * releasedCount);
        }
        released[releasedCount++] = vertex;
    }

    /** Places the buffered edges of the vertices that have got their first replica, the newest vertex first. */
    void release(PlacedEdges into) {
        while (releasedCount > 0) {
            long vertex = released[--releasedCount];
            for (int edge = window.take(vertex); edge != EdgeBuffer.NONE; edge = held.next(edge, vertex)) {
                if (held.isHeld(edge)) { // else its other endpoint has released it
                    int source = vertices.slot(held.source(edge));
                    int target = targetSlot(edge, source);
                    rule.learn(vertices, source, target);
                    placeHeld(edge, source, target, into);
                }
            }
        }
    }

    private int targetSlot(int edge, int source) {
        return held.source(edge) == held.target(edge) ? source : vertices.slot(held.target(edge), source);
    }

    private void placeHeld(int edge, int source, int target, PlacedEdges into) {
        if (tables.isShared()) {
            window.removeEdge(edge); // an end that has got its replica from another assigner is not released
        } else {
            held.free(edge);
        }
        placeFreed(edge, source, target, into);
    }

    private void placeFreed(int edge, int source, int target, PlacedEdges into) {
        place(source, target, held.weight(edge), held.timestamp(edge), held.key(edge), into);
    }

    /** Places the oldest edges until no more than some are left. */
    void placeAllBut(int left, PlacedEdges into) {
        while (held.size() > left) {
            placeOldest(into);
        }
    }

    /** Places the edges that were buffered before that many others. */
    void placeBefore(long number, PlacedEdges into) {
        while (held.size() > 0 && held.number(held.oldest()) < number) {
            placeOldest(into);
        }
    }

    private void placeOldest(PlacedEdges into) {
        int edge = held.oldest();
        int source = vertices.slot(held.source(edge));
        int target = targetSlot(edge, source);
        rule.giveUpWaiting(vertices, source, target, tables.openLoads());
        placeHeld(edge, source, target, into);
        release(into);
    }
}
