package io.cutwater.state.placement;

import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RecordPrefetch;
import io.cutwater.state.joint.JointPartitioner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.BufferedPartitioner;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.TeamLoads;
import io.cutwater.state.table.VertexTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Places edges on partitions; vertices have replicas where their edges are. */
final class EdgePlacer implements Placer {
    private final EdgePartitioner rule;
    private final @Nullable BufferedLoop bufferedLoop; // if the rule may delay edges, and places them one by one
    private final @Nullable JointLoop jointLoop; // if the rule places buffers together
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final EdgeTables tables;
    private final boolean keepsEdges;
    private final int placingPass;
    private final EdgeWindow window = new EdgeWindow(false);
    private final BetterPlace better;
    private int[] partitions = {};
    private int open;

    EdgePlacer(EdgePartitioner rule, VertexTable vertices, PartitionLoads loads, @Nullable KeptEdges kept) {
        this.rule = rule;
        this.vertices = vertices;
        this.loads = loads;
        tables = new EdgeTables(vertices, loads, kept);
        better = new BetterPlace(rule, vertices);
        keepsEdges = kept != null;
        bufferedLoop = rule instanceof BufferedPartitioner buffered
                ? new BufferedLoop(buffered, vertices, tables, window)
                : null;
        jointLoop = rule instanceof JointPartitioner joint
                ? new JointLoop(joint, vertices, tables, window, kept != null)
                : null;
        placingPass = rule.preparationPasses();
        open = loads.partitionCount();
    }

    /** Returns whether {@link #placeAll} can place a batch: no edge is buffered, kept, recorded or only observed. */
    boolean decidesAtOnce(EdgeBatch batch) {
        return bufferedLoop == null
                && jointLoop == null
                && !keepsEdges
                && !batch.hasPlaces()
                && batch.pass() >= placingPass;
    }

    /**
     * Places the edges of a batch in order.
     *
     * <p>This is the loop of {@link Placement#accept} with {@link #take} inlined and without its checks. It is the one
     * specialised loop, because it takes 96 ns for an edge of {@code hash} where the general loop takes 118 ns (medians
     * of 5 runs of the body of {@code PlacementBenchmark}, k = 32, 2 cores, November 2026).
     */
    void placeAll(EdgeBatch batch, PlacedEdges into) {
        int size = batch.size();
        if (partitions.length < size) {
            partitions = new int[size];
        }
        choose(batch.sources(), batch.targets(), batch.slots(), size, partitions);
        for (int i = 0; i < size; i++) {
            into.placed(
                    batch.source(i),
                    batch.target(i),
                    batch.weight(i),
                    batch.timestamp(i),
                    batch.key(i),
                    Place.of(partitions[i]));
        }
    }

    private void choose(long[] sources, long[] targets, int[] slots, int size, int[] partitions) {
        EdgePartitioner rule = this.rule;
        VertexTable vertices = this.vertices;
        PartitionLoads loads = this.loads;
        boolean hasSlots = slots.length > 0;
        int ready = 0;
        int announced = vertices.announce(sources, targets, 0, size);
        for (int i = 0; i < size; i++) {
            if (i == ready) {
                ready = announced;
                announced = vertices.arrive(sources, targets, ready, size);
            }
            if (i % RecordPrefetch.EDGES == 0) {
                int to = Math.min(size, i + RecordPrefetch.EDGES);
                if (hasSlots) {
                    vertices.prefetch(slots, 2 * i, 2 * to);
                } else {
                    vertices.prefetch(sources, targets, i, to);
                }
            }
            int source = vertices.slot(sources[i], VertexTable.NO_SLOT, hasSlots ? slots[2 * i] : VertexTable.NO_SLOT);
            int target = sources[i] == targets[i]
                    ? source
                    : vertices.slot(targets[i], source, hasSlots ? slots[2 * i + 1] : VertexTable.NO_SLOT);
            vertices.countEdge(source);
            vertices.countEdge(target);
            int partition = rule.place(vertices, source, target, tables.openLoads());
            tables.addEdge(partition);
            vertices.addReplica(source, partition, loads);
            vertices.addReplica(target, partition, loads);
            partitions[i] = partition;
        }
    }

