package io.cutwater.state.placement;

import io.cutwater.state.cluster.Homes;
import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.joint.JointVertexRule;
import io.cutwater.state.joint.WaitingEdges;
import io.cutwater.state.rule.NeighbourCounts;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.rule.VertexRule;
import io.cutwater.state.table.VertexTable;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/** The buffered edges of a vertex partitioning, and the vertices that get their owner. */
final class OwnerLoop {
    /** Owners that may be proposed and not decided at the end of the input, as a share of those that are. */
    private static final int PROPOSED_SHARE = 32;

    private static final int LEAST_PROPOSALS = 64;

    /** Edges of a vertex whose other ends are made ready together. */
    private static final int CHUNK = 256;

    private final VertexRule rule;
    private final VertexTable vertices;
    private final OwnerTables tables;
    private final OwnerLoads ownerLoads;
    private final Homes homes;
    private final boolean keepsEdges;
    private final @Nullable JointOwners joint; // if the rule chooses owners together
    private final NeighbourCounts counts;
    private final EdgeWindow window = new EdgeWindow(true);
    private final EdgeBuffer held = window.edges();
    private final int[] taken = new int[CHUNK];
    private final int[] otherSlots = new int[CHUNK];
    /** If several assigners give owners, and the tables decide. */
    private @Nullable SharedOwners shared;

    OwnerLoop(
            VertexRule rule,
            VertexTable vertices,
            OwnerTables tables,
            OwnerLoads ownerLoads,
            Homes homes,
            boolean keepsEdges) {
        this.rule = rule;
        this.vertices = vertices;
        this.tables = tables;
        this.ownerLoads = ownerLoads;
        this.homes = homes;
        this.keepsEdges = keepsEdges;
        joint = rule instanceof JointVertexRule together && together.bufferSize() > 0
                ? new JointOwners(together, this, vertices, tables, ownerLoads)
                : null;
        counts = new NeighbourCounts(ownerLoads.partitionCount());
    }

    /** Places edge {@code i}, whose endpoints are in these slots, or buffers it. */
    void accept(EdgeBatch batch, int i, int source, int target, PlacedEdges into) {
        if (tables.hasOwner(source) && tables.hasOwner(target)) {
            tables.add(source, target, batch.weight(i), batch.timestamp(i), batch.key(i), into);
            if (joint != null) {
                joint.placed(source, target, into);
            }
            return;
        }
        if (shared != null && !isOpen(source) && !isOpen(target)) {
            shared.hold(batch, i, !tables.hasOwner(source), !tables.hasOwner(target));
            return;
        }
        hold(batch, i, source, target);
        if (rule.hasHomes() && source != target) {
            learn(source, target);
        }
        if (joint == null) {
            placeAllBut(rule.windowSize(), into);
        } else {
            joint.took(into);
        }
    }

    /** Gives vertices with most buffered edges their owners, until no more than some edges are left. */
    void placeAllBut(int most, PlacedEdges into) {
        while (held.size() > most) {
            settle(window.fullest(), into);
        }
    }

    /** Lets the tables decide on owners, of which this loop proposes some. */
    void shareOwners() {
        shared = new SharedOwners(vertices, tables, ownerLoads, rule.hasHomes() ? homes : null, window, keepsEdges);
        if (keepsEdges) {
            tables.share();
        }
    }

    @Nullable SharedOwners shared() {
        return shared;
    }

    /** Returns how to ask for owners if the tables decide on them; else they are in the table of vertices. */
    @Nullable LongToIntFunction known() {
        SharedOwners deciding = shared;
        return deciding == null ? null : deciding::known;
    }

    /** Returns whether a vertex has no owner, and none is proposed for it. */
    private boolean isOpen(int slot) {
        return !tables.hasOwner(slot) && (shared == null || shared.isOpen(slot));
    }

    void hold(EdgeBatch edges, int i, int source, int target) {
        if (shared != null) {
            shared.await(edges.source(i), edges.target(i), 1);
        }
        held.setSlots(window.add(edges, i, isOpen(source), isOpen(target)), source, target);
        if (tables.hasOwner(source)) {
            await(source, 1);
        }
        if (tables.hasOwner(target)) {
            await(target, 1);
        }
    }

