package io.cutwater.state.partition;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a partitioner over batches of edges and keeps the tables: the one loop that the job, the reference run and the
 * comparison share.
 */
public final class EdgeAssigner implements StreamAssigner {
    private final EdgePartitioner partitioner;
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final int placingPass;
    private final @Nullable HoldingLoop holding;
    private int[] partitions = {};

    /** @throws IllegalArgumentException if the tables are for another k or lack columns that are needed */
    public EdgeAssigner(EdgePartitioner partitioner, VertexTable vertices, PartitionLoads loads) {
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
                || needed.hasClusters() && !vertices.layout().hasClusters()) {
            throw new IllegalArgumentException(
                    "the vertex table lacks columns: make it with the layout that the partitioner gives");
        }
        this.partitioner = partitioner;
        this.vertices = vertices;
        this.loads = loads;
        placingPass = partitioner.preparationPasses();
        holding = partitioner instanceof HoldingPartitioner holder ? new HoldingLoop(holder, vertices, loads) : null;
    }

    /** Whether the edges of a pass are placed, or only looked at. */
    public boolean isPlacing(int pass) {
        return pass >= placingPass;
    }

    @Override
    public void accept(EdgeBatch batch, PlacedEdges into) {
        if (batch.hasPlaces()) {
            record(batch, into);
        } else if (isPlacing(batch.pass())) {
            place(batch, into);
        } else {
            observe(batch);
        }
    }

    /** Shows the edges of a batch of a preparation pass, whose number the batch has, to the partitioner. */
    public void observe(EdgeBatch batch) {
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        int size = batch.size();
        vertices.expect(sources, targets, size);
        for (int i = 0; i < size; i++) {
            if (i % VertexTable.WARM_EDGES == 0) {
                vertices.warm(sources, targets, i, Math.min(size, i + VertexTable.WARM_EDGES));
            }
            int source = vertices.slot(sources[i]);
            int target = sources[i] == targets[i] ? source : vertices.slot(targets[i], source);
            partitioner.observe(batch.pass(), vertices, source, target, loads);
        }
    }

    /** Whether edges may wait, so that only {@link #place(EdgeBatch, PlacedEdges)} can place them. */
    public boolean isHolding() {
        return holding != null;
    }

    /** Places the edges of a batch that need not wait, and those that waited for them. */
    public void place(EdgeBatch batch, PlacedEdges into) {
        if (holding != null) {
            holding.place(batch, into);
            return;
        }
        if (partitions.length < batch.size()) {
            partitions = new int[batch.size()];
        }
        place(batch, partitions);
        into.placed(batch, partitions);
    }

    /**
     * Takes down the edges of a batch that were placed before, see {@link EdgeBatch#place}, and lets the partitioner
     * learn from them. Edges that wait for one of their ends are placed behind it.
     *
     * @throws IllegalStateException if an edge has no place, or one that is no partition
     */
    public void record(EdgeBatch batch, PlacedEdges into) {
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        int size = batch.size();
        vertices.expect(sources, targets, size);
        for (int i = 0; i < size; i++) {
            if (i % VertexTable.WARM_EDGES == 0) {
                vertices.warm(sources, targets, i, Math.min(size, i + VertexTable.WARM_EDGES));
            }
            int place = batch.place(i);
            if (place < 0 || place >= loads.partitionCount()) {
                throw new IllegalStateException("edge (%d, %d) was placed on partition %d, and there are %d"
                        .formatted(sources[i], targets[i], place, loads.partitionCount()));
            }
            int source = vertices.slot(sources[i]);
            int target = sources[i] == targets[i] ? source : vertices.slot(targets[i], source);
            vertices.countEdge(source);
            vertices.countEdge(target);
            if (holding == null) {
                add(source, target, place);
                partitioner.recorded(vertices, source, target, place);
                into.placed(sources[i], targets[i], batch.weight(i), batch.timestamp(i), place);
            } else {
                holding.record(batch, i, source, target, into);
            }
        }
    }

    private void add(int source, int target, int partition) {
        loads.addEdge(partition);
        vertices.addReplica(source, partition, loads);
        vertices.addReplica(target, partition, loads);
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
     * Places the edges of a batch in their order.
     *
     * @param partitions receives the partition of each edge; at least as long as the batch
     * @throws IllegalStateException if edges may have to wait
     */
    public void place(EdgeBatch batch, int[] partitions) {
        if (holding != null) {
            throw new IllegalStateException("edges of this algorithm may wait; give a receiver of placed edges");
        }
        EdgePartitioner partitioner = this.partitioner;
        VertexTable vertices = this.vertices;
        PartitionLoads loads = this.loads;
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        int size = batch.size();
        vertices.expect(sources, targets, size);
        for (int i = 0; i < size; i++) {
            if (i % VertexTable.WARM_EDGES == 0) {
                vertices.warm(sources, targets, i, Math.min(size, i + VertexTable.WARM_EDGES));
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
