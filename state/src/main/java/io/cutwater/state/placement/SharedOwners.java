package io.cutwater.state.placement;

import io.cutwater.state.cluster.Homes;
import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexTable;
import org.jspecify.annotations.Nullable;

/**
 * The owners that several assigners agree on: an assigner proposes one, and the table of the vertex decides. An edge is
 * placed when the owners of both ends are decided. While they are only proposed, it waits here and no longer in the
 * window.
 */
final class SharedOwners {
    private final VertexTable vertices;
    private final OwnerTables tables;
    private final OwnerLoads ownerLoads;
    private final @Nullable Homes homes;
    private final EdgeWindow window;
    private final EdgeBuffer held;
    private final ProposedOwners proposals = new ProposedOwners();

    /** Counts the edges that wait at each vertex, here or in the window; null if no edges are kept. */
    private final @Nullable EdgeWindow waiting;

    /** Vertices at which no edge waits any more because it was removed; their tables may have asked in vain. */
    private VertexSet left = new VertexSet();

    /**
     * @param homes null if the rule has none
     * @param window edges of which an end has no owner, and none is proposed for it
     * @param keepsEdges whether edges are kept, so that a vertex may lose its owner
     */
    SharedOwners(
            VertexTable vertices,
            OwnerTables tables,
            OwnerLoads ownerLoads,
            @Nullable Homes homes,
            EdgeWindow window,
            boolean keepsEdges) {
        waiting = keepsEdges ? new EdgeWindow(false) : null;
        this.vertices = vertices;
        this.tables = tables;
        this.ownerLoads = ownerLoads;
        this.homes = homes;
        this.window = window;
        held = window.edges();
    }

    /** Returns whether a vertex has no owner, and none is proposed for it. */
    boolean isOpen(int slot) {
        return owner(slot) == VertexTable.NO_MASTER;
    }

    /** Returns the owner of a vertex, or the one that is proposed; {@link VertexTable#NO_MASTER} if none is. */
    int owner(int slot) {
        return tables.hasOwner(slot) ? vertices.master(slot) : proposals.of(vertices.vertex(slot));
    }

    /** Returns the owner of a vertex that may have left the cache, or the one that is proposed, as the other method. */
    int known(long vertex) {
        return RecordExchange.has(vertices, vertex) ? owner(vertices.slot(vertex)) : VertexTable.NO_MASTER;
    }

    /** Returns the number of proposals that are not decided. */
    int proposals() {
        return proposals.size();
    }

    /** Returns the edges that wait for decisions alone. */
    EdgeWindow undecided() {
        return proposals.window();
    }

    /** Lets an edge wait for decisions. */
    void hold(EdgeBatch edges, int i, boolean atSource, boolean atTarget) {
        await(edges.source(i), edges.target(i), 1);
        proposals.hold(edges, i, atSource, atTarget);
    }

    /** An edge begins to wait, or waits no longer. */
    void await(long source, long target, int change) {
        if (waiting != null) {
            waiting.count(source, change);
            waiting.count(target, change);
        }
    }

    /** An edge was removed that has waited. */
    void removed(int source, int target) {
        await(vertices.vertex(source), vertices.vertex(target), -1);
        leave(source);
        leave(target);
    }

    private void leave(int slot) {
        long vertex = vertices.vertex(slot);
        if (waiting != null && waiting.count(vertex) == 0) {
            proposals.take(vertex); // its table tells if another one wins
            left.addIfAbsent(vertex);
        }
    }

    /** Returns the vertices at which no edge waits any more because it was removed, since the last call. */
    long[] takeLeft() {
        long[] all = left.toArray();
        if (all.length > 0) {
            left = new VertexSet();
        }
        return all;
    }

    /** Forgets the owner of a vertex, unless an edge waits at it; returns whether it is forgotten. */
    boolean release(long vertex) {
        if (waiting == null || waiting.count(vertex) > 0) {
            return false;
        }
        RecordExchange.dropOwner(vertices, vertex);
        return true;
    }

    /** Proposes an owner for a vertex, and lets the edges wait for the tables that have waited for it alone. */
    void propose(long vertex, int slot, int owner) {
        ownerLoads.own(owner);
        proposals.propose(vertex, owner);
        RecordExchange.propose(vertices, slot, owner);
        if (homes != null) {
            homes.move(vertices, slot, owner);
        }
        for (int edge = window.take(vertex); edge != EdgeBuffer.NONE; edge = held.next(edge, vertex)) {
            long other = other(edge, vertex);
            int otherSlot = other == vertex ? slot : vertices.slot(other, slot);
            if (isOpen(otherSlot)) {
                learnOwner(otherSlot, owner);
            } else {
                letWait(edge, vertex, true, !tables.hasOwner(otherSlot));
            }
        }
    }

    private void learnOwner(int slot, int owner) {
        if (homes != null) {
            vertices.countNeighbourHome(slot, owner);
            homes.reconsider(vertices, slot);
        }
    }

    /** Lets a buffered edge wait for decisions about its ends: about a vertex, and about the other one. */
    private void letWait(int edge, long vertex, boolean here, boolean there) {
        boolean isSource = held.source(edge) == vertex;
        proposals.hold(held, edge, isSource ? here : there, isSource ? there : here);
        held.free(edge);
    }

    /** The table of a vertex tells its owner: places the edges that have waited for nothing else. */
    void decided(long vertex, PlacedEdges into) {
        int slot = vertices.slot(vertex);
        int owner = vertices.master(slot);
        int proposed = proposals.take(vertex);
        if (proposed != VertexTable.NO_MASTER && proposed != owner && waiting == null) {
            ownerLoads.disown(proposed); // if edges are kept, the table tells that it does not count
        }
        if (homes != null && vertices.storedHome(slot) != owner) {
            homes.move(vertices, slot, owner);
        }
        for (int edge = window.take(vertex); edge != EdgeBuffer.NONE; edge = held.next(edge, vertex)) {
            long other = other(edge, vertex);
            int otherSlot = other == vertex ? slot : vertices.slot(other, slot);
            if (tables.hasOwner(otherSlot)) {
                place(held, edge, vertex, slot, otherSlot, into);
            } else if (isOpen(otherSlot)) {
                learnOwner(otherSlot, owner);
            } else {
                letWait(edge, vertex, false, true);
            }
        }
        EdgeBuffer undecided = proposals.window().edges();
        for (int edge = proposals.window().take(vertex); edge != EdgeBuffer.NONE; edge = undecided.next(edge, vertex)) {
            long other = undecided.source(edge) == vertex ? undecided.target(edge) : undecided.source(edge);
            int otherSlot = other == vertex ? slot : vertices.slot(other, slot);
            if (tables.hasOwner(otherSlot)) {
                place(undecided, edge, vertex, slot, otherSlot, into);
            }
        }
    }

    private void place(EdgeBuffer from, int edge, long vertex, int slot, int otherSlot, PlacedEdges into) {
        boolean isSource = from.source(edge) == vertex;
        await(from.source(edge), from.target(edge), -1);
        from.free(edge);
        tables.add(
                isSource ? slot : otherSlot,
                isSource ? otherSlot : slot,
                from.weight(edge),
                from.timestamp(edge),
                from.key(edge),
                into);
    }

    private long other(int edge, long vertex) {
        return held.source(edge) == vertex ? held.target(edge) : held.source(edge);
    }
}