    /** An edge begins to wait at a vertex that has its owner, or waits no longer. */
    private void await(int slot, int change) {
        if (shared != null) {
            return; // an owner may be another one by the time when the edge is placed
        }
        ownerLoads.await(vertices.master(slot), change);
        if (keepsEdges) { // without removals a vertex never leaves, so the counts are not needed
            window.count(vertices.vertex(slot), change);
        }
    }

    /** An edge has come between two vertices, of which one at least has no owner. */
    private void learn(int source, int target) {
        int sourceHome = vertices.home(source);
        int targetHome = vertices.home(target);
        boolean isSourceOpen = isOpen(source);
        boolean isTargetOpen = isOpen(target);
        if (targetHome != VertexTable.NO_HOME && isSourceOpen) {
            vertices.countNeighbourHome(source, targetHome);
        }
        if (sourceHome != VertexTable.NO_HOME && isTargetOpen) {
            vertices.countNeighbourHome(target, sourceHome);
        }
        if (isSourceOpen) {
            homes.reconsider(vertices, source);
        }
        if (isTargetOpen) {
            homes.reconsider(vertices, target);
        }
    }

    /** Gives a vertex the owner that was chosen before it came here; where edges are kept, it may have moved since. */
    void settle(long vertex, int owner, PlacedEdges into) {
        int slot = vertices.slot(vertex);
        if (!tables.hasOwner(slot)) {
            if (isOpen(slot) && owner < ownerLoads.partitionCount()) {
                own(vertex, slot, owner, into);
            }
        } else if (vertices.master(slot) != owner && !keepsEdges) {
            throw new IllegalStateException("an edge comes with owner %d of vertex %d, which has owner %d already"
                    .formatted(owner, vertex, vertices.master(slot)));
        }
    }

    /** Gives a vertex that waits its owner. */
    void settle(long vertex, PlacedEdges into) {
        int slot = vertices.slot(vertex);
        int degree = 0;
        counts.clear();
        for (int edge = window.firstEdge(vertex); edge != EdgeBuffer.NONE; edge = held.next(edge, vertex)) {
            degree++;
            long other = other(edge, vertex);
            if (other == vertex) {
                degree++;
            } else {
                countNeighbour(vertices.slot(other, slot, held.slot(edge, held.source(edge) != vertex)));
            }
        }
        own(vertex, slot, rule.owner(vertex, degree, counts, ownerLoads), into);
    }

    private void countNeighbour(int slot) {
        if (!isOpen(slot)) {
            int owner = shared == null ? vertices.master(slot) : shared.owner(slot);
            if (owner < ownerLoads.partitionCount()) {
                counts.add(owner, rule.ownerWeight());
            }
        } else if (rule.hasHomes() && vertices.home(slot) != VertexTable.NO_HOME) {
            counts.add(vertices.home(slot), rule.homeWeight());
        }
    }

    private long other(int edge, long vertex) {
        return held.source(edge) == vertex ? held.target(edge) : held.source(edge);
    }

    /** Places the edges of a vertex that have waited for it alone, and tells its other neighbours. */
    void own(long vertex, int slot, int owner, PlacedEdges into) {
        if (shared != null) {
            shared.propose(vertex, slot, owner);
            return;
        }
        begin(slot, owner);
        own(vertex, slot, owner, window.take(vertex), into);
    }

    /**
     * Gives a vertex its owner as {@link #own(long, int, int, PlacedEdges)} does.
     *
     * @param number of the vertex in {@code waiting}, whose edges are the oldest ones that are buffered
     * @param buffered edges of the buffer, by the numbers that {@code waiting} has for them
     */
    void own(
            long vertex,
            int slot,
            int owner,
            int number,
            @Nullable WaitingEdges waiting,
            int[] buffered,
            PlacedEdges into) {
        if (shared != null || waiting == null) {
            own(vertex, slot, owner, into);
            return;
        }
        begin(slot, owner);
        int first = window.take(vertex);
        int from = waiting.start(number);
        int to = waiting.start(number + 1);
        if (from == to || buffered[waiting.edge(from)] != first) {
            own(vertex, slot, owner, first, into);
            return;
        }
        int later = held.next(buffered[waiting.edge(to - 1)], vertex);
        for (int chunk = from; chunk < to; chunk += CHUNK) {
            int count = Math.min(CHUNK, to - chunk);
            for (int i = 0; i < count; i++) {
                otherSlots[i] = waiting.slotOfOther(chunk + i);
            }
            vertices.prefetch(otherSlots, 0, count);
            for (int i = 0; i < count; i++) {
                int at = chunk + i;
                int edge = buffered[waiting.edge(at)];
                own(vertex, slot, owner, edge, waiting.isSource(at), waiting.other(at), otherSlots[i], into);
            }
        }
        own(vertex, slot, owner, later, into);
    }

