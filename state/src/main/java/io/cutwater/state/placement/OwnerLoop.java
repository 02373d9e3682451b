package io.cutwater.state.placement;

import io.cutwater.state.cluster.Homes;
import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.joint.JointVertexRule;
import io.cutwater.state.joint.OwnerBuffer;
import io.cutwater.state.rule.NeighbourCounts;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.rule.VertexRule;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The buffered edges of a vertex partitioning, and the vertices that get their owner. */
final class OwnerLoop {
    /** The share of a full buffer whose edges are placed; the vertices of the others wait until more is known. */
    private static final int PLACED_SHARE = 4;

    /** Edges of a full buffer that may wait on although they were to be placed, as a share of those that wait. */
    private static final int LEAST_SHARE = 4;

    private final VertexRule rule;
    private final VertexTable vertices;
    private final OwnerTables tables;
    private final OwnerLoads ownerLoads;
    private final Homes homes;
    private final boolean keepsEdges;
    private final @Nullable JointVertexRule joint; // if it chooses owners together
    private final NeighbourCounts counts;
    private final EdgeWindow window = new EdgeWindow(true);
    private final EdgeBuffer held = window.edges();

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
        joint = rule instanceof JointVertexRule together && together.bufferSize() > 0 ? together : null;
        counts = new NeighbourCounts(ownerLoads.partitionCount());
    }

    /** Places edge {@code i}, whose endpoints are in these slots, or buffers it. */
    void accept(EdgeBatch batch, int i, int source, int target, PlacedEdges into) {
        if (tables.hasOwner(source) && tables.hasOwner(target)) {
            tables.add(source, target, batch.weight(i), batch.timestamp(i), batch.key(i), into);
            return;
        }
        hold(batch, i, source, target);
        if (rule.hasHomes() && source != target) {
            learn(source, target);
        }
        if (joint == null) {
            while (held.size() > rule.windowSize()) {
                settle(window.fullest(), into);
            }
        } else if (held.size() >= joint.bufferSize()) {
            placeSurest(joint, held.size() - Math.max(1, held.size() / PLACED_SHARE), into);
        }
    }

    /** Chooses owners together and gives them to the surest vertices, until so many edges are left. */
    private void placeSurest(JointVertexRule together, int left, PlacedEdges into) {
        OwnerBuffer chosen = new OwnerBuffer(held.toBatch(), together, vertices, ownerLoads);
        settleAll(together, chosen, chosen.surestFirst(held.size() - left), into);
        for (int number = 0; held.size() > left + left / LEAST_SHARE && number < chosen.size(); number++) {
            if (!tables.hasOwner(vertices.slot(chosen.vertex(number)))) {
                settle(chosen.vertex(number), into); // whose chosen owner has no room
            }
        }
    }

    /** Gives vertices their chosen owners, except those whose owner would have too many then. */
    private void settleAll(JointVertexRule together, OwnerBuffer chosen, int[] numbers, PlacedEdges into) {
        int count = numbers.length;
        for (int before = count + 1; count < before; ) {
            before = count;
            count = 0;
            double capacity = together.capacity(ownerLoads.totalOwned() + before, ownerLoads.partitionCount());
            long[] rooms = new long[ownerLoads.partitionCount()];
            Arrays.setAll(rooms, p -> (long) Math.floor(capacity) - ownerLoads.owned(p));
            for (int number : numbers) {
                if (rooms[chosen.owner(number)]-- > 0) {
                    numbers[count++] = number;
                }
            }
            numbers = Arrays.copyOf(numbers, count);
        }
        for (int number : numbers) {
            long vertex = chosen.vertex(number);
            own(vertex, vertices.slot(vertex), chosen.owner(number), into);
        }
    }

    void hold(EdgeBatch edges, int i, int source, int target) {
        window.add(edges, i, !tables.hasOwner(source), !tables.hasOwner(target));
        if (tables.hasOwner(source)) {
            await(source, 1);
        }
        if (tables.hasOwner(target)) {
            await(target, 1);
        }
    }

    /** An edge begins to wait at a vertex that has its owner, or waits no longer. */
    private void await(int slot, int change) {
        ownerLoads.await(vertices.master(slot), change);
        if (keepsEdges) { // without removals a vertex never leaves, so the counts are not needed
            window.count(vertices.vertex(slot), change);
        }
    }

    /** An edge has come between two vertices, of which one at least has no owner. */
    private void learn(int source, int target) {
        int sourceHome = vertices.home(source);
        int targetHome = vertices.home(target);
        if (targetHome != VertexTable.NO_HOME && !tables.hasOwner(source)) {
            vertices.countNeighbourHome(source, targetHome);
        }
        if (sourceHome != VertexTable.NO_HOME && !tables.hasOwner(target)) {
            vertices.countNeighbourHome(target, sourceHome);
        }
        if (!tables.hasOwner(source)) {
            homes.reconsider(vertices, source);
        }
        if (!tables.hasOwner(target)) {
            homes.reconsider(vertices, target);
        }
    }

    /** Gives a vertex the owner that was chosen before it came here; where edges are kept, it may have moved since. */
    void settle(long vertex, int owner, PlacedEdges into) {
        int slot = vertices.slot(vertex);
        if (!tables.hasOwner(slot)) {
            if (owner < ownerLoads.partitionCount()) {
                own(vertex, slot, owner, into);
            }
        } else if (vertices.master(slot) != owner && !keepsEdges) {
            throw new IllegalStateException("an edge comes with owner %d of vertex %d, which has owner %d already"
                    .formatted(owner, vertex, vertices.master(slot)));
        }
    }

    /** Gives a vertex that waits its owner. */
    private void settle(long vertex, PlacedEdges into) {
        int slot = vertices.slot(vertex);
        int degree = 0;
        counts.clear();
        for (int edge = window.firstEdge(vertex); edge != EdgeBuffer.NONE; edge = held.next(edge, vertex)) {
            degree++;
            long other = other(edge, vertex);
            if (other == vertex) {
                degree++;
            } else {
                countNeighbour(vertices.slot(other, slot));
            }
        }
        own(vertex, slot, rule.owner(vertex, degree, counts, ownerLoads), into);
    }

    private void countNeighbour(int slot) {
        if (tables.hasOwner(slot)) {
            if (vertices.master(slot) < ownerLoads.partitionCount()) {
                counts.add(vertices.master(slot), rule.ownerWeight());
            }
        } else if (rule.hasHomes() && vertices.home(slot) != VertexTable.NO_HOME) {
            counts.add(vertices.home(slot), rule.homeWeight());
        }
    }

    private long other(int edge, long vertex) {
        return held.source(edge) == vertex ? held.target(edge) : held.source(edge);
    }

    /** Places the edges of a vertex that have waited for it alone, and tells its other neighbours. */
    private void own(long vertex, int slot, int owner, PlacedEdges into) {
        tables.own(slot, owner);
        if (rule.hasHomes()) {
            homes.move(vertices, slot, owner);
        }
        for (int edge = window.take(vertex); edge != EdgeBuffer.NONE; edge = held.next(edge, vertex)) {
            long other = other(edge, vertex);
            int otherSlot = other == vertex ? slot : vertices.slot(other, slot);
            if (tables.hasOwner(otherSlot)) {
                held.free(edge);
                if (other != vertex) {
                    await(otherSlot, -1);
                }
                boolean isSource = held.source(edge) == vertex;
                tables.add(
                        isSource ? slot : otherSlot,
                        isSource ? otherSlot : slot,
                        held.weight(edge),
                        held.timestamp(edge),
                        held.key(edge),
                        into);
                continue;
            }
            await(slot, 1);
            if (rule.hasHomes()) {
                vertices.countNeighbourHome(otherSlot, owner);
                homes.reconsider(vertices, otherSlot);
            }
        }
    }

    EdgeWindow window() {
        return window;
    }

    /** Takes down that an edge is buffered no longer, whose endpoints are in these slots. */
    void removed(int source, int target) {
        if (tables.hasOwner(source)) {
            await(source, -1);
        }
        if (tables.hasOwner(target)) {
            await(target, -1);
        }
    }

    /** Places every buffered edge at the end of the input, as if the window had no room any more. */
    void placeHeld(PlacedEdges into) {
        if (joint != null && held.size() > 0) {
            placeSurest(joint, 0, into);
        }
        while (held.size() > 0) {
            settle(window.fullest(), into);
        }
    }

    /** See {@link Placement#placeHeldBefore}. */
    void placeHeldBefore(long number, PlacedEdges into) {
        if (joint != null && held.size() > 0 && held.number(held.oldest()) < number) {
            placeTogetherBefore(joint, number, into);
        }
        while (held.size() > 0 && held.number(held.oldest()) < number) {
            placeOldest(into);
        }
    }

    /**
     * Chooses owners together and gives them to the endpoints of the edges that were buffered before so many others.
     */
    private void placeTogetherBefore(JointVertexRule together, long number, PlacedEdges into) {
        OwnerBuffer chosen = new OwnerBuffer(held.toBatch(), together, vertices, ownerLoads);
        int due = 0;
        for (int edge = held.oldest(); edge != EdgeBuffer.NONE && held.number(edge) < number; edge = held.newer(edge)) {
            due++;
        }
        settleAll(together, chosen, chosen.endpoints(due), into);
    }

    /** Gives owners to those endpoints of the oldest edge that have none. */
    private void placeOldest(PlacedEdges into) {
        int edge = held.oldest();
        long source = held.source(edge);
        long target = held.target(edge);
        if (!tables.hasOwner(vertices.slot(source))) {
            settle(source, into);
        }
        if (!tables.hasOwner(vertices.slot(target))) {
            settle(target, into);
        }
    }
}
