package io.cutwater.state.placement;

import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.BufferedPartitioner;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The engine of edge partitioning: runs a partitioner over batches of edges and updates the tables. The job, the
 * reference run and the comparison share it. With kept edges it also removes and moves edges, and closes partitions.
 */
public final class EdgeAssigner implements StreamAssigner {
    private final EdgePartitioner partitioner;
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final EdgeTables tables;
    private final @Nullable KeptEdgeChanges changes;
    private final int placingPass;
    private final @Nullable BufferedLoop holding;
    private int[] partitions = {};
    private int open;

    /**
     * An assigner that keeps no edges.
     *
     * @throws IllegalArgumentException if the tables are for another k or lack columns that are needed
     */
    public EdgeAssigner(EdgePartitioner partitioner, VertexTable vertices, PartitionLoads loads) {
        this(partitioner, vertices, loads, null);
    }

    /**
     * @param kept edges as {@link KeptEdges#ofEdges} keeps them, or null for none; the vertex table then has counts
     * @throws IllegalArgumentException if the tables are for another k or lack columns that are needed
     */
    public EdgeAssigner(
            EdgePartitioner partitioner, VertexTable vertices, PartitionLoads loads, @Nullable KeptEdges kept) {
        if (vertices.layout().partitionCount() != loads.partitionCount()) {
            throw new IllegalArgumentException("the vertex table is for %d partitions, the loads are for %d"
                    .formatted(vertices.layout().partitionCount(), loads.partitionCount()));
        }
        if (partitioner.needsFinalDegrees() && !vertices.layout().hasFinalDegrees()) {
            throw new IllegalArgumentException(
                    "the partitioner needs final degrees: give the vertex table a layout that has them");
        }
        VertexLayout needed = partitioner.layout(loads.partitionCount());
        if (needed.hasHomes() && !vertices.layout().hasHomes()
                || needed.hasClusters() && !vertices.layout().hasClusters()
                || kept != null && !vertices.layout().hasCounts()) {
            throw new IllegalArgumentException(
                    "the vertex table lacks columns: make it with the layout that the partitioner gives, with counts if edges are kept");
        }
        if (kept != null && !kept.hasPlaces()) {
            throw new IllegalArgumentException(
                    "these edges are kept for a vertex partitioning; make them with KeptEdges.ofEdges");
        }
        this.partitioner = partitioner;
        this.vertices = vertices;
        this.loads = loads;
        placingPass = partitioner.preparationPasses();
        tables = new EdgeTables(vertices, loads, kept);
        holding = partitioner instanceof BufferedPartitioner holder ? new BufferedLoop(holder, vertices, tables) : null;
        changes = kept == null ? null : new KeptEdgeChanges(partitioner, vertices, tables, kept, holding);
        open = loads.partitionCount();
    }

    /** Returns whether a pass places edges; if not, it is a preparation pass. */
    private boolean isPlacing(int pass) {
        return pass >= placingPass;
    }

    @Override
    public void accept(EdgeBatch batch, PlacedEdges into) {
        if (changes == null && batch.hasRemovals()) {
            throw new IllegalStateException("an edge is removed, and no edges are kept; submit with --keep-edges");
        }
        if (changes == null && batch.hasPlaces()) {
            record(batch, into);
        } else if (isPlacing(batch.pass())) {
            place(batch, into);
        } else {
            observe(batch);
        }
    }

    /** Removes, records, buffers or places edge {@code i}. */
    private void take(EdgeBatch batch, int i, PlacedEdges into) {
        long sourceId = batch.source(i);
        long targetId = batch.target(i);
        if (changes != null && batch.isRemoval(i)) {
            changes.remove(sourceId, targetId, into);
            return;
        }
        int source = vertices.slot(sourceId);
        int target = sourceId == targetId ? source : vertices.slot(targetId, source);
        vertices.countEdge(source);
        vertices.countEdge(target);
        int partition = partition(batch, i);
        if (partition != EdgeBatch.NO_PLACE && partition < open) {
            record(batch, i, source, target, partition, into);
        } else if (holding != null) {
            holding.place(batch, i, source, target, into);
        } else {
            partition = partitioner.place(vertices, source, target, tables.openLoads());
            tables.add(source, target, partition, batch.weight(i), batch.timestamp(i));
            into.placed(sourceId, targetId, batch.weight(i), batch.timestamp(i), Place.of(partition));
        }
    }

    @Override
    public long move(long source, long target, int from, int to, PlacedEdges into) {
        return changes().move(source, target, from, to, into) ? 1 : 0;
    }

    private KeptEdgeChanges changes() {
        if (changes == null) {
            throw new IllegalStateException("no edges are kept, so none can be moved; submit with --keep-edges");
        }
        return changes;
    }

    @Override
    public void restrictTo(int open) {
        changes();
        if (open != loads.partitionCount() && !partitioner.canChangePartitions()) {
            throw new IllegalStateException(
                    "this algorithm cannot go on with another number of partitions; submit the job with another one");
        }
        this.open = open;
        tables.restrictTo(open);
        partitioner.restrictTo(open);
    }

    @Override
    public void keptEdges(long vertex, EdgeBatch into) {
        changes().keptEdges(vertex, into);
    }

