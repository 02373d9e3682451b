package io.cutwater.state.placement;

import io.cutwater.state.cluster.Homes;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.joint.JointVertexRule;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.rule.VertexRule;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives owners to vertices. A vertex gets its owner once; an edge goes to the shard of each of its endpoints' owners,
 * one or two, when both have one.
 *
 * <p>An edge is buffered while an endpoint has no owner. When the buffer exceeds the rule's window, the vertex with the
 * most buffered edges gets its owner ({@link VertexRule}), because most is known of it and its neighbours learn most
 * from it. So hubs come first, and vertices of low degree later. A vertex that waits has a home if the rule wants it:
 * an edge that comes counts the home or owner of each end at the other ({@link VertexTable#countNeighbourHome}), and so
 * does a neighbour that gets its owner; then the home moves to where most of them are ({@link Homes#reconsider}).
 *
 * <p>In the vertex table the master of a vertex is its owner, and its replicas are where it is owned or halo. Degrees
 * count an edge when it is placed. An edge that comes with its place, a {@link Place}, is recorded as it is, and the
 * same edges that wait for its ends with it. A vertex without edges is gone, and its owner with it; if it comes again
 * it gets one anew. While an edge waits at it, it stays.
 */
final class VertexPlacer implements Placer {
    /** Edges that a move must save from being cut, as a share of those that move. */
    static final double LEAST_GAIN = 0.2;

    /** Edges that a move must save for each that waits in a buffer, whose plan may have chosen the present owner. */
    private static final double WAITING_EDGE = 0.1;

    /** The share of the placed edges that are placed before a vertex is looked at again: one with few costs little. */
    private static final int LAG_SHARE = 16;

    private static final int LEAST_LAG = 256;

    private static final long[] NONE = {};

    private final VertexRule rule;
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final OwnerLoads ownerLoads;
    private final OwnerTables tables;
    private final Homes homes;
    private final OwnerLoop loop;
    private int assigner;
    private int assigners = 1;

    VertexPlacer(VertexRule rule, VertexTable vertices, PartitionLoads loads, @Nullable KeptEdges kept) {
        this.rule = rule;
        this.vertices = vertices;
        this.loads = loads;
        ownerLoads = new OwnerLoads(loads.partitionCount());
        homes = new Homes(loads.partitionCount());
        tables = new OwnerTables(vertices, loads, ownerLoads, kept);
        loop = new OwnerLoop(rule, vertices, tables, ownerLoads, homes, kept != null);
    }

    @Override
    public void take(EdgeBatch batch, int i, PlacedEdges into) {
        long sourceId = batch.source(i);
        long targetId = batch.target(i);
        int place = batch.place(i);
        if (place != EdgeBatch.NO_PLACE) {
            finishPlan(into);
            loop.settle(sourceId, Place.ofSource(place), into);
            loop.settle(targetId, Place.ofTarget(place), into);
        }
        int source = vertices.slot(sourceId);
        int target = sourceId == targetId ? source : vertices.slot(targetId, source);
        loop.accept(batch, i, source, target, into);
    }

    @Override
    public EdgeWindow window() {
        return loop.window();
    }

    @Override
    public @Nullable PlannedBuffer<?, ?> plannedBuffer() {
        return loop.joint() == null ? null : loop.joint().plans();
    }

    private void finishPlan(PlacedEdges into) {
        JointOwners joint = loop.joint();
        if (joint != null) {
            joint.plans().finishPlan(into);
        }
    }

    @Override
    public void shareVertices(int assigner, int assigners) {
        this.assigner = assigner;
        this.assigners = assigners;
        loop.shareOwners();
        if (loop.joint() != null) {
            loop.joint().plans().share(assigner, assigners);
        }
    }

    @Override
    public void mastered(long vertex, PlacedEdges into) {
        SharedOwners shared = loop.shared();
        if (shared != null) {
            shared.decided(vertex, into);
        }
    }

    @Override
    public @Nullable EdgeWindow undecided() {
        SharedOwners shared = loop.shared();
        return shared == null ? null : shared.undecided();
    }

    /** An assigner that has forgotten the owner of a vertex may have placed edges of it. */
    @Override
    public boolean placesCopiesApart() {
        return loop.shared() != null;
    }

    @Override
    public boolean release(long vertex) {
        SharedOwners shared = loop.shared();
        return shared != null && shared.release(vertex);
    }

    @Override
    public void disown(int owner) {
        ownerLoads.disown(owner);
        if (rule.hasHomes()) {
            homes.forget(owner);
        }
    }

    @Override
    public void ownerMoved(long vertex, int from, int to, EdgeBatch edges, KeptEdges kept, PlacedEdges into) {
        for (int i = 0; i < edges.size(); i++) {
            tables.moveShared(vertex, to, edges, i, kept, into);
        }
        RecordExchange.changeOwner(vertices, vertex, to);
        if (Math.floorMod(vertex, (long) assigners) == assigner) { // any, but one
            ownerLoads.disown(from);
            ownerLoads.own(to);
            if (rule.hasHomes()) {
                homes.forget(from);
                homes.add(to);
            }
        }
    }

    @Override
    public long[] takeLeft() {
        SharedOwners shared = loop.shared();
        return shared == null ? NONE : shared.takeLeft();
    }

    @Override
    public void placeHeldBefore(long number, PlacedEdges into) {
        loop.placeHeldBefore(number, into);
    }

    @Override
    public void placeHeld(PlacedEdges into) {
        loop.placeHeld(into);
    }

    @Override
    public void removePlaced(int source, int target, int partition, KeptEdges removed, PlacedEdges into) {
        tables.remove(source, target, partition, removed, into);
    }

    @Override
    public void removeHeld(int source, int target) {
        loop.removed(source, target);
    }

    @Override
    public void forgetIfGone(int slot) {
        if (loop.shared() != null || vertices.degree(slot) > 0 || window().count(vertices.vertex(slot)) > 0) {
            return; // of several assigners none knows all edges
        }
        if (tables.hasOwner(slot)) {
            tables.disown(slot);
        }
        if (rule.hasHomes()) {
            homes.forget(vertices, slot);
        }
        vertices.forget(slot);
    }

    @Override
    public long move(long source, long target, int from, int to, KeptEdges kept, PlacedEdges into) {
        finishPlan(into);
        int slot = vertices.slot(source);
        if (vertices.master(slot) != from || from == to) {
            forgetIfGone(slot); // if it has just been made for the question
            return 0;
        }
        if (rule.hasHomes()) {
            homes.move(vertices, slot, to);
        }
        return tables.move(slot, to, window().count(source), kept, into);
    }

    @Override
    public boolean takesMoved(long vertex, int to) {
        int slot = vertices.slot(vertex);
        return to < ownerLoads.partitionCount() && rule.takesMoved(to, vertices.degree(slot), ownerLoads);
    }

    @Override
    public long lag() {
        return Math.max(LEAST_LAG, placedEdges() / LAG_SHARE);
    }

    @Override
    public void refineBy(Refinement refinement) {
        JointOwners joint = loop.joint();
        if (joint != null) {
            joint.refineBy(refinement);
        }
    }

    @Override
    public boolean mayRefine() {
        JointOwners joint = loop.joint();
        return ownerLoads.partitionCount() == loads.partitionCount()
                && (joint == null || !joint.plans().isPlanning());
    }

    @Override
    public long refine(long source, long target, int from, long most, Refinement.Mover mover) {
        long moved = refine(source, most, mover);
        return source == target ? moved : moved + refine(target, most - moved, mover);
    }

    /** Has a vertex moved if that leaves enough edges in one shard for each edge that moves. */
    private long refine(long vertex, long most, Refinement.Mover mover) {
        int slot = vertices.slot(vertex);
        int from = vertices.master(slot);
        long degree = vertices.degree(slot);
        int best = from;
        double leastEdges = from == VertexTable.NO_MASTER ? 0 : vertices.edgesAt(slot, from) + LEAST_GAIN * degree;
        if (loop.joint() != null) {
            leastEdges += WAITING_EDGE * loop.window().count(vertex);
        }
        for (int word = 0; word < vertices.replicaWords() && degree > 0 && degree <= most; word++) {
            for (long bits = vertices.replicaWord(slot, word); bits != 0; bits &= bits - 1) {
                int p = (word << 6) + Long.numberOfTrailingZeros(bits);
                long edges = vertices.edgesAt(slot, p);
                if (p != from && edges > leastEdges && rule.takesMoved(p, degree, ownerLoads)) {
                    leastEdges = edges;
                    best = p;
                }
            }
        }
        if (best == from) {
            forgetIfGone(slot);
            return 0;
        }
        return mover.move(vertex, vertex, from, best, degree);
    }

    @Override
    public boolean isSeed(long source, long target) {
        if (!(rule instanceof JointVertexRule)) {
            return false;
        }
        int sourceSlot = vertices.slot(source);
        int ofSource = vertices.master(sourceSlot);
        int targetSlot = vertices.slot(target, sourceSlot);
        int ofTarget = vertices.master(targetSlot);
        forgetIfGone(sourceSlot);
        forgetIfGone(targetSlot);
        return ofSource != ofTarget && ofSource != VertexTable.NO_MASTER && ofTarget != VertexTable.NO_MASTER;
    }

    @Override
    public long rearrange(long[] seeds, long volume, long most, KeptEdges kept, PlacedEdges into) {
        VertexRegion region = new VertexRegion(seeds, volume, vertices, kept);
        if (!region.choose((JointVertexRule) rule, ownerLoads, most)) {
            return 0;
        }
        return Placer.makeMoves(region.size(), v -> {
            int from = region.before(v);
            int to = region.owner(v);
            if (to == from) {
                return 0;
            }
            return rule.takesMoved(to, region.degree(v), ownerLoads)
                    ? move(region.vertex(v), region.vertex(v), from, to, kept, into)
                    : NO_ROOM;
        });
    }

    @Override
    public boolean canChangePartitions() {
        return true;
    }

    @Override
    public void restrictTo(int open) {
        JointOwners joint = loop.joint();
        if (joint != null) {
            joint.plans().dropPlan();
        }
        ownerLoads.restrictTo(open);
        homes.restrictTo(open);
    }

    @Override
    public void setPlaces(long vertex, EdgeBatch edges, int first) {
        long[] targets = Arrays.copyOfRange(edges.targets(), first, edges.size());
        vertices.expect(targets, targets.length);
        int owner = vertices.master(vertices.slot(vertex));
        for (int i = first; i < edges.size(); i++) {
            edges.setPlace(i, Place.of(owner, vertices.master(vertices.slot(edges.target(i)))));
        }
    }

    OwnerLoads ownerLoads() {
        return ownerLoads;
    }

    @Override
    public long placedEdges() {
        return ownerLoads.edges();
    }

    @Override
    public Quality quality(long deadLetters) {
        return ownerLoads.quality(loads, deadLetters);
    }

    @Override
    public List<byte[]> snapshot() {
        List<byte[]> pieces = new ArrayList<>();
        pieces.add(ownerLoads.toBytes());
        if (rule.hasHomes()) {
            pieces.add(homes.toBytes());
        }
        JointOwners joint = loop.joint();
        if (joint != null) {
            pieces.addAll(joint.snapshot());
        }
        return pieces;
    }

    /** Adds a piece of one of several assigners, which come in any order. */
    private void restorePart(byte[] piece) {
        if (ownerLoads.hasWritten(piece)) {
            ownerLoads.restorePart(piece);
        } else {
            homes.restore(piece);
        }
    }

    @Override
    public void restore(List<byte[]> snapshot, EdgeBatch buffered) {
        if (snapshot.isEmpty() && buffered.isEmpty()) {
            return; // a job that begins
        }
        List<byte[]> pieces = JointOwners.others(snapshot);
        boolean hasOthers = pieces.stream().anyMatch(piece -> !ownerLoads.hasWritten(piece));
        boolean isComplete = hasOthers == rule.hasHomes() && !pieces.isEmpty();
        if (loop.shared() == null && !isComplete) {
            throw new IllegalStateException(
                    "the checkpoint was written with another algorithm; go on with the one that the job began with");
        }
        pieces.forEach(this::restorePart);
        for (int i = 0; i < buffered.size(); i++) {
            int source = vertices.slot(buffered.source(i));
            loop.hold(buffered, i, source, vertices.slot(buffered.target(i), source));
        }
        JointOwners joint = loop.joint();
        if (joint != null) {
            joint.restore(snapshot, buffered);
        }
    }
}
