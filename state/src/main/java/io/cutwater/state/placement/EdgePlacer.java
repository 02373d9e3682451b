package io.cutwater.state.placement;

import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.joint.JointPartitioner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.BufferedPartitioner;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Places edges on partitions; vertices have replicas where their edges are. */
final class EdgePlacer implements Placer {
    private final EdgePartitioner rule;
    private final @Nullable BufferedPartitioner bufferedRule; // the rule, if it may delay edges
    private final @Nullable JointLoop jointLoop; // if the rule places buffers together
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final EdgeTables tables;
    private final boolean keepsEdges;
    private final int placingPass;
    private final int windowSize;
    private final EdgeWindow window = new EdgeWindow(false);
    private final EdgeBuffer held = window.edges();
    private int[] partitions = {};
    private int open;

    /** Vertices that have got their first replica and whose buffered edges are not released yet: a stack. */
    private long[] released = new long[16];

    private int releasedCount;

    EdgePlacer(EdgePartitioner rule, VertexTable vertices, PartitionLoads loads, @Nullable KeptEdges kept) {
        this.rule = rule;
        this.vertices = vertices;
        this.loads = loads;
        bufferedRule = rule instanceof BufferedPartitioner buffered ? buffered : null;
        windowSize = bufferedRule == null ? 0 : bufferedRule.windowSize();
        tables = new EdgeTables(vertices, loads, kept);
        keepsEdges = kept != null;
        jointLoop = rule instanceof JointPartitioner joint
                ? new JointLoop(joint, vertices, tables, window, kept != null)
                : null;
        placingPass = rule.preparationPasses();
        open = loads.partitionCount();
    }

    /** Returns whether {@link #placeAll} can place a batch: no edge is buffered, kept, recorded or only observed. */
    boolean decidesAtOnce(EdgeBatch batch) {
        return bufferedRule == null
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
        choose(batch.sources(), batch.targets(), size, partitions);
        for (int i = 0; i < size; i++) {
            into.placed(batch.source(i), batch.target(i), batch.weight(i), batch.timestamp(i), Place.of(partitions[i]));
        }
    }

    private void choose(long[] sources, long[] targets, int size, int[] partitions) {
        EdgePartitioner rule = this.rule;
        VertexTable vertices = this.vertices;
        PartitionLoads loads = this.loads;
        vertices.expect(sources, targets, size);
        for (int i = 0; i < size; i++) {
            if (i % VertexTable.PREFETCH_EDGES == 0) {
                vertices.prefetch(sources, targets, i, Math.min(size, i + VertexTable.PREFETCH_EDGES));
            }
            int source = vertices.slot(sources[i]);
            int target = sources[i] == targets[i] ? source : vertices.slot(targets[i], source);
            vertices.countEdge(source);
            vertices.countEdge(target);
            int partition = rule.place(vertices, source, target, loads);
            loads.addEdge(partition);
            vertices.addReplica(source, partition, loads);
            vertices.addReplica(target, partition, loads);
            partitions[i] = partition;
        }
    }

    @Override
    public void take(EdgeBatch batch, int i, PlacedEdges into) {
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
            if (jointLoop != null && keepsEdges) {
                jointLoop.placeCopies(batch.source(i), batch.target(i), partition, into);
            }
            add(source, target, partition, batch.weight(i), batch.timestamp(i), into);
            rule.recorded(vertices, source, target, partition);
            release(into);
        } else if (jointLoop != null) {
            jointLoop.take(batch, i, into);
        } else if (bufferedRule == null) {
            place(source, target, batch.weight(i), batch.timestamp(i), into);
        } else {
            placeOrBuffer(bufferedRule, batch, i, source, target, into);
        }
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

    private void placeOrBuffer(
            BufferedPartitioner rule, EdgeBatch batch, int i, int source, int target, PlacedEdges into) {
        rule.learn(vertices, source, target);
        if (hasReplica(source) || hasReplica(target)) {
            place(source, target, batch.weight(i), batch.timestamp(i), into);
            release(into);
        } else {
            window.add(batch, i, true, true);
            if (held.size() > windowSize) {
                placeOldest(into);
            }
        }
    }

    private boolean hasReplica(int slot) {
        return vertices.master(slot) != VertexTable.NO_MASTER;
    }

    private void place(int source, int target, double weight, long timestamp, PlacedEdges into) {
        add(source, target, rule.place(vertices, source, target, tables.openLoads()), weight, timestamp, into);
    }

