package io.cutwater.state.placement;

import io.cutwater.state.edges.EdgeBuffer;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RecordPrefetch;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.rule.LiveRule;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.rule.VertexRule;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.TeamLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The placement engine: places the edges of a stream batch by batch and updates the tables. A rule answers where
 * ({@link LiveRule}): on which partition an edge goes, or which partition owns a vertex. The job, the reference run and
 * the comparison share this class, and none of them knows the kind of the rule.
 *
 * <p>An edge may be buffered, within a bound, until more is known of its endpoints. If edges are kept
 * ({@link KeptEdges}), they can be removed and moved, and partitions can be closed. A removal deletes the oldest copy
 * of its edge, from its shards or from the buffer, or a vertex with all its edges. Removals apply in the order of the
 * stream. A removal of an unknown edge has no effect and is counted. A vertex without placed and buffered edges leaves
 * the table.
 */
public final class Placement {
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final @Nullable KeptEdges kept;
    private final Placer placer;
    private final @Nullable PlannedBuffer<?, ?> planned;
    private final EdgeBuffer held;
    private final @Nullable Removals removals;
    private @Nullable Refinement refinement;

    /** Creates a placement that keeps no edges; see the other constructor. */
    public Placement(LiveRule rule, VertexTable vertices, PartitionLoads loads) {
        this(rule, vertices, loads, null);
    }

    /**
     * Creates a placement over tables that are empty, or that an earlier placement has left.
     *
     * @param vertices with the columns of {@link LiveRule#layout}, and counts if edges are kept
     * @param kept edges as {@link KeptEdges#hasPlaces} suits the rule; null for none
     * @throws IllegalArgumentException if the tables are for another number of partitions, or lack columns
     */
    public Placement(LiveRule rule, VertexTable vertices, PartitionLoads loads, @Nullable KeptEdges kept) {
        checkTables(rule, vertices.layout(), loads.partitionCount(), kept);
        this.vertices = vertices;
        this.loads = loads;
        this.kept = kept;
        placer = rule instanceof EdgePartitioner edgeRule
                ? new EdgePlacer(edgeRule, vertices, loads, kept)
                : new VertexPlacer((VertexRule) rule, vertices, loads, kept);
        planned = placer.plannedBuffer();
        held = placer.window().edges();
        removals = kept == null ? null : new Removals(placer, vertices, kept);
    }

    private static void checkTables(LiveRule rule, VertexLayout layout, int partitionCount, @Nullable KeptEdges kept) {
        if (layout.partitionCount() != partitionCount) {
            throw new IllegalArgumentException("the vertex table is for %d partitions, the loads are for %d"
                    .formatted(layout.partitionCount(), partitionCount));
        }
        VertexLayout needed = rule.layout(partitionCount);
        if (needed.hasFinalDegrees() && !layout.hasFinalDegrees()) {
            throw new IllegalArgumentException(
                    "the partitioner needs final degrees: give the vertex table a layout that has them");
        }
        if (needed.hasHomes() && !layout.hasHomes()
                || needed.hasClusters() && !layout.hasClusters()
                || kept != null && !layout.hasCounts()) {
            throw new IllegalArgumentException(
                    "the vertex table lacks columns: make it with the layout that the rule gives, with counts if edges are kept");
        }
        if (kept != null && kept.hasPlaces() != rule instanceof EdgePartitioner) {
            throw new IllegalArgumentException(
                    "these edges are kept for a %s partitioning; make them with StoredEdges.of%s"
                            .formatted(kept.hasPlaces() ? "edge" : "vertex", kept.hasPlaces() ? "Vertices" : "Edges"));
        }
    }