    @Override
    public void take(EdgeBatch batch, int i, PlacedEdges into) {
        if (jointLoop != null && batch.hasPlaces()) {
            jointLoop.plans().finishPlan(into);
        }
        int source = vertices.slot(batch.source(i));
        int target = otherSlot(batch.source(i), batch.target(i), source);
        boolean isRecorded = !keepsEdges && batch.hasPlaces();
        if (batch.pass() < placingPass && !isRecorded) {
            rule.observe(batch.pass(), vertices, source, target, loads);
            return;
        }
        vertices.countEdge(source);
        vertices.countEdge(target);
        int partition = partition(batch, i, isRecorded);
        if (partition != EdgeBatch.NO_PLACE && partition < open) {
            BufferedLoop oneByOne = oneByOne();
            if (jointLoop != null && keepsEdges && oneByOne == null) {
                jointLoop.placeCopies(batch.source(i), batch.target(i), partition, into);
            }
            add(source, target, partition, batch.weight(i), batch.timestamp(i), batch.key(i), into);
            rule.recorded(vertices, source, target, partition);
            if (oneByOne != null) {
                oneByOne.release(into);
            }
        } else if (jointLoop != null) {
            jointLoop.take(batch, i, source, target, into);
        } else if (bufferedLoop != null) {
            bufferedLoop.take(batch, i, source, target, into);
        } else {
            int chosen = rule.place(vertices, source, target, tables.openLoads());
            add(source, target, chosen, batch.weight(i), batch.timestamp(i), batch.key(i), into);
        }
    }

    /** Returns the loop that delays edges and places them one by one, if there is one now. */
    private @Nullable BufferedLoop oneByOne() {
        return jointLoop == null ? bufferedLoop : jointLoop.oneByOne();
    }

    private int otherSlot(long vertex, long other, int slot) {
        return vertex == other ? slot : vertices.slot(other, slot);
    }

    /** Returns the partition that an edge comes with, or {@link EdgeBatch#NO_PLACE} if it needs none. */
    private int partition(EdgeBatch batch, int i, boolean isNeeded) {
        int place = batch.place(i);
        if (place == EdgeBatch.NO_PLACE && !isNeeded) {
            return place;
        }
        int partition = place < 0 ? place : Place.ofSource(place);
        if (place < 0 || partition >= loads.partitionCount()) {
            throw new IllegalStateException("edge (%d, %d) was placed on partition %d, and there are %d"
                    .formatted(batch.source(i), batch.target(i), partition, loads.partitionCount()));
        }
        return partition;
    }

    private void add(int source, int target, int partition, double weight, long timestamp, long key, PlacedEdges into) {
        BufferedLoop oneByOne = oneByOne();
        if (oneByOne != null) {
            oneByOne.add(source, target, partition, weight, timestamp, key, into);
            return;
        }
        tables.add(source, target, partition, weight, timestamp, key);
        into.placed(vertices.vertex(source), vertices.vertex(target), weight, timestamp, key, Place.of(partition));
    }

    @Override
    public boolean placesCopiesApart() {
        return jointLoop != null;
    }

    @Override
    public @Nullable PlannedBuffer<?, ?> plannedBuffer() {
        return jointLoop == null ? null : jointLoop.plans();
    }

    @Override
    public EdgeWindow window() {
        return window;
    }

    @Override
    public void shareVertices(int assigner, int assigners) {
        tables.share();
        rule.share(assigners);
        if (jointLoop != null) {
            jointLoop.plans().share(assigner, assigners);
        }
        if (rule.shareOfRuns() > 0 && !keepsEdges) {
            tables.share(new TeamLoads(loads, rule.shareOfRuns(), assigner, assigners));
        }
    }

    @Override
    public @Nullable TeamLoads teamLoads() {
        return tables.teamLoads();
    }

    @Override
    public void placeHeldBefore(long number, PlacedEdges into) {
        if (jointLoop != null) {
            jointLoop.placeBefore(number, into);
        } else if (bufferedLoop != null) {
            bufferedLoop.placeBefore(number, into);
        }
    }

    @Override
    public void placeHeld(PlacedEdges into) {
        if (jointLoop != null && tables.isShared()) {
            jointLoop.placeSome(into);
            return;
        }
        placeHeldBefore(window.edges().added(), into);
    }

    @Override
    public void removePlaced(int source, int target, int partition, KeptEdges removed, PlacedEdges into) {
        tables.leave(source, target, partition);
        into.changed(
                ShardChange.REMOVE,
                vertices.vertex(source),
                vertices.vertex(target),
                removed.weight(),
                removed.timestamp(),
                removed.key(),
                partition,
                Place.of(partition));
        removeHeld(source, target);
    }

    @Override
    public void removeHeld(int source, int target) {
        uncount(source);
        uncount(target);
        rule.removed(vertices, source, target);
    }

