package io.cutwater.state.placement;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.rule.BufferedPartitioner;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;

/** The buffer of {@link EdgeAssigner} and the edges that leave it, for a {@link BufferedPartitioner}. */
final class BufferedLoop {
    private final BufferedPartitioner partitioner;
    private final VertexTable vertices;
    private final EdgeTables tables;
    private final EdgeBuffer held = new EdgeBuffer();
    private final BufferedVertices waiting = new BufferedVertices();
    private final int windowSize;

    /** Vertices that have got their first replica and whose waiting edges are not released yet: a stack. */
    private long[] released = new long[16];

    private int releasedCount;

    BufferedLoop(BufferedPartitioner partitioner, VertexTable vertices, EdgeTables tables) {
        this.partitioner = partitioner;
        this.vertices = vertices;
        this.tables = tables;
        windowSize = partitioner.windowSize();
    }

    /** Places edge {@code i}, whose endpoints in these slots have counted it, or buffers it. */
    void place(EdgeBatch batch, int i, int source, int target, PlacedEdges into) {
        partitioner.learn(vertices, source, target);
        if (hasReplica(source) || hasReplica(target)) {
            double weight = batch.weight(i);
            long timestamp = batch.timestamp(i);
            int partition = place(source, target, weight, timestamp);
            into.placed(batch.source(i), batch.target(i), weight, timestamp, Place.of(partition));
            release(into);
        } else {
            hold(batch, i);
            if (held.size() > windowSize) {
                placeOldest(into);
            }
        }
    }

    /** Removes the oldest copy of an edge from the buffer; returns false if there is none. */
    boolean remove(long source, long target) {
        int edge = held.find(source, target, waiting.first(source), source, waiting.first(target), target);
        if (edge == EdgeBuffer.NONE) {
            return false;
        }
        waiting.remove(source, edge, held);
        if (target != source) {
            waiting.remove(target, edge, held);
        }
        held.free(edge);
        return true;
    }

    private void hold(EdgeBatch batch, int i) {
        int edge = held.add(batch, i);
        holdAt(batch.source(i), edge);
        if (batch.target(i) != batch.source(i)) {
            holdAt(batch.target(i), edge);
        }
    }

    private void holdAt(long vertex, int edge) {
        int last = waiting.append(vertex, edge);
        if (last != EdgeBuffer.NONE) {
            held.chain(last, edge, vertex);
        }
    }

    private boolean hasReplica(int slot) {
        return vertices.master(slot) != VertexTable.NO_MASTER;
    }

    /** Takes down edge {@code i}, whose ends are in these slots, where it was placed before. */
    void record(EdgeBatch batch, int i, int source, int target, PlacedEdges into) {
        int partition = Place.ofSource(batch.place(i));
        add(source, target, partition, batch.weight(i), batch.timestamp(i));
        partitioner.recorded(vertices, source, target, partition);
        into.placed(batch.source(i), batch.target(i), batch.weight(i), batch.timestamp(i), Place.of(partition));
        release(into);
    }

    private int place(int source, int target, double weight, long timestamp) {
        int partition = partitioner.place(vertices, source, target, tables.openLoads());
        add(source, target, partition, weight, timestamp);
        return partition;
    }

    private void add(int source, int target, int partition, double weight, long timestamp) {
        boolean sourceIsNew = !hasReplica(source);
        boolean targetIsNew = !hasReplica(target) && source != target;
        tables.add(source, target, partition, weight, timestamp);
        if (sourceIsNew) {
            push(vertices.vertex(source));
        }
        if (targetIsNew) {
            push(vertices.vertex(target));
        }
    }

    private void push(long vertex) {
        if (releasedCount == released.length) {
            released = Arrays.copyOf(released, 2 * releasedCount);
        }
        released[releasedCount++] = vertex;
    }

    private void release(PlacedEdges into) {
        while (releasedCount > 0) {
            long vertex = released[--releasedCount];
            int edge = waiting.remove(vertex);
            while (edge != EdgeBuffer.NONE) {
                if (held.isHeld(edge)) { // else its other end has released it
                    int source = vertices.slot(held.source(edge));
                    int target = otherSlot(edge, source);
                    partitioner.learn(vertices, source, target);
                    placeHeld(edge, source, target, into);
                }
                edge = held.next(edge, vertex);
            }
        }
    }

    private int otherSlot(int edge, int source) {
        return held.source(edge) == held.target(edge) ? source : vertices.slot(held.target(edge), source);
    }

    private void placeHeld(int edge, int source, int target, PlacedEdges into) {
        held.free(edge);
        double weight = held.weight(edge);
        long timestamp = held.timestamp(edge);
        int partition = place(source, target, weight, timestamp);
        into.placed(held.source(edge), held.target(edge), weight, timestamp, Place.of(partition));
    }

    private void placeOldest(PlacedEdges into) {
        int edge = held.oldest();
        int source = vertices.slot(held.source(edge));
        int target = otherSlot(edge, source);
        partitioner.giveUpWaiting(vertices, source, target, tables.openLoads());
        placeHeld(edge, source, target, into);
        release(into);
    }

    void placeHeldBefore(long number, PlacedEdges into) {
        while (held.size() > 0 && held.number(held.oldest()) < number) {
            placeOldest(into);
        }
    }

    EdgeBuffer held() {
        return held;
    }

    void restore(EdgeBatch edges) {
        for (int i = 0; i < edges.size(); i++) {
            hold(edges, i);
        }
    }
}