    /**
     * Processes the next batch: places its edges or buffers them, and places the buffered edges that they release. In a
     * preparation pass, whose number the batch has, no edge is placed.
     *
     * @throws IllegalStateException if the batch has removals and no edges are kept
     */
    public void accept(EdgeBatch batch, PlacedEdges into) {
        if (removals == null && batch.hasRemovals()) {
            throw new IllegalStateException("an edge is removed, and no edges are kept; submit with --keep-edges");
        }
        if (placer instanceof EdgePlacer edgePlacer && edgePlacer.decidesAtOnce(batch)) {
            edgePlacer.placeAll(batch, into);
            return;
        }
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        int size = batch.size();
        int ready = 0;
        int announced = vertices.announce(sources, targets, 0, size);
        PlacedEdges queued = refined(into);
        PlacedEdges receiver = batch.hasPlaces() ? into : queued;
        for (int from = 0; from < size; from += RecordPrefetch.EDGES) {
            if (from == ready) {
                ready = announced;
                announced = vertices.arrive(sources, targets, ready, size);
            }
            int to = Math.min(size, from + RecordPrefetch.EDGES);
            vertices.prefetch(sources, targets, from, to);
            for (int i = from; i < to; i++) {
                if (removals != null && batch.isRemoval(i)) {
                    removals.apply(batch, i, receiver);
                } else {
                    placer.take(batch, i, receiver);
                }
                if (refinement != null) {
                    refinement.took();
                }
            }
        }
    }

    /**
     * Has placed edges, or vertices, moved to better places from now on, a few at a time between those of the stream.
     * Edges that come with a place are left alone until another edge of theirs is placed. Call it before the first
     * edge, and before {@link #restore}.
     *
     * @param share edges that may move, as a share of those that are placed, above 0 and at most 1
     * @throws IllegalStateException if no edges are kept
     */
    public void refine(double share) {
        refine(share, Refinement.LAG);
    }

    /** @param lag edges that are placed before one is looked at for the last time */
    void refine(double share, int lag) {
        refinement = new Refinement(share, lag, placer, vertices, kept());
        if (!kept().areElsewhere()) {
            placer.refineBy(refinement);
        }
    }

    /** Returns how many moves to better places are chosen and may be made now, beside the stream. */
    public int chosenMoves() {
        return refinement == null || !placer.mayRefine() ? 0 : refinement.chosen();
    }

    /**
     * Returns the chosen moves and forgets them; see {@link #move}. The place of each is a pair of partitions, its
     * weight the number of edges that it counts as.
     */
    public EdgeBatch takeChosenMoves() {
        return refinement == null ? new EdgeBatch(1) : refinement.takeChosen();
    }

    /**
     * Takes down how many edges have changed a shard by moves that were taken.
     *
     * @param counted edges of these moves when they were chosen
     */
    public void madeChosenMoves(long edges, long counted) {
        if (refinement != null) {
            refinement.madeChosen(edges, counted);
        }
    }

    /** Returns the edges that have moved to better places, as {@link #refine} lets them. */
    public long refinedEdges() {
        return refinement == null ? 0 : refinement.moved();
    }

    private PlacedEdges refined(PlacedEdges into) {
        return refinement == null ? into : refinement.over(into);
    }

    /** Returns whether edges are kept, so that they can be removed and moved. */
    public boolean keepsEdges() {
        return kept != null;
    }

    private KeptEdges kept() {
        if (kept == null) {
            throw new IllegalStateException("no edges are kept, so nothing can be moved; submit with --keep-edges");
        }
        return kept;
    }

    /** Returns whether partitions can be closed, and a snapshot restored for another number of them. */
    public boolean canChangePartitions() {
        return placer.canChangePartitions();
    }

    /** Returns the number of removals of unknown edges since this placement was created. */
    public long unknownRemovals() {
        return removals == null ? 0 : removals.unknown();
    }

    /**
     * Moves an edge (edge partitioning), or a vertex with all of its edges (vertex partitioning). {@code into} receives
     * each edge that leaves or enters a shard; an edge whose owners change also leaves and enters shards where it
     * stays.
     *
     * @param source of the edge; of its copies on {@code from} the oldest moves. Or the vertex
     * @param target of the edge; of no meaning for a vertex
     * @param from where it is; if it is not there (any more), nothing happens
     * @param to another partition, 0 to k − 1, open or not
     * @return edges that changed a shard
     * @throws IllegalStateException if no edges are kept
     */
    public long move(long source, long target, int from, int to, PlacedEdges into) {
        return placer.move(source, target, from, to, kept(), into);
    }