    private void add(int source, int target, int partition, double weight, long timestamp, PlacedEdges into) {
        boolean releasesSource = bufferedRule != null && !hasReplica(source);
        boolean releasesTarget = bufferedRule != null && !hasReplica(target) && source != target;
        tables.add(source, target, partition, weight, timestamp);
        if (releasesSource) {
            push(vertices.vertex(source));
        }
        if (releasesTarget) {
            push(vertices.vertex(target));
        }
        into.placed(vertices.vertex(source), vertices.vertex(target), weight, timestamp, Place.of(partition));
    }

    private void push(long vertex) {
        if (releasedCount == released.length) {
            released = Arrays.copyOf(released, 2 * releasedCount);
        }
        released[releasedCount++] = vertex;
    }

    /** Places the buffered edges of the vertices that have got their first replica, the newest vertex first. */
    private void release(PlacedEdges into) {
        while (releasedCount > 0) {
            long vertex = released[--releasedCount];
            for (int edge = window.take(vertex); edge != EdgeBuffer.NONE; edge = held.next(edge, vertex)) {
                if (held.isHeld(edge)) { // else its other endpoint has released it
                    int source = vertices.slot(held.source(edge));
                    int target = otherSlot(held.source(edge), held.target(edge), source);
                    Objects.requireNonNull(bufferedRule).learn(vertices, source, target);
                    placeHeld(edge, source, target, into);
                }
            }
        }
    }

    private void placeHeld(int edge, int source, int target, PlacedEdges into) {
        held.free(edge);
        place(source, target, held.weight(edge), held.timestamp(edge), into);
    }

    @Override
    public boolean placesOldestCopies() {
        return jointLoop != null;
    }

    @Override
    public EdgeWindow window() {
        return window;
    }

    @Override
    public void placeHeldBefore(long number, PlacedEdges into) {
        if (jointLoop != null) {
            jointLoop.placeBefore(number, into);
            return;
        }
        while (held.size() > 0 && held.number(held.oldest()) < number) {
            placeOldest(into);
        }
    }

    private void placeOldest(PlacedEdges into) {
        int edge = held.oldest();
        int source = vertices.slot(held.source(edge));
        int target = otherSlot(held.source(edge), held.target(edge), source);
        Objects.requireNonNull(bufferedRule).giveUpWaiting(vertices, source, target, tables.openLoads());
        placeHeld(edge, source, target, into);
        release(into);
    }

    @Override
    public void placeHeld(PlacedEdges into) {
        placeHeldBefore(held.added(), into);
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
                partition,
                Place.of(partition));
        removeHeld(source, target);
    }

    @Override
    public void removeHeld(int source, int target) {
        vertices.uncountEdge(source);
        vertices.uncountEdge(target);
        rule.removed(vertices, source, target);
    }

    @Override
    public void forgetIfGone(int slot) {
        if (vertices.degree(slot) == 0) {
            vertices.forget(slot);
        }
    }

    @Override
    public long move(long source, long target, int from, int to, KeptEdges kept, PlacedEdges into) {
        if (from == to || !kept.move(source, target, from, to)) {
            return 0;
        }
        int sourceSlot = vertices.slot(source);
        int targetSlot = otherSlot(source, target, sourceSlot);
        tables.enter(sourceSlot, targetSlot, to);
        tables.leave(sourceSlot, targetSlot, from);
        rule.moved(vertices, sourceSlot, targetSlot, to);
        into.changed(ShardChange.EVICT, source, target, kept.weight(), kept.timestamp(), from, Place.of(from));
        into.changed(ShardChange.ADOPT, source, target, kept.weight(), kept.timestamp(), to, Place.of(to));
        return 1;
    }

    @Override
    public boolean canChangePartitions() {
        return rule.canChangePartitions();
    }

    @Override
    public void restrictTo(int open) {
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
        return rule.snapshot();
    }

    @Override
    public void restore(List<byte[]> snapshot, EdgeBatch buffered) {
        rule.restore(snapshot);
        if (bufferedRule == null && jointLoop == null && !buffered.isEmpty()) {
            throw new IllegalStateException(
                    "the checkpoint was written with another algorithm; go on with the one that the job began with");
        }
        for (int i = 0; i < buffered.size(); i++) {
            window.add(buffered, i, true, true);
        }
    }
}
