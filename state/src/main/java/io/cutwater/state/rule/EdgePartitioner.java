package io.cutwater.state.rule;

import io.cutwater.state.PublicApi;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;
import io.cutwater.state.table.VertexLayout;
import java.util.List;

/**
 * Chooses a partition for one edge at a time, from the vertex table and the partition loads. It does not depend on
 * Flink, Kafka or time: the same object runs in a job, over an array in a test, and in a comparison.
 *
 * <p>The engine updates the tables: it increments both degrees <em>before</em> {@link #place}, and adds the edge to the
 * replica sets and loads <em>after</em> it. A rule that reads the whole input first returns a number of
 * {@link #preparationPasses}; the engine then shows it every edge in each of them. A rule that may delay an edge is a
 * {@link BufferedPartitioner}.
 */
@PublicApi
public non-sealed interface EdgePartitioner extends LiveRule, BulkRule {
    /**
     * Returns the partition of an edge.
     *
     * @param source slot of one endpoint in {@code vertices}
     * @param target slot of the other endpoint; equal to {@code source} for a self-loop
     * @param loads of the open partitions, which are all of them unless the job is being resized
     * @return an open partition, 0 to {@code loads.partitionCount()} − 1
     */
    int place(VertexColumns vertices, int source, int target, PartitionLoads loads);

    @Override
    default VertexLayout layout(int partitionCount) {
        return new VertexLayout(partitionCount, needsFinalDegrees());
    }

    /** Returns whether the rule reads degrees of the whole input, which a preparation pass counts. */
    default boolean needsFinalDegrees() {
        return false;
    }

    @Override
    default int preparationPasses() {
        return needsFinalDegrees() ? 1 : 0;
    }

    /**
     * Processes an edge in a preparation pass. By default it counts final degrees. Where several tasks hold the vertex
     * table, nothing else is counted; see {@link io.cutwater.state.feedback.BucketTable#look}.
     *
     * @param pass 0 to {@link #preparationPasses()} − 1
     */
    default void observe(int pass, VertexColumns vertices, int source, int target) {
        if (!needsFinalDegrees()) {
            throw new IllegalStateException("this algorithm has no preparation pass: " + pass);
        }
        vertices.countFinalEdge(source);
        vertices.countFinalEdge(target);
    }

    /**
     * Processes an edge in a preparation pass that may reserve places: replicas that it adds count in the loads from
     * then on.
     */
    default void observe(int pass, VertexColumns vertices, int source, int target, PartitionLoads loads) {
        observe(pass, vertices, source, target);
    }

    /**
     * Learns from an edge that arrives with its place, which degrees, replicas and loads include already. Later edges
     * are placed accordingly.
     *
     * @param partition of the edge, 0 to k − 1
     */
    default void recorded(VertexColumns vertices, int source, int target, int partition) {}

    /**
     * Forgets a removed edge, which degrees, replicas and loads include no longer. An endpoint of degree 0 leaves the
     * table after this call.
     */
    default void removed(VertexColumns vertices, int source, int target) {}

    /**
     * Returns whether placed edges may move to a partition later because that saves replicas. By default none may: the
     * place of an edge is that which {@link #place} has given it.
     *
     * @param partition an open one
     * @param loads of the open partitions
     */
    default boolean takesMoved(int partition, PartitionLoads loads) {
        return false;
    }

    /** Learns that an edge has moved; replicas and loads have it on {@code to} already. */
    default void moved(VertexColumns vertices, int source, int target, int to) {}

    /**
     * Returns whether the number of partitions may change. Such a rule reads {@link PartitionLoads#partitionCount},
     * which may be smaller than the number it was created for, and its {@link #restore} accepts a snapshot of another
     * number.
     */
    default boolean canChangePartitions() {
        return !needsOneAssigner();
    }

    /** Closes the partitions from {@code open} on and opens the others; called only if partitions may change. */
    default void restrictTo(int open) {}

    /**
     * Returns whether one assigner must place every edge, because the rule keeps state beside the tables.
     * {@link #snapshot} returns that state. The tables may be in other tasks. If the snapshots of several assigners can
     * be restored in one, or dealt out to others, the rule needs no single one.
     */
    default boolean needsOneAssigner() {
        return false;
    }

    /**
     * Shares the vertices with other assigners from now on, each of which places a part of the edges; called before the
     * first edge and before {@link #restore}, if the rule {@linkplain #needsOneAssigner needs no single one}.
     *
     * @param assigners how many there are, this one included
     */
    default void share(int assigners) {}

    /**
     * Returns how many edges may be on their way between several assigners that tell each other their edges on each
     * partition, as a share of the edges so far; 0 if they do not, as by default. They do where edges come in runs that
     * belong together. Then the rule sees the loads of all, so it chooses {@link PartitionLoads#emptiest} instead of
     * {@link PartitionLoads#leastLoaded}; it sees no replicas in them.
     */
    default double shareOfRuns() {
        return 0;
    }

    /** Returns the state beside the tables, in versioned pieces of a few megabytes at most. */
    default List<byte[]> snapshot() {
        return List.of();
    }

    /**
     * Restores the pieces of a {@link #snapshot}, in their order, before the first edge.
     *
     * @throws IllegalStateException if the bytes are of another version or another number of partitions
     */
    default void restore(List<byte[]> snapshot) {
        if (!snapshot.isEmpty()) {
            throw new IllegalStateException(
                    "the checkpoint was written with another algorithm; go on with the one that the job began with");
        }
    }

    /**
     * Restores pieces of the snapshots of other assigners, or of a job of one task, in any order.
     *
     * @throws IllegalStateException see {@link #restore}
     */
    default void restoreParts(List<byte[]> snapshots) {
        restore(snapshots);
    }
}
