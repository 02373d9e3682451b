package io.cutwater.state.feedback.bucket;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SlotIndex;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Vertices that are about to move, with all of their edges. The assigner asks the table of each for its edges. Edges
 * that come to it from then on are added here; if one is removed, the vertex is stale and must be asked for again.
 */
public final class MovableVertices {
    private final VertexSet vertices = new VertexSet();
    private EdgeBatch[] kept = new EdgeBatch[16];
    private EdgeBatch[] added = new EdgeBatch[16];
    private boolean[] isStale = new boolean[16];
    private final LongConsumer needs;

    /** @param needs is told of the other end of each edge that comes, whose record the move needs as well */
    public MovableVertices(LongConsumer needs) {
        this.needs = needs;
    }

    /** Wants a vertex. */
    public void want(long vertex) {
        int at = vertices.add(vertex);
        if (at == kept.length) {
            kept = Arrays.copyOf(kept, 2 * at);
            added = Arrays.copyOf(added, 2 * at);
            isStale = Arrays.copyOf(isStale, 2 * at);
        }
        kept[at] = new EdgeBatch(1);
        added[at] = new EdgeBatch(1);
    }

    /** Appends what stands for a vertex in a request, and before its edges in the answer. */
    public static void append(long vertex, EdgeBatch into) {
        into.add(vertex, vertex);
        into.setRemoval(into.size() - 1);
    }

    /** Adds what a table has of them. */
    public void load(EdgeBatch answer) {
        int at = SlotIndex.NO_SLOT;
        for (int i = 0; i < answer.size(); i++) {
            if (answer.isRemoval(i)) {
                at = vertices.find(answer.source(i));
            } else {
                kept[at].addFrom(answer, i);
            }
        }
    }

    /** An edge has come. */
    void added(long source, long target, double weight, long timestamp, long key) {
        added(source, target, source, target, weight, timestamp, key);
        if (source != target) {
            added(target, source, source, target, weight, timestamp, key);
        }
    }

    private void added(long vertex, long neighbour, long source, long target, double weight, long timestamp, long key) {
        int at = vertices.find(vertex);
        if (at != SlotIndex.NO_SLOT) {
            added[at].add(source, target, weight, timestamp, key);
            needs.accept(neighbour);
        }
    }

    /** A copy of an edge was removed. */
    void removed(long source, long target) {
        removed(source);
        removed(target);
    }

    private void removed(long vertex) {
        int at = vertices.find(vertex);
        if (at != SlotIndex.NO_SLOT) {
            isStale[at] = true;
        }
    }

    /** Returns whether a vertex must be asked for again before it can move. */
    public boolean isStale(long vertex) {
        return isStale[vertices.find(vertex)];
    }

    /** Returns the vertices and their neighbours. */
    public VertexSet ends() {
        VertexSet ends = new VertexSet();
        for (int at = 0; at < vertices.size(); at++) {
            ends.addIfAbsent(vertices.vertex(at));
            for (int i = 0; i < kept[at].size(); i++) {
                ends.addIfAbsent(kept[at].source(i));
                ends.addIfAbsent(kept[at].target(i));
            }
        }
        return ends;
    }

    /** Returns whether a vertex is wanted. */
    boolean has(long vertex) {
        return vertices.find(vertex) != SlotIndex.NO_SLOT;
    }

    /** Shows the edges of a vertex; see {@link io.cutwater.state.edges.KeptEdges#forEach}. */
    void forEach(long vertex, EdgeBatch chunk, Runnable isFull) {
        int at = vertices.find(vertex);
        for (EdgeBatch some : new EdgeBatch[] {kept[at], added[at]}) {
            for (int i = 0; i < some.size(); i++) {
                chunk.addFrom(some, i);
                if (chunk.size() >= EdgeBatch.DEFAULT_CAPACITY) {
                    isFull.run();
                }
            }
        }
        isFull.run();
    }
}
