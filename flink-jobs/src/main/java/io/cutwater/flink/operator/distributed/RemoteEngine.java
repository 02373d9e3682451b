package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.assigner.Totals;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.operator.assigner.ShardBuffers;
import io.cutwater.flink.operator.repartition.JobRepartitioning;
import io.cutwater.state.feedback.WriteBack;
import io.cutwater.state.feedback.bucket.RemoteEdges;
import io.cutwater.state.feedback.move.RemotePlacement;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What an assigner places edges with whose vertices are in tables in other tasks: a cache of their records, the changes
 * of kept edges, its loads, and buffers for placed edges. Another number of partitions makes another placement.
 */
final class RemoteEngine implements RemotePlacement.Engine {
    private final AssignerOperator<?> task;
    private final AssignOptions options;
    private final SpreadOptions spread;
    private final IntConsumer layOut;
    private final @Nullable RemoteEdges edges;
    private final @Nullable WriteBack writeBack;
    private final VertexTable cache;
    private PartitionLoads loads;
    private Placement placement;
    private ShardBuffers shards;
    private long generation;
    private boolean lacksOwners;
    private long unknownRemovalsBefore;
    private long refinedBefore;

    /**
     * @param restored what a checkpoint has counted; it has the number of partitions
     * @param listener is told of vertices that change, if whole records are written back
     * @param layOut lays the cache out for another number of partitions, when all that has changed is published
     */
    RemoteEngine(
            AssignerOperator<?> task,
            AssignOptions options,
            SpreadOptions spread,
            Totals restored,
            VertexTable.Listener listener,
            IntConsumer layOut) {
        this.task = task;
        this.options = options;
        this.spread = spread;
        this.layOut = layOut;
        loads = restored.loads();
        unknownRemovalsBefore = restored.unknownRemovals();
        boolean hasPlaces = !options.kind().hasOwners();
        edges = !options.keepsEdges()
                ? null
                : spread.sharesEdges(options)
                        ? RemoteEdges.ofOneOfSeveral(hasPlaces, spread.buckets())
                        : new RemoteEdges(hasPlaces, spread.buckets());
        AssignOptions now = options.withPartitions(loads.partitionCount());
        writeBack = spread.writesBack(options) ? new WriteBack(now.layout(), listener, edges) : null;
        cache = writeBack == null ? new VertexTable(now.layout()) : writeBack.cache();
        placement = newPlacement();
        shards = newShards();
    }

    private Placement newPlacement() {
        Placement created = options.withPartitions(loads.partitionCount()).placement(cache, loads, edges);
        if (writeBack == null) {
            created.shareVertices(number(), spread.assigners());
        }
        return created;
    }

    private ShardBuffers newShards() {
        ShardBuffers created = new ShardBuffers(options.kind(), loads.partitionCount(), task::emit);
        created.setGeneration(generation);
        return created;
    }

    private int number() {
        return task.getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    VertexTable cache() {
        return cache;
    }

    /** Returns the changed edges, null if none are kept. */
    @Nullable RemoteEdges edges() {
        return edges;
    }

    /** Returns the changed records if it is the only assigner and writes whole ones back; else null. */
    @Nullable WriteBack writeBack() {
        return writeBack;
    }

    @Override
    public Placement placement() {
        return placement;
    }

    @Override
    public PartitionLoads loads() {
        return loads;
    }

    ShardBuffers shards() {
        return shards;
    }

    @Override
    public PlacedEdges into() {
        return shards;
    }

    @Override
    public int partitions() {
        return loads.partitionCount();
    }

    /** Adds what a job of one task has counted. */
    void takeOver(Totals totals) {
        loads.addAll(totals.loads());
        unknownRemovalsBefore += totals.unknownRemovals();
    }

    @Override
    public void setPartitions(int partitions) {
        placement.dropPlan();
        shards.flush();
        List<byte[]> algorithm = placement.snapshot();
        EdgeBatch held = placement.heldEdges();
        layOut.accept(partitions); // what has changed is on its way, and the cache takes over the rest
        unknownRemovalsBefore = unknownRemovals();
        refinedBefore = refinedEdges();
        // Of several assigners each has a part of the loads, which together are 0 on partitions that go.
        loads = writeBack == null ? loads.first(partitions) : loads.resized(partitions);
        placement = newPlacement();
        placement.restore(algorithm, held);
        shards = newShards();
    }

    @Override
    public void setGeneration(long begun) {
        generation = begun;
        shards.setGeneration(begun);
    }

    @Override
    public String refusal() {
        return JobRepartitioning.refusal(placement, options);
    }

    @Override
    public boolean lacksOwners() {
        return lacksOwners && options.kind().hasOwners() && writeBack == null;
    }

    /** Takes down that kept edges may have places that are not the owners of their ends, until {@link #ownersTold}. */
    void loseOwners() {
        lacksOwners = true;
    }

    @Override
    public void ownersTold() {
        lacksOwners = false;
    }

    /** Returns the number of removals of edges that were not there. */
    long unknownRemovals() {
        return unknownRemovalsBefore + placement.unknownRemovals();
    }

    /** Returns how many edges were moved because the rule has chosen so. */
    long refinedEdges() {
        return refinedBefore + placement.refinedEdges();
    }
}