    private void begin(int slot, int owner) {
        tables.own(slot, owner);
        if (rule.hasHomes()) {
            homes.move(vertices, slot, owner);
        }
    }

    /** Goes on with an edge of a vertex that has got its owner, and those behind it in the chain. */
    private void own(long vertex, int slot, int owner, int first, PlacedEdges into) {
        int edge = first;
        while (edge != EdgeBuffer.NONE) {
            int count = 0;
            for (; edge != EdgeBuffer.NONE && count < CHUNK; edge = held.next(edge, vertex)) {
                otherSlots[count] = held.slot(edge, held.source(edge) != vertex);
                taken[count++] = edge;
            }
            vertices.prefetch(otherSlots, 0, count);
            for (int i = 0; i < count; i++) {
                boolean isSource = held.source(taken[i]) == vertex;
                long other = other(taken[i], vertex);
                own(vertex, slot, owner, taken[i], isSource, other, otherSlots[i], into);
            }
        }
    }

    /** Places an edge of a vertex that has got its owner, or tells the other end. */
    private void own(
            long vertex,
            int slot,
            int owner,
            int edge,
            boolean isSource,
            long other,
            int otherSlotThen,
            PlacedEdges into) {
        int otherSlot = other == vertex ? slot : vertices.slot(other, slot, otherSlotThen);
        if (tables.hasOwner(otherSlot)) {
            held.free(edge);
            if (other != vertex) {
                await(otherSlot, -1);
            }
            tables.add(
                    isSource ? slot : otherSlot,
                    isSource ? otherSlot : slot,
                    held.weight(edge),
                    held.timestamp(edge),
                    held.key(edge),
                    into);
            return;
        }
        await(slot, 1);
        if (rule.hasHomes()) {
            vertices.countNeighbourHome(otherSlot, owner);
            homes.reconsider(vertices, otherSlot);
        }
    }

    EdgeWindow window() {
        return window;
    }

    /** Takes down that an edge is buffered no longer, whose endpoints are in these slots. */
    void removed(int source, int target) {
        if (shared != null) {
            shared.removed(source, target);
        }
        if (tables.hasOwner(source)) {
            await(source, -1);
        }
        if (tables.hasOwner(target)) {
            await(target, -1);
        }
    }

    /**
     * Places every buffered edge at the end of the input, as if the window had no room any more. If the tables decide,
     * it proposes some owners only, because the choice of the next ones depends on the decisions.
     */
    void placeHeld(PlacedEdges into) {
        if (joint != null && shared == null) {
            joint.placeAll(into);
        } else if (joint != null && joint.placeSome(into)) {
            return;
        }
        long most = Math.max(LEAST_PROPOSALS, ownerLoads.totalOwned() / PROPOSED_SHARE);
        while (held.size() > 0 && (shared == null || shared.proposals() < most)) {
            settle(window.fullest(), into);
        }
    }

    /** See {@link Placement#placeHeldBefore}. */
    void placeHeldBefore(long number, PlacedEdges into) {
        if (joint != null) {
            joint.chooseBefore(number, into);
        }
        while (held.size() > 0 && held.number(held.oldest()) < number) {
            placeOldest(into);
        }
    }

    /** Returns the part that chooses owners together, if there is one. */
    @Nullable JointOwners joint() {
        return joint;
    }

    /** Gives owners to those endpoints of the oldest edge that have none. */
    private void placeOldest(PlacedEdges into) {
        int edge = held.oldest();
        long source = held.source(edge);
        long target = held.target(edge);
        if (isOpen(vertices.slot(source))) {
            settle(source, into);
        }
        if (isOpen(vertices.slot(target))) {
            settle(target, into);
        }
    }
}