    @Override
    public boolean keepsEdges() {
        return changes != null;
    }

    @Override
    public boolean canChangePartitions() {
        return partitioner.canChangePartitions();
    }

    @Override
    public long unknownRemovals() {
        return changes == null ? 0 : changes.unknownRemovals();
    }

    /** Shows the edges of a batch to the partitioner, in the preparation pass that the batch names. */
    private void observe(EdgeBatch batch) {
        BatchLoop.forEach(vertices, batch, i -> {
            int source = vertices.slot(batch.source(i));
            int target = batch.source(i) == batch.target(i) ? source : vertices.slot(batch.target(i), source);
            partitioner.observe(batch.pass(), vertices, source, target, loads);
        });
    }

    /** Places the edges of a batch that are not buffered, and the buffered edges that they release. */
    private void place(EdgeBatch batch, PlacedEdges into) {
        if (holding != null || changes != null) {
            BatchLoop.forEach(vertices, batch, i -> take(batch, i, into));
            return;
        }
        if (partitions.length < batch.size()) {
            partitions = new int[batch.size()];
        }
        place(batch, partitions);
        for (int i = 0; i < batch.size(); i++) {
            into.placed(batch.source(i), batch.target(i), batch.weight(i), batch.timestamp(i), Place.of(partitions[i]));
        }
    }

    /**
     * Records the edges of a batch, which come with their places ({@link EdgeBatch#place}), and lets the partitioner
     * learn from them. Buffered edges that share an endpoint are placed after it.
     *
     * @throws IllegalStateException if an edge has no place, or one that is no partition
     */
    private void record(EdgeBatch batch, PlacedEdges into) {
        BatchLoop.forEach(vertices, batch, i -> {
            if (batch.place(i) == EdgeBatch.NO_PLACE) {
                throw noSuchPlace(batch, i);
            }
            take(batch, i, into);
        });
    }

    /** Returns the partition that an edge comes with, or {@link EdgeBatch#NO_PLACE}. */
    private int partition(EdgeBatch batch, int i) {
        int place = batch.place(i);
        if (place == EdgeBatch.NO_PLACE) {
            return place;
        }
        int partition = Place.ofSource(place);
        if (Place.ofTarget(place) != partition || partition >= loads.partitionCount()) {
            throw noSuchPlace(batch, i);
        }
        return partition;
    }

    private IllegalStateException noSuchPlace(EdgeBatch batch, int i) {
        return new IllegalStateException("edge (%d, %d) was placed on partition %d, and there are %d"
                .formatted(batch.source(i), batch.target(i), Place.ofSource(batch.place(i)), loads.partitionCount()));
    }

    private void record(EdgeBatch batch, int i, int source, int target, int partition, PlacedEdges into) {
        if (holding != null) {
            holding.record(batch, i, source, target, into);
            return;
        }
        tables.add(source, target, partition, batch.weight(i), batch.timestamp(i));
        partitioner.recorded(vertices, source, target, partition);
        into.placed(batch.source(i), batch.target(i), batch.weight(i), batch.timestamp(i), Place.of(partition));
    }

    @Override
    public void placeHeldBefore(long number, PlacedEdges into) {
        if (holding != null) {
            holding.placeHeldBefore(number, into);
        }
    }

    @Override
    public int heldCount() {
        return holding == null ? 0 : holding.held().size();
    }

    @Override
    public long heldEver() {
        return holding == null ? 0 : holding.held().added();
    }

    @Override
    public EdgeBatch heldEdges() {
        return holding == null ? new EdgeBatch(1) : holding.held().toBatch();
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
        return partitioner.snapshot();
    }

    @Override
    public void restore(List<byte[]> snapshot, EdgeBatch held) {
        partitioner.restore(snapshot);
        if (holding != null) {
            holding.restore(held);
        } else if (!held.isEmpty()) {
            throw new IllegalStateException(
                    "the checkpoint was written with another algorithm; go on with the one that the job began with");
        }
    }

    /**
     * Places the edges of a batch in order.
     *
     * <p>This is {@link BatchLoop} inlined, without the checks of the other paths, because it is the hot loop of the
     * rules that decide in tens of nanoseconds.
     *
     * @param partitions receives the partition of each edge; at least as long as the batch
     */
    private void place(EdgeBatch batch, int[] partitions) {
        EdgePartitioner partitioner = this.partitioner;
        VertexTable vertices = this.vertices;
        PartitionLoads loads = this.loads;
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        int size = batch.size();
        vertices.expect(sources, targets, size);
        for (int i = 0; i < size; i++) {
            if (i % VertexTable.PREFETCH_EDGES == 0) {
                vertices.prefetch(sources, targets, i, Math.min(size, i + VertexTable.PREFETCH_EDGES));
            }
            int source = vertices.slot(sources[i]);
            int target = sources[i] == targets[i] ? source : vertices.slot(targets[i], source);
            vertices.countEdge(source);
            vertices.countEdge(target);
            int partition = partitioner.place(vertices, source, target, loads);
            loads.addEdge(partition);
            vertices.addReplica(source, partition, loads);
            vertices.addReplica(target, partition, loads);
            partitions[i] = partition;
        }
    }
}
