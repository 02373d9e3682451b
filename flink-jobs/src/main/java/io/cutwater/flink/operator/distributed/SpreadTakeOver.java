package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.flink.checkpoint.assigner.AssignerState;
import io.cutwater.flink.checkpoint.assigner.Totals;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.feedback.BucketTable;
import io.cutwater.state.feedback.Lineage;
import io.cutwater.state.feedback.Resumption;
import io.cutwater.state.feedback.bucket.BucketEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.repartition.live.RepartitioningState;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.jspecify.annotations.Nullable;

/**
 * Makes the state of a distributed job that of a job of one task, which has the keyed state of the vertex tables and
 * gets that of the assigners from {@link HandOverOperator}. The tables may lack updates that the assigners have sent,
 * so one table over all buckets applies these first, as if they came through the loop; then the vertices and the kept
 * edges are those of one task.
 */
public final class SpreadTakeOver {
    private static final long RUN = 1; // no other attempt sends anything to it

    private final AssignOptions options;
    private final TableLedgers ledgers;
    private final KeyedVertexStore store;
    private final VertexLayout layout;
    private final int buckets;
    private final SpreadState.Received left = new SpreadState.Received();

    private SpreadTakeOver(AssignOptions options, TableLedgers ledgers, KeyedVertexStore store, int buckets)
            throws Exception {
        this.options = options;
        this.ledgers = ledgers;
        this.store = store;
        this.buckets = buckets;
        boolean keepsOwned = options.kind().hasOwners() && options.keepsEdges();
        layout = options.layout().withPartitions(ledgers.restore(store, false, keepsOwned, true));
    }

    /**
     * Returns the change that is due, or null if the state is that of one task.
     *
     * @param currentKey sets the key of the next access to the state, when no other thread writes to that
     * @param store of all vertices
     */
    public static @Nullable SpreadTakeOver restore(
            StateInitializationContext context,
            AssignOptions options,
            VertexBuckets buckets,
            IntConsumer currentKey,
            KeyedVertexStore store)
            throws Exception {
        if (!context.isRestored()) {
            return null;
        }
        TableLedgers ledgers = new TableLedgers(
                context,
                buckets,
                currentKey,
                options.layout(),
                options.keepsEdges(),
                KeyGroupRange.of(0, buckets.count() - 1));
        return ledgers.areStored() ? new SpreadTakeOver(options, ledgers, store, buckets.count()) : null;
    }

    /** Adds a piece of what the assigners have left; returns whether all is here. */
    public boolean add(byte[] piece) {
        return left.add(piece, buckets);
    }

    /**
     * The state of the distributed job in the form of a job of one task.
     *
     * @param algorithm bytes of the algorithm
     * @param buffered edges
     * @param areOfOne whether these are those of one task; else of several, and the buffered edges are to be placed
     *     like new ones
     * @param owners {@link io.cutwater.state.rule.OwnerLoads#vertices} of those of several, in a vertex partitioning;
     *     else empty
     */
    public record Result(
            Totals totals,
            RepartitioningState moves,
            List<byte[]> algorithm,
            EdgeBatch buffered,
            boolean areOfOne,
            List<byte[]> owners) {}

    /**
     * Changes the keyed state, of which no cache may have anything yet.
     *
     * @param listener is told of vertices that change
     * @param adjacency the rows of kept edges, or null if none are kept
     */
    public Result apply(VertexTable.Listener listener, @Nullable KeyedAdjacency adjacency) throws Exception {
        Totals sum = sum();
        boolean areOfOne = !SpreadOptions.storesDependOnAssigners(options)
                || left.assigners().stream().allMatch(AssignerState::isExact);
        List<Lineage> lineages =
                left.assigners().stream().map(AssignerState::lineage).toList();
        EdgeBatch buffered = areOfOne ? new EdgeBatch(1) : left.buffered();
        VertexTable vertices =
                new VertexTable(layout, store, options.cacheBytes(), ledgers.createdVertices(), listener);
        BucketTable table = table(vertices, adjacency);
        int degreeChange = new SpreadOptions(buckets, 1, 1).degreeChange(options, false);
        table.takeOver(new Resumption(lineages, true, false, buffered, degreeChange));
        vertices.flush();
        if (adjacency != null) {
            if (options.removesVertices() && !options.kind().hasOwners()) {
                markTargets(StoredEdges.ofEdgesByBothEnds(adjacency, 0));
            }
            adjacency.flush();
        }
        ReplicaCounts counts = table.counts();
        int partitions = sum.loads().partitionCount();
        long[] replicas = new long[partitions];
        for (int p = 0; p < counts.partitionCount(); p++) {
            if (p < partitions) {
                replicas[p] = counts.replicas(p);
            } else if (counts.replicas(p) > 0) {
                throw new IllegalStateException("vertices have replicas on partition %d of %d; %s"
                        .formatted(p, partitions, "vertex tables and assigners are not of the same checkpoint"));
            }
        }
        List<byte[]> owners =
                areOfOne || !options.kind().hasOwners() ? List.of() : List.of(ledgers.owners(store, partitions));
        Totals totals = new Totals(
                new PartitionLoads(sum.loads().edges(), replicas, counts.vertices()),
                ledgers.createdVertices(),
                sum.deadLetters(),
                sum.progress(),
                sum.unknownRemovals(),
                options.keepsEdges());
        ledgers.clear();
        return new Result(totals, left.moves(), left.algorithm(), left.buffered(), areOfOne, owners);
    }

    /** For removals of vertices one task finds edges by both of their ends; several have an operator for that. */
    private void markTargets(StoredEdges edges) throws Exception {
        for (int bucket = 0; bucket < buckets; bucket++) {
            edges.markTargets(store.vertices(bucket));
        }
    }

    private BucketTable table(VertexTable vertices, @Nullable KeyedAdjacency adjacency) {
        if (adjacency == null) {
            return BucketTable.catchingUp(vertices, ledgers.all(), 0, buckets, 1, 0, RUN);
        }
        BucketEdges edges = new BucketEdges(adjacency, !options.kind().hasOwners(), 0, buckets);
        return BucketTable.withEdges(vertices, edges, ledgers.all(), 0, 1, RUN);
    }

    /** Sums what the assigners have counted. */
    private Totals sum() {
        int partitions = left.moves().partitions();
        if (left.moves().generation() == 0 || partitions == 0) {
            partitions = options.partitioner().partitionCount();
            for (AssignerState one : left.assigners()) {
                one.totals().requirePartitions(partitions);
            }
        }
        return AssignerState.sum(left.assigners(), partitions, options.keepsEdges());
    }
}
