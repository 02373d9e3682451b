package io.cutwater.flink.operator.local;

import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.assigner.Totals;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.ShardBuffers;
import io.cutwater.flink.operator.repartition.JobRepartitioning;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.live.LocalPlacement;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Vertex table, loads, engine and shard buffers of an assigner that holds the vertices itself. They are created for a
 * number of partitions; another number creates new ones over the same state.
 */
final class LocalTables implements LocalPlacement {
    private final AssignOptions options;
    private final KeyedVertexStore store;
    private final @Nullable JobEdges edges;
    private final @Nullable KeptEdges kept;
    private final VertexTable.Listener listener;
    private final int buckets;
    private final Consumer<ShardBatch> out;
    private VertexLayout layout;
    private VertexTable vertices;
    private PartitionLoads loads;
    private Placement placement;
    private ShardBuffers shards;
    private long generation;
    private long unknownRemovalsBefore;

    /**
     * @param edges null if no edges are kept
     * @param totals what a checkpoint had, which also says how many partitions there are
     * @param listener is told of vertices whose replicas or degree changed
     * @param buckets of the store
     * @param out receives a shard's edges and must be done with them when it returns
     */
    LocalTables(
            AssignOptions options,
            KeyedVertexStore store,
            @Nullable JobEdges edges,
            Totals totals,
            VertexTable.Listener listener,
            int buckets,
            Consumer<ShardBatch> out) {
        this.options = options;
        this.store = store;
        this.edges = edges;
        kept = edges == null ? null : edges.kept();
        this.listener = listener;
        this.buckets = buckets;
        this.out = out;
        begin(totals);
    }

    /** Begins, or begins anew with what vertex tables have left in the store; nothing may be placed yet. */
    void begin(Totals totals) {
        unknownRemovalsBefore = totals.unknownRemovals();
        loads = totals.loads();
        AssignOptions now = options.withPartitions(loads.partitionCount());
        layout = now.layout();
        vertices = new VertexTable(layout, store, options.cacheBytes(), totals.createdVertices(), listener);
        placement = now.placement(vertices, loads, kept);
        shards = new ShardBuffers(options.kind(), loads.partitionCount(), out);
    }

    Placement placement() {
        return placement;
    }

    VertexTable vertices() {
        return vertices;
    }

    VertexLayout layout() {
        return layout;
    }

    ShardBuffers shards() {
        return shards;
    }

    Quality quality(long deadLetters) {
        return placement.quality(deadLetters);
    }

    /** Returns the number of unknown removals since the job began. */
    long unknownRemovals() {
        return unknownRemovalsBefore + placement.unknownRemovals();
    }

    Totals totals(long deadLetters, long progress) {
        return new Totals(
                loads,
                vertices.vertexCount(),
                deadLetters,
                progress,
                unknownRemovals(),
                options.keepsEdges(),
                options.removesVertices());
    }

    void flush() {
        shards.flush();
        vertices.flush();
        if (edges != null) {
            edges.flush();
        }
    }

    @Override
    public String refusal(int wanted) {
        return JobRepartitioning.refusal(placement, options);
    }

    @Override
    public int partitions() {
        return loads.partitionCount();
    }

    @Override
    public Quality quality() {
        return quality(0);
    }

    @Override
    public boolean isEmptyFrom(int partition) {
        return loads.isEmptyFrom(partition);
    }

    @Override
    public void setPartitions(int partitions) {
        // The state contains everything that the new tables do not take over.
        placement.dropPlan();
        flush();
        List<byte[]> algorithm = placement.snapshot();
        EdgeBatch held = placement.heldEdges();
        unknownRemovalsBefore = unknownRemovals();
        long created = vertices.vertexCount();
        AssignOptions now = options.withPartitions(partitions);
        loads = loads.resized(partitions);
        layout = now.layout();
        vertices = new VertexTable(layout, store, options.cacheBytes(), created, listener);
        placement = now.placement(vertices, loads, kept);
        placement.restore(algorithm, held);
        shards = new ShardBuffers(options.kind(), partitions, out);
        shards.setGeneration(generation);
    }

    @Override
    public void restrictTo(int open) {
        placement.restrictTo(open);
    }

    @Override
    public void setGeneration(long begun) {
        generation = begun;
        shards.setGeneration(begun);
    }

    @Override
    public void beginScan() {
        vertices.flush();
    }

    @Override
    public int buckets() {
        return buckets;
    }

    @Override
    public long[] vertices(int bucket) {
        return store.vertices(bucket);
    }

    @Override
    public void edgesOf(long vertex, EdgeBatch into) {
        placement.keptEdges(vertex, into);
    }

    @Override
    public long move(long source, long target, int from, int to) {
        return placement.move(source, target, from, to, shards);
    }
}