    /** Other assigners may have counted the edge, of which this one has not heard. */
    private void uncount(int slot) {
        if (!tables.isShared() || vertices.degree(slot) > 0) {
            vertices.uncountEdge(slot);
        }
    }

    @Override
    public void forgetIfGone(int slot) {
        if (vertices.degree(slot) == 0 && !tables.isShared()) {
            vertices.forget(slot);
        }
    }

    @Override
    public long move(long source, long target, int from, int to, KeptEdges kept, PlacedEdges into) {
        if (jointLoop != null) {
            jointLoop.plans().finishPlan(into);
        }
        if (from == to || !kept.move(source, target, from, to)) {
            return 0;
        }
        if (tables.isShared()) {
            tables.moveShared(source, target, from, to);
        } else {
            int sourceSlot = vertices.slot(source);
            int targetSlot = otherSlot(source, target, sourceSlot);
            tables.enter(sourceSlot, targetSlot, to);
            tables.leave(sourceSlot, targetSlot, from);
            rule.moved(vertices, sourceSlot, targetSlot, to);
        }
        into.changed(
                ShardChange.EVICT, source, target, kept.weight(), kept.timestamp(), kept.key(), from, Place.of(from));
        into.changed(ShardChange.ADOPT, source, target, kept.weight(), kept.timestamp(), kept.key(), to, Place.of(to));
        return 1;
    }

    @Override
    public boolean takesMoved(long vertex, int to) {
        return to < open && rule.takesMoved(to, loads);
    }

    /** A plan reads the tables, and a partition that closes is emptied. */
    @Override
    public boolean mayRefine() {
        return open == loads.partitionCount()
                && (jointLoop == null || !jointLoop.plans().isPlanning());
    }

    @Override
    public long refine(long source, long target, int from, long most, Refinement.Mover mover) {
        if (source == target || from >= open) {
            return 0;
        }
        int sourceSlot = vertices.slot(source);
        int targetSlot = vertices.slot(target, sourceSlot);
        int to = better.than(from, sourceSlot, targetSlot, loads);
        if (to == from) {
            forgetIfGone(sourceSlot);
            forgetIfGone(targetSlot);
            return 0;
        }
        return mover.move(source, target, from, to, 1);
    }

    @Override
    public boolean replacesEdges() {
        return jointLoop != null && keepsEdges;
    }

    @Override
    public long replace(EdgeBatch edges, long most, KeptEdges kept, PlacedEdges into) {
        EdgeRegion region = new EdgeRegion(edges, (JointPartitioner) rule, vertices, loads);
        if (!region.choose(most)) {
            return 0;
        }
        return Placer.makeMoves(region.size(), i -> {
            int edge = region.edge(i);
            int from = Place.ofSource(edges.place(edge));
            int to = region.place(i);
            if (to != from && !rule.takesMoved(to, loads)) {
                return NO_ROOM;
            }
            edges.setPlace(edge, Place.of(to));
            return move(edges.source(edge), edges.target(edge), from, to, kept, into);
        });
    }

    @Override
    public boolean canChangePartitions() {
        return rule.canChangePartitions();
    }

    @Override
    public void restrictTo(int open) {
        if (jointLoop != null) {
            jointLoop.plans().dropPlan();
        }
        this.open = open;
        tables.restrictTo(open);
        rule.restrictTo(open);
    }

    @Override
    public Quality quality(long deadLetters) {
        return Quality.of(loads, deadLetters);
    }

    @Override
    public long placedEdges() {
        return loads.totalEdges();
    }

    @Override
    public List<byte[]> snapshot() {
        return jointLoop == null ? rule.snapshot() : jointLoop.snapshot();
    }

    @Override
    public void restoreParts(List<byte[]> snapshots) {
        if (jointLoop != null || bufferedLoop != null) {
            restore(snapshots, new EdgeBatch(1));
        } else {
            rule.restoreParts(snapshots);
        }
    }

    @Override
    public void restore(List<byte[]> snapshot, EdgeBatch buffered) {
        if (jointLoop != null) {
            jointLoop.restore(snapshot, buffered);
            return;
        }
        rule.restore(bufferedLoop == null ? snapshot : PlannedBuffer.others(snapshot));
        if (bufferedLoop == null && !buffered.isEmpty()) {
            throw new IllegalStateException(
                    "the checkpoint was written with another algorithm; go on with the one that the job began with");
        }
        for (int i = 0; i < buffered.size(); i++) {
            window.add(buffered, i, true, true);
        }
    }
}
