package io.cutwater.flink.operator.assigner;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.io.Serializable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of the assigner.
 *
 * @param cacheBytes bound of the vertex table's memory, at least 1
 * @param publishesBook whether changes of replica sets and degrees are emitted as they happen
 * @param reportsEvery time between quality reports
 * @param waitLimit how long an edge may wait for others before it is placed, at least 2 ms; zero for no limit, so that
 *     the output does not depend on time
 * @param keepsEdges whether every placed edge is kept in the state, so that it can be removed and moved
 * @param checkpointInterval time between checkpoints, which then limit the waiting where they can; zero for a timer
 * @param refinement edges that may move to better places, as a share of those that are placed; 0 for none, at most 1
 * @param removesVertices whether vertices can be removed, so that kept edges are found by both of their ends
 */
public record AssignOptions(
        PartitionerOptions partitioner,
        long cacheBytes,
        boolean publishesBook,
        Duration reportsEvery,
        Duration waitLimit,
        boolean keepsEdges,
        Duration checkpointInterval,
        double refinement,
        boolean removesVertices)
        implements Serializable {
    private static final int ROW_CACHE_SHARE = 4;
    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(1);

    public AssignOptions {
        if (cacheBytes < 1) {
            throw new IllegalArgumentException("cacheBytes must be at least 1: " + cacheBytes);
        }
        if (waitLimit.toMillis() < 2 && !waitLimit.isZero()) {
            throw new IllegalArgumentException("waitLimit must be zero or at least 2 ms: " + waitLimit);
        }
        if (refinement > 0 && !keepsEdges) {
            throw new IllegalArgumentException("refinement needs kept edges: " + refinement);
        }
        if (removesVertices && !keepsEdges) {
            throw new IllegalArgumentException("removals of vertices need kept edges");
        }
    }

    /** Returns whether edges or vertices are partitioned. */
    public PartitioningKind kind() {
        return partitioner.kind();
    }

    /** Returns the memory for kept edges of vertices that refinement reads again and again; 0 if it does not. */
    public long rowCacheBytes() {
        return refinement > 0 && kind().hasOwners() ? cacheBytes / ROW_CACHE_SHARE : 0;
    }

    /** Returns the columns that are needed of each vertex. */
    public VertexLayout layout() {
        VertexLayout layout = algorithm().layout(partitioner);
        return keepsEdges ? layout.withCounts() : layout;
    }

    /**
     * Creates the engine over tables of that layout that are empty or come from a checkpoint.
     *
     * @param kept null if no edges are kept
     */
    public Placement placement(VertexTable vertices, PartitionLoads loads, @Nullable KeptEdges kept) {
        Placement placement = algorithm().placement(partitioner, vertices, loads, kept);
        if (refinement > 0) {
            placement.refine(refinement);
        }
        return placement;
    }

    private Algorithm algorithm() {
        return Algorithms.of(partitioner);
    }

    /** Returns these options with another number of partitions. */
    public AssignOptions withPartitions(int partitions) {
        return with(
                partitioner.withPartitions(partitions), publishesBook, checkpointInterval, refinement, removesVertices);
    }

    /** Returns options with a report each second, without a book. */
    public static AssignOptions of(
            PartitionerOptions partitioner, long cacheBytes, Duration waitLimit, boolean keepsEdges) {
        return new AssignOptions(partitioner, cacheBytes, false, REPORT_INTERVAL, waitLimit, keepsEdges);
    }

    /** Returns these options with or without a book. */
    public AssignOptions withBook(boolean published) {
        return with(partitioner, published, checkpointInterval, refinement, removesVertices);
    }

    /** Returns these options with checkpoints that limit the waiting. */
    public AssignOptions withCheckpoints(Duration interval) {
        return with(partitioner, publishesBook, interval, refinement, removesVertices);
    }

    /** Returns these options with that share of the edges that may move to better places. */
    public AssignOptions withRefinement(double share) {
        return with(partitioner, publishesBook, checkpointInterval, share, removesVertices);
    }

    /** Returns these options with or without removals of vertices. */
    public AssignOptions withVertexRemovals(boolean accepted) {
        return with(partitioner, publishesBook, checkpointInterval, refinement, accepted);
    }

    private AssignOptions with(
            PartitionerOptions partitioner,
            boolean publishesBook,
            Duration checkpointInterval,
            double refinement,
            boolean removesVertices) {
        return new AssignOptions(
                partitioner,
                cacheBytes,
                publishesBook,
                reportsEvery,
                waitLimit,
                keepsEdges,
                checkpointInterval,
                refinement,
                removesVertices);
    }

    /** Options whose waiting is limited by a timer. */
    public AssignOptions(
            PartitionerOptions partitioner,
            long cacheBytes,
            boolean publishesBook,
            Duration reportsEvery,
            Duration waitLimit,
            boolean keepsEdges) {
        this(partitioner, cacheBytes, publishesBook, reportsEvery, waitLimit, keepsEdges, Duration.ZERO, 0, false);
    }

    /** Options that keep no edges, without a limit to waiting. */
    public AssignOptions(
            PartitionerOptions partitioner, long cacheBytes, boolean publishesBook, Duration reportsEvery) {
        this(partitioner, cacheBytes, publishesBook, reportsEvery, Duration.ZERO, false);
    }
}
