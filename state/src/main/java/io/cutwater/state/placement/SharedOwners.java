package io.cutwater.state.placement;

import io.cutwater.state.cluster.Homes;
import io.cutwater.state.edges.EdgeBuffer;
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

    /**
     * @param homes null if the rule has none
     * @param window edges of which an end has no owner, and none is proposed for it
     */
    SharedOwners(
            VertexTable vertices, OwnerTables tables, OwnerLoads ownerLoads, @Nullable Homes homes, EdgeWindow window) {
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

    /** Returns the number of proposals that are not decided. */
    int proposals() {
        return proposals.size();
    }

    /** Returns the edges that wait for decisions alone. */
    EdgeBuffer undecided() {
        return proposals.window().edges();
    }

    /** Lets an edge wait for decisions. */
    void hold(EdgeBatch edges, int i, boolean atSource, boolean atTarget) {
        proposals.hold(edges, i, atSource, atTarget);
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
        if (proposed != VertexTable.NO_MASTER && proposed != owner) {
            ownerLoads.disown(proposed);
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
        EdgeBuffer waiting = proposals.window().edges();
        for (int edge = proposals.window().take(vertex); edge != EdgeBuffer.NONE; edge = waiting.next(edge, vertex)) {
            long other = waiting.source(edge) == vertex ? waiting.target(edge) : waiting.source(edge);
            int otherSlot = other == vertex ? slot : vertices.slot(other, slot);
            if (tables.hasOwner(otherSlot)) {
                place(waiting, edge, vertex, slot, otherSlot, into);
            }
        }
    }

    private void place(EdgeBuffer from, int edge, long vertex, int slot, int otherSlot, PlacedEdges into) {
        boolean isSource = from.source(edge) == vertex;
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
