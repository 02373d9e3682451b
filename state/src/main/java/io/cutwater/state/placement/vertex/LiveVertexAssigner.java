package io.cutwater.state.placement.vertex;

import io.cutwater.state.cluster.Homes;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.placement.BatchLoop;
import io.cutwater.state.placement.EdgeBuffer;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.StreamAssigner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.rule.VertexRule;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The engine of live vertex partitioning. A vertex gets its owner once; an edge goes to the shard of each of its
 * endpoints' owners, one or two, when both have one.
 *
 * <p>An edge is buffered while an endpoint has no owner. When the buffer exceeds the rule's window, the vertex with the
 * most buffered edges gets its owner ({@link VertexRule}), because most is known of it and its neighbours learn most
 * from it. So hubs come first, and vertices of low degree later. A vertex that waits has a home if the rule wants it:
 * an edge that comes counts the home or owner of each end at the other ({@link VertexTable#countNeighbourHome}), and so
 * does a neighbour that gets its owner; then the home moves to where most of them are ({@link Homes#reconsider}).
 *
 * <p>In the vertex table the master of a vertex is its owner, and its replicas are where it is owned or halo. Degrees
 * count an edge when it is placed. An edge that comes with its place, an {@link Place}, is taken down as it is, and the
 * same edges that wait for its ends with it.
 *
 * <p>With kept edges, edges are removed and vertices moved. A vertex without edges is gone, and its owner with it; if
 * it comes again it gets one anew. While an edge waits at it, it stays.
 */
public final class LiveVertexAssigner implements StreamAssigner {
    private final VertexRule rule;
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final OwnerLoads ownerLoads;
    private final OwnerTables tables;
    private final @Nullable KeptEdges kept;
    private final Homes homes;
    private final OwnerLoop loop;
    private final EdgeBuffer held;
    private long unknownRemovals;

    private LiveVertexAssigner(VertexRule rule, VertexTable vertices, PartitionLoads loads, @Nullable KeptEdges kept) {
        this.rule = rule;
        this.vertices = vertices;
        this.loads = loads;
        this.kept = kept;
        ownerLoads = new OwnerLoads(loads.partitionCount());
        homes = new Homes(loads.partitionCount());
        tables = new OwnerTables(vertices, loads, ownerLoads, kept);
        loop = new OwnerLoop(rule, vertices, tables, ownerLoads, homes, kept != null);
        held = loop.held();
    }

    /** An assigner that keeps no edges; see the other method. */
    public static LiveVertexAssigner of(VertexRule rule, VertexTable vertices, PartitionLoads loads) {
        return of(rule, vertices, loads, null);
    }

    /**
     * An assigner over tables that are empty, or that an earlier assigner has left.
     *
     * @param vertices of the layout that {@link #layout} gives, with counts if edges are kept
     * @param kept edges as {@link KeptEdges#ofVertices} keeps them, or null for none
     * @throws IllegalArgumentException if the tables lack what kept edges need
     */
    public static LiveVertexAssigner of(
            VertexRule rule, VertexTable vertices, PartitionLoads loads, @Nullable KeptEdges kept) {
        if (kept != null && (kept.hasPlaces() || !vertices.layout().hasCounts())) {
            throw new IllegalArgumentException(
                    "to keep the edges of a vertex partitioning, make them with KeptEdges.ofVertices and the vertex table with counts");
        }
        return new LiveVertexAssigner(rule, vertices, loads, kept);
    }

    /** The columns that the engine and a rule need of each vertex. */
    public static VertexLayout layout(VertexRule rule, int partitionCount) {
        VertexLayout layout = new VertexLayout(partitionCount, false);
        return rule.hasHomes() ? layout.withHomes() : layout;
    }

    @Override
    public void accept(EdgeBatch batch, PlacedEdges into) {
        if (kept == null && batch.hasRemovals()) {
            throw new IllegalStateException("an edge is removed, and no edges are kept; submit with --keep-edges");
        }
        BatchLoop.forEach(vertices, batch, i -> take(batch, i, into));
    }

    /** Removes, records, buffers or places edge {@code i}. */
    private void take(EdgeBatch batch, int i, PlacedEdges into) {
        long sourceId = batch.source(i);
        long targetId = batch.target(i);
        if (kept != null && batch.isRemoval(i)) {
            remove(sourceId, targetId, kept, into);
            return;
        }
        int place = batch.place(i);
        if (place != EdgeBatch.NO_PLACE) {
            loop.settle(sourceId, Place.ofSource(place), into);
            loop.settle(targetId, Place.ofTarget(place), into);
        }
        int source = vertices.slot(sourceId);
        int target = sourceId == targetId ? source : vertices.slot(targetId, source);
        loop.accept(batch, i, source, target, into);
    }

    private void remove(long source, long target, KeptEdges kept, PlacedEdges into) {
        int edge = loop.find(source, target);
        if (edge == EdgeBuffer.NONE && kept.removeOldest(source, target) == KeptEdges.NO_EDGE) {
            unknownRemovals++;
            return;
        }
        int sourceSlot = vertices.slot(source);
        int targetSlot = source == target ? sourceSlot : vertices.slot(target, sourceSlot);
        if (edge == EdgeBuffer.NONE) {
            tables.remove(sourceSlot, targetSlot, kept.weight(), kept.timestamp(), into);
        } else {
            loop.remove(edge, sourceSlot, targetSlot);
        }
        forgetIfGone(sourceSlot);
        if (targetSlot != sourceSlot) {
            forgetIfGone(targetSlot);
        }
    }

    /** A vertex goes if no edge is placed at it and none waits. */
    private void forgetIfGone(int slot) {
        if (vertices.degree(slot) > 0 || loop.waits(vertices.vertex(slot))) {
            return;
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
    public long move(long source, long target, int from, int to, PlacedEdges into) {
        KeptEdges edges = keptEdges();
        int slot = vertices.slot(source);
        if (vertices.master(slot) != from || from == to) {
            forgetIfGone(slot); // if it has just been made for the question
            return 0;
        }
        if (rule.hasHomes()) {
            homes.move(vertices, slot, to);
        }
        return tables.move(slot, to, loop.awaited(source), edges, into);
    }

    private KeptEdges keptEdges() {
        if (kept == null) {
            throw new IllegalStateException("no edges are kept, so no vertex can be moved; submit with --keep-edges");
        }
        return kept;
    }

    @Override
    public boolean canChangePartitions() {
        return true;
    }

    @Override
    public void restrictTo(int open) {
        keptEdges();
        vertices.restrictTo(open);
        ownerLoads.restrictTo(open);
        homes.restrictTo(open);
    }

    @Override
    public void keptEdges(long vertex, EdgeBatch into) {
        int first = into.size();
        keptEdges().outgoing(vertex, into);
        if (into.size() == first) {
            return;
        }
        long[] targets = Arrays.copyOfRange(into.targets(), first, into.size());
        vertices.expect(targets, targets.length);
        int owner = vertices.master(vertices.slot(vertex));
        for (int i = first; i < into.size(); i++) {
            into.setPlace(i, Place.of(owner, vertices.master(vertices.slot(into.target(i)))));
        }
    }

    @Override
    public boolean keepsEdges() {
        return kept != null;
    }

    @Override
    public long unknownRemovals() {
        return unknownRemovals;
    }

    /** The input has ended: as if the window had no room any more. */
    @Override
    public void placeHeld(PlacedEdges into) {
        loop.placeHeld(into);
    }

    @Override
    public void placeHeldBefore(long number, PlacedEdges into) {
        loop.placeHeldBefore(number, into);
    }

    @Override
    public int heldCount() {
        return held.size();
    }

    @Override
    public long heldEver() {
        return held.added();
    }

    @Override
    public EdgeBatch heldEdges() {
        return held.toBatch();
    }

    @Override
    public long placedEdges() {
        return ownerLoads.edges();
    }

    @Override
    public Quality quality(long deadLetters) {
        return ownerLoads.quality(loads, deadLetters);
    }

    OwnerLoads ownerLoads() {
        return ownerLoads;
    }

    @Override
    public List<byte[]> snapshot() {
        List<byte[]> pieces = new ArrayList<>();
        pieces.add(ownerLoads.toBytes());
        if (rule.hasHomes()) {
            pieces.add(homes.toBytes());
        }
        return pieces;
    }

    @Override
    public void restore(List<byte[]> snapshot, EdgeBatch waiting) {
        if (snapshot.isEmpty() && waiting.isEmpty()) {
            return; // a job that begins
        }
        if (snapshot.size() != (rule.hasHomes() ? 2 : 1)) {
            throw new IllegalStateException(
                    "the checkpoint was written with another algorithm; go on with the one that the job began with");
        }
        ownerLoads.restore(snapshot.get(0));
        if (rule.hasHomes()) {
            homes.restore(snapshot.get(1));
        }
        for (int i = 0; i < waiting.size(); i++) {
            int source = vertices.slot(waiting.source(i));
            loop.hold(waiting, i, source, vertices.slot(waiting.target(i), source));
        }
    }
}