    /** Does the same if the algorithm would move an edge, or this vertex, to that partition now; else nothing. */
    public long moveWithinCaps(long source, long target, int from, int to, PlacedEdges into) {
        return placer.takesMoved(source, to) ? move(source, target, from, to, into) : 0;
    }

    /**
     * Closes the partitions from {@code open} on and opens the others: edges and vertices are placed as if there were
     * no others. What is on a closed partition stays there until it is moved or removed. An edge that comes with a
     * place that is closed is placed anew.
     *
     * @param open 1 to k
     * @throws IllegalStateException if no edges are kept, or the algorithm cannot cope with it
     */
    public void restrictTo(int open) {
        kept();
        if (open != loads.partitionCount() && !placer.canChangePartitions()) {
            throw new IllegalStateException(
                    "this algorithm cannot go on with another number of partitions; submit the job with another one");
        }
        vertices.restrictTo(open);
        placer.restrictTo(open);
    }

    /**
     * Appends the placed edges that lead from a vertex, each copy, with their places
     * ({@link io.cutwater.state.graph.Place}).
     *
     * @throws IllegalStateException if no edges are kept
     */
    public void keptEdges(long vertex, EdgeBatch into) {
        int first = into.size();
        kept().outgoing(vertex, into);
        if (into.size() > first) {
            placer.setPlaces(vertex, into, first);
        }
    }

    /**
     * Shares the vertices with other assigners from now on: call it before the first edge and before {@link #restore}.
     * In a vertex partitioning the table of a vertex decides on its owner then, and an edge waits until both are known.
     * In an edge partitioning that keeps edges, the tables count these at their ends, and take replicas away.
     *
     * @param assigner number of the one that has this placement, 0 to {@code assigners} − 1
     */
    public void shareVertices(int assigner, int assigners) {
        placer.shareVertices(assigner, assigners);
    }

    /**
     * Returns the loads of all assigners, which the rule sees once they are heard; null if it sees its own only: no
     * vertices are shared, edges are kept, or {@link EdgePartitioner#shareOfRuns} is 0.
     */
    public @Nullable TeamLoads teamLoads() {
        return placer.teamLoads();
    }

    /**
     * Takes down that a vertex has a master, or owner, that its table tells; may place edges that have waited for it.
     */
    public void mastered(long vertex, PlacedEdges into) {
        placer.mastered(vertex, into);
    }

    /**
     * Forgets the owner of a vertex that has no edge, as its table says, unless an edge waits at it.
     *
     * @return whether it is forgotten, so that an edge that comes waits for the table
     */
    public boolean release(long vertex) {
        return placer.release(vertex);
    }

    /** Counts a vertex of a partition less, because it is gone, or because another assigner has given it its owner. */
    public void disown(int owner) {
        placer.disown(owner);
    }

    /**
     * Takes down that a vertex has another owner, and moves edges with it; see {@link #move}.
     *
     * @param edges those of the vertex that this assigner has placed, with their places
     */
    public void ownerMoved(long vertex, int from, int to, EdgeBatch edges, PlacedEdges into) {
        placer.ownerMoved(vertex, from, to, edges, kept(), into);
    }

    /**
     * Returns the vertices at which no edge waits any more since the last call, because it was removed: if they have an
     * owner and no edge, they must be {@linkplain #release released}.
     */
    public long[] takeLeft() {
        return placer.takeLeft();
    }

    /**
     * Places every buffered edge, at the end of the input. If the vertices are shared, some may wait on, until the
     * tables have decided on their owners or the other assigners have told what they have placed meanwhile.
     */
    public void placeHeld(PlacedEdges into) {
        placer.placeHeld(refined(into));
    }

