package io.cutwater.state.placement;

import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.VertexTable;
import org.jspecify.annotations.Nullable;

/** Removes edges, and vertices with all their edges, from shards and buffers. */
final class Removals {
    /** Edges of a vertex that are removed together, so that a hub's take 16 MB. */
    private static final int EDGES_AT_A_TIME = 1 << 20;

    private final Placer placer;
    private final VertexTable vertices;
    private final KeptEdges kept;
    private final EdgeWindow window;
    private final @Nullable PlannedBuffer<?, ?> planned;
    private long unknown;

    Removals(Placer placer, VertexTable vertices, KeptEdges kept) {
        this.placer = placer;
        this.vertices = vertices;
        this.kept = kept;
        window = placer.window();
        planned = placer.plannedBuffer();
    }

    /** Returns the number of removals that found nothing. */
    long unknown() {
        return unknown;
    }

    /** Applies the removal in row {@code i}. */
    void apply(EdgeBatch batch, int i, PlacedEdges into) {
        boolean isKnown;
        if (!batch.isVertexRemoval(i)) {
            isKnown = remove(batch.source(i), batch.target(i), batch.key(i), into);
        } else {
            // In the history of a bootstrap the edges that it has removed do not come.
            isKnown = batch.place(i) == EdgeBatch.TAKEN_AWAY || removeVertex(batch.source(i), into);
        }
        unknown += isKnown ? 0 : 1;
    }

    /** Removes a vertex with all its edges, placed and buffered; returns whether there was one. */
    private boolean removeVertex(long vertex, PlacedEdges into) {
        if (planned != null) {
            planned.finishPlan(into);
        }
        EdgeBatch incident = new EdgeBatch();
        boolean isKnown = false;
        do {
            incident.clear();
            kept.incident(vertex, EDGES_AT_A_TIME, incident);
            isKnown |= removeAll(incident, into);
        } while (incident.size() >= EDGES_AT_A_TIME);
        incident.clear();
        EdgeBuffer held = window.edges();
        for (int edge = held.oldest(); edge != EdgeBuffer.NONE; edge = held.newer(edge)) {
            if (held.source(edge) == vertex || held.target(edge) == vertex) {
                incident.add(held.source(edge), held.target(edge));
            }
        }
        return removeAll(incident, into) || isKnown;
    }

    /** Removes all copies of edges; returns whether there was one. */
    private boolean removeAll(EdgeBatch edges, PlacedEdges into) {
        boolean isKnown = false;
        for (int i = 0; i < edges.size(); i++) {
            while (remove(edges.source(i), edges.target(i), EdgeBatch.NO_KEY, into)) {
                isKnown = true;
            }
        }
        return isKnown;
    }

    /** Removes the oldest copy of an edge, or the one with a key; returns whether there was one. */
    private boolean remove(long source, long target, long key, PlacedEdges into) {
        if (planned != null) {
            planned.finishPlan(into);
        }
        boolean areCopiesApart = placer.placesCopiesApart();
        EdgeWindow buffer = areCopiesApart ? null : bufferOf(source, target, key);
        int partition = buffer == null ? kept.remove(source, target, key) : EdgeBatch.NO_PLACE;
        if (partition == KeptEdges.NO_EDGE && areCopiesApart) {
            buffer = bufferOf(source, target, key);
        }
        if (partition == KeptEdges.NO_EDGE && buffer == null) {
            return false;
        }
        int sourceSlot = vertices.slot(source);
        int targetSlot = source == target ? sourceSlot : vertices.slot(target, sourceSlot);
        if (buffer == null) {
            placer.removePlaced(sourceSlot, targetSlot, partition, kept, into);
        } else {
            buffer.removeEdge(buffer.find(source, target, key));
            placer.removeHeld(sourceSlot, targetSlot);
        }
        placer.forgetIfGone(sourceSlot);
        if (targetSlot != sourceSlot) {
            placer.forgetIfGone(targetSlot);
        }
        return true;
    }

    /** Returns the window in which a copy of an edge is; null if none is buffered. All of them are in the same one. */
    private @Nullable EdgeWindow bufferOf(long source, long target, long key) {
        EdgeWindow undecided = placer.undecided();
        if (window.find(source, target, key) != EdgeBuffer.NONE) {
            return window;
        }
        return undecided == null || undecided.find(source, target, key) == EdgeBuffer.NONE ? null : undecided;
    }
}
