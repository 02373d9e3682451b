package io.cutwater.state.vertex;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.OwnerPair;
import io.cutwater.state.partition.HeldEdges;
import io.cutwater.state.partition.Homes;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.PlacedEdges;
import io.cutwater.state.partition.StreamAssigner;
import io.cutwater.state.quality.VertexQuality;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Partitions the vertices of a stream of edges, in one pass, for ever. A vertex gets its owner once; an edge goes to
 * the shard of each of its ends' owners, one or two, when both have one.
 *
 * <p>An edge waits while an end has no owner. When more edges wait than the rule's window holds, the vertex with the
 * most of them gets its owner ({@link OwnerRule}): much is known of it, and much is learnt from it by those that wait
 * still. So hubs come first, and a vertex of few edges gets time. A vertex that waits has a home if the rule wants it:
 * an edge that comes counts the home or owner of each end at the other ({@link VertexTable#countNeighbourHome}), and so
 * does a neighbour that gets its owner; then the home moves to where most of them are ({@link Homes#reconsider}).
 *
 * <p>In the vertex table the master of a vertex is its owner, and its replicas are where it is owned or halo. Degrees
 * count an edge when it is placed. An edge that comes with its place, an {@link OwnerPair}, is taken down as it is, and
 * the same edges that wait for its ends with it.
 */
public final class LiveVertexAssigner implements StreamAssigner {
    private final OwnerRule rule;
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final OwnerLoads ownerLoads;
    private final Homes homes;
    private final NeighbourCounts counts;
    private final VertexWindow window = new VertexWindow();
    private final HeldEdges held = window.edges();

    private LiveVertexAssigner(OwnerRule rule, VertexTable vertices, PartitionLoads loads) {
        this.rule = rule;
        this.vertices = vertices;
        this.loads = loads;
        ownerLoads = new OwnerLoads(loads.partitionCount());
        homes = new Homes(loads.partitionCount());
        counts = new NeighbourCounts(loads.partitionCount());
    }

    /**
     * An assigner over tables that are empty, or are those that one before it kept.
     *
     * @param vertices of the layout that {@link #layout} gives
     * @throws IllegalArgumentException if the algorithm or one of its settings is not known, or if it has no rule for a
     *     stream and it is asked for in {@link PassMode#LIVE}
     */
    public static LiveVertexAssigner of(PartitionerOptions options, VertexTable vertices, PartitionLoads loads) {
        return new LiveVertexAssigner(rule(options), vertices, loads);
    }

    /** The columns that are needed of each vertex; the exceptions are those of {@link #of}. */
    public static VertexLayout layout(PartitionerOptions options) {
        VertexLayout layout = new VertexLayout(options.partitionCount(), false);
        return rule(options).hasHomes() ? layout.withHomes() : layout;
    }

    /** The algorithms that have a rule for a stream of edges, sorted. */
    public static List<String> names() {
        return OwnerRules.names();
    }

    /** Whether there is such an algorithm and its rule for a stream of edges has such a setting. */
    public static boolean hasSetting(String algorithm, String name) {
        return OwnerRules.hasSetting(algorithm, name);
    }

    private static OwnerRule rule(PartitionerOptions options) {
        return options.passMode() == PassMode.BULK ? new RecordedOwners() : OwnerRules.create(options);
    }

    @Override
    public void accept(EdgeBatch batch, PlacedEdges into) {
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        int size = batch.size();
        vertices.expect(sources, targets, size);
        for (int i = 0; i < size; i++) {
            if (i % VertexTable.WARM_EDGES == 0) {
                vertices.warm(sources, targets, i, Math.min(size, i + VertexTable.WARM_EDGES));
            }
            int place = batch.place(i);
            if (place != EdgeBatch.NO_PLACE) {
                settle(sources[i], OwnerPair.ofSource(place), into);
                settle(targets[i], OwnerPair.ofTarget(place), into);
            }
            int source = vertices.slot(sources[i]);
            int target = sources[i] == targets[i] ? source : vertices.slot(targets[i], source);
            if (hasOwner(source) && hasOwner(target)) {
                record(source, target, batch.weight(i), batch.timestamp(i), into);
            } else {
                hold(batch, i, source, target);
                if (rule.hasHomes() && source != target) {
                    learn(source, target);
                }
                while (held.size() > rule.windowSize()) {
                    settle(window.fullest(), into);
                }
            }
        }
    }

    private void hold(EdgeBatch edges, int i, int source, int target) {
        window.add(edges, i, !hasOwner(source), !hasOwner(target));
        if (hasOwner(source)) {
            ownerLoads.await(vertices.master(source), 1);
        }
        if (hasOwner(target)) {
            ownerLoads.await(vertices.master(target), 1);
        }
    }

    private boolean hasOwner(int slot) {
        return vertices.master(slot) != VertexTable.NO_MASTER;
    }

    /** An edge has come between two vertices, of which one at least has no owner. */
    private void learn(int source, int target) {
        int sourceHome = vertices.home(source);
        int targetHome = vertices.home(target);
        if (targetHome != VertexTable.NO_HOME && !hasOwner(source)) {
            vertices.countNeighbourHome(source, targetHome);
        }
        if (sourceHome != VertexTable.NO_HOME && !hasOwner(target)) {
            vertices.countNeighbourHome(target, sourceHome);
        }
        if (!hasOwner(source)) {
            homes.reconsider(vertices, source);
        }
        if (!hasOwner(target)) {
            homes.reconsider(vertices, target);
        }
    }

    /** Gives a vertex the owner that was chosen before it came here. */
    private void settle(long vertex, int owner, PlacedEdges into) {
        int slot = vertices.slot(vertex);
        if (!hasOwner(slot)) {
            own(vertex, slot, owner, into);
        } else if (vertices.master(slot) != owner) {
            throw new IllegalStateException("an edge comes with owner %d of vertex %d, which has owner %d already"
                    .formatted(owner, vertex, vertices.master(slot)));
        }
    }

    /** Gives a vertex that waits its owner. */
    private void settle(long vertex, PlacedEdges into) {
        int slot = vertices.slot(vertex);
        int degree = 0;
        counts.clear();
        for (int edge = window.firstEdge(vertex); edge != HeldEdges.NONE; edge = held.next(edge, vertex)) {
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
        if (hasOwner(slot)) {
            counts.add(vertices.master(slot), rule.ownerWeight());
        } else if (rule.hasHomes() && vertices.home(slot) != VertexTable.NO_HOME) {
            counts.add(vertices.home(slot), rule.homeWeight());
        }
    }

    private long other(int edge, long vertex) {
        return held.source(edge) == vertex ? held.target(edge) : held.source(edge);
    }

    /** Places the edges of a vertex that have waited for it alone, and tells its other neighbours. */
    private void own(long vertex, int slot, int owner, PlacedEdges into) {
        vertices.addReplica(slot, owner, loads);
        ownerLoads.own(owner);
        if (rule.hasHomes()) {
            homes.move(vertices, slot, owner);
        }
        int edge = window.firstEdge(vertex);
        if (edge == HeldEdges.NONE) {
            return; // it comes with its owner
        }
        window.remove(vertex);
        for (; edge != HeldEdges.NONE; edge = held.next(edge, vertex)) {
            long other = other(edge, vertex);
            int otherSlot = other == vertex ? slot : vertices.slot(other, slot);
            if (hasOwner(otherSlot)) {
                held.free(edge);
                if (other != vertex) {
                    ownerLoads.await(vertices.master(otherSlot), -1);
                }
                boolean isSource = held.source(edge) == vertex;
                record(
                        isSource ? slot : otherSlot,
                        isSource ? otherSlot : slot,
                        held.weight(edge),
                        held.timestamp(edge),
                        into);
                continue;
            }
            ownerLoads.await(owner, 1);
            if (rule.hasHomes()) {
                vertices.countNeighbourHome(otherSlot, owner);
                homes.reconsider(vertices, otherSlot);
            }
        }
    }

    /** Takes down an edge both of whose ends have owners, and gives it to their shards. */
    private void record(int source, int target, double weight, long timestamp, PlacedEdges into) {
        int ofSource = countEdge(source);
        int ofTarget = countEdge(target);
        ownerLoads.addEdge(ofSource, ofTarget);
        loads.addEdge(ofSource);
        if (ofSource != ofTarget) {
            loads.addEdge(ofTarget);
            vertices.addReplica(source, ofTarget, loads);
            vertices.addReplica(target, ofSource, loads);
        }
        into.placed(vertices.vertex(source), vertices.vertex(target), weight, timestamp, ofSource, ofTarget);
    }

    private int countEdge(int slot) {
        int owner = vertices.master(slot);
        if (vertices.degree(slot) == 0) {
            ownerLoads.show(owner);
        }
        vertices.countEdge(slot);
        return owner;
    }

    /** The input has ended: as if the window had no room any more. */
    @Override
    public void placeHeld(PlacedEdges into) {
        while (!window.isEmpty()) {
            settle(window.fullest(), into);
        }
    }

    @Override
    public void placeHeldBefore(long number, PlacedEdges into) {
        while (held.size() > 0 && held.number(held.oldest()) < number) {
            int edge = held.oldest();
            long source = held.source(edge);
            long target = held.target(edge);
            if (!hasOwner(vertices.slot(source))) {
                settle(source, into);
            }
            if (!hasOwner(vertices.slot(target))) {
                settle(target, into);
            }
        }
    }

    @Override
    public boolean keepsEdges() {
        return false;
    }

    @Override
    public long unknownRemovals() {
        return 0;
    }

    @Override
    public long move(long source, long target, int from, int to, PlacedEdges into) {
        throw new IllegalStateException("no edges are kept, so no vertex can be moved; submit with --keep-edges");
    }

    @Override
    public void restrictTo(int open) {
        throw new IllegalStateException("no edges are kept, so no partition can be closed; submit with --keep-edges");
    }

    @Override
    public void keptEdges(long vertex, EdgeBatch into) {
        throw new IllegalStateException("no edges are kept; submit with --keep-edges");
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

    /** How the partitioning stands; edges that wait do not count. */
    public VertexQuality quality(long deadLetters) {
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
            hold(waiting, i, source, vertices.slot(waiting.target(i), source));
        }
    }
}