    /**
     * Places the edges that have been buffered since {@link #heldEver} returned {@code number}.
     *
     * @param number edges that had ever waited at that time
     */
    public void placeHeldBefore(long number, PlacedEdges into) {
        placer.placeHeldBefore(number, refined(into));
    }

    /**
     * Returns whether a checkpoint may cut the buffered edges: {@link #cut} before its snapshot, which has the cut, and
     * {@link #placeCut} before the next edge. What is placed then follows from the snapshot.
     */
    public boolean cutsAtCheckpoints() {
        return planned != null;
    }

    /** Cuts off the edges that have been buffered at so many checkpoints, this one included; at least 1. */
    public void cut(int checkpoints) {
        if (planned != null) {
            planned.cut(checkpoints);
        }
    }

    /** Places the edges that were cut off, if there are any. */
    public void placeCut(PlacedEdges into) {
        if (planned != null) {
            planned.placeCut(refined(into));
        }
    }

    /** Stops the threads that choose places for buffered edges; what they have done is dropped. */
    public void dropPlan() {
        if (planned != null) {
            planned.dropPlan();
        }
    }

    /** Returns the number of buffered edges. */
    public int heldCount() {
        EdgeWindow undecided = placer.undecided();
        return undecided == null ? held.size() : held.size() + undecided.edges().size();
    }

    /** Returns the number of edges that were ever buffered since this placement was created or restored. */
    public long heldEver() {
        return held.added();
    }

    /** Returns a copy of the buffered edges, the oldest first. */
    public EdgeBatch heldEdges() {
        EdgeBatch edges = held.toBatch();
        EdgeWindow undecided = placer.undecided();
        if (undecided != null) {
            edges.addAll(undecided.edges().toBatch());
        }
        return edges;
    }

    /**
     * Returns the quality of what is placed; buffered edges do not count.
     *
     * @param deadLetters malformed records of the input
     */
    public Quality quality(long deadLetters) {
        return placer.quality(deadLetters);
    }

    /**
     * Takes back what {@link #snapshot} of other placements gave, in any order, without what belongs to their buffered
     * edges: these are to come like new ones.
     *
     * @throws IllegalStateException see {@link #restore}
     */
    public void restoreParts(List<byte[]> snapshots) {
        placer.restoreParts(PlannedBuffer.others(Refinement.others(snapshots)));
    }

    /**
     * Counts the vertices by owner anew, after {@link #restoreParts} of parts of several assigners, each of which has
     * counted what it has heard of; in a vertex partitioning only.
     *
     * @param ofTables {@link OwnerLoads#vertices} of each table
     */
    public void recountOwners(List<byte[]> ofTables) {
        OwnerLoads owners = ownerLoads();
        owners.forgetVertices();
        ofTables.forEach(owners::restore);
    }

    /** Returns the edges of the input that were placed so far, each counted once. */
    public long placedEdges() {
        return placer.placedEdges();
    }

    /** Returns the loads by owner; in a vertex partitioning only. */
    OwnerLoads ownerLoads() {
        return ((VertexPlacer) placer).ownerLoads();
    }

    /** Returns the state beside vertex table and loads, in versioned pieces of a few megabytes at most. */
    public List<byte[]> snapshot() {
        List<byte[]> pieces = placer.snapshot();
        if (refinement == null) {
            return pieces;
        }
        List<byte[]> all = new ArrayList<>(pieces);
        all.addAll(refinement.snapshot());
        return all;
    }

    /**
     * Takes back what {@link #snapshot} and {@link #heldEdges} gave, before the first edge. They may come from a
     * placement on another number of partitions, if the algorithm copes with that: of fewer, or of more if there is
     * nothing on those that are gone.
     *
     * @throws IllegalStateException if the bytes are of another version or algorithm, or of another number of
     *     partitions and that cannot be
     */
    public void restore(List<byte[]> snapshot, EdgeBatch buffered) {
        if (refinement != null) {
            refinement.restore(snapshot);
        }
        placer.restore(Refinement.others(snapshot), buffered);
    }
}
