package io.cutwater.state.rule;

import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.List;

/**
 * Chooses a partition for one edge at a time, from what is known of its two ends and of the partitions. It knows
 * neither Flink nor Kafka nor time: the same object runs in the job, over an array in a test, and in a comparison.
 *
 * <p>The caller keeps the tables: it counts both degrees up <em>before</em> {@link #place}, and adds the edge to the
 * replica sets and loads <em>after</em> it. An algorithm that must see the whole input first says so with
 * {@link #preparationPasses} and is shown every edge in each of them. One that would rather see more before it places
 * an edge is a {@link BufferedPartitioner}.
 */
public non-sealed interface EdgePartitioner extends LiveRule, BulkRule {
    /**
     * The partition of the edge between two vertices.
     *
     * @param source slot of one end in {@code vertices}
     * @param target slot of the other end, equal to {@code source} for a self-loop
     * @param loads of the partitions that are open: those below their {@link PartitionLoads#partitionCount}, mostly all
     * @return one of them, 0 to {@code loads.partitionCount()} − 1
     */
    int place(VertexTable vertices, int source, int target, PartitionLoads loads);

    /** The columns that the rule needs of each vertex. */
    default VertexLayout layout(int partitionCount) {
        return new VertexLayout(partitionCount, needsFinalDegrees());
    }

    /** Whether the rule reads final degrees, those of the whole input, which takes a preparation pass to count. */
    default boolean needsFinalDegrees() {
        return false;
    }

    /** Passes over the whole input before the one that places. */
    default int preparationPasses() {
        return needsFinalDegrees() ? 1 : 0;
    }

    /**
     * Sees an edge in a preparation pass. Unless an algorithm does more, it counts final degrees; nothing else is
     * counted where the vertex table is spread over tasks, see {@link io.cutwater.state.feedback.BucketTable#look}.
     *
     * @param pass 0 to {@link #preparationPasses()} − 1
     */
    default void observe(int pass, VertexTable vertices, int source, int target) {
        if (!needsFinalDegrees()) {
            throw new IllegalStateException("this algorithm has no preparation pass: " + pass);
        }
        vertices.countFinalEdge(source);
        vertices.countFinalEdge(target);
    }

    /**
     * As above, for an algorithm that reserves places in a preparation pass: replicas that it adds there count in the
     * loads from then on.
     */
    default void observe(int pass, VertexTable vertices, int source, int target, PartitionLoads loads) {
        observe(pass, vertices, source, target);
    }

    /**
     * Learns from an edge that was placed before it came here: its place is in the degrees, replicas and loads already.
     * Edges that come later are placed by what it has learnt.
     *
     * @param partition of the edge, 0 to k − 1
     */
    default void recorded(VertexTable vertices, int source, int target, int partition) {}

    /**
     * Forgets an edge that is gone, placed or waiting: degrees, replicas and loads have it no longer. An end whose
     * degree is 0 now is gone after this call.
     */
    default void removed(VertexTable vertices, int source, int target) {}

    /** Learns that a placed edge moves; replicas and loads have it on {@code to} already. */
    default void moved(VertexTable vertices, int source, int target, int to) {}

    /**
     * Whether the rule copes with a number of partitions that changes: one that goes by
     * {@link PartitionLoads#partitionCount} of the loads that it is given, which may be fewer than those it was made
     * for, and whose {@link #restore} takes what was kept for another number.
     */
    default boolean canChangePartitions() {
        return !isFusedOnly();
    }

    /** Partitions from {@code open} on are closed from now on, the others open; only if it can change partitions. */
    default void restrictTo(int open) {}

    /**
     * Whether one task must place every edge, because the rule keeps more than the tables hold. Then {@link #snapshot}
     * gives what that is.
     */
    default boolean isFusedOnly() {
        return false;
    }

    /** What the rule keeps beside the tables, in pieces of a few megabytes at most, each versioned. */
    default List<byte[]> snapshot() {
        return List.of();
    }

    /**
     * Takes back what {@link #snapshot} gave, in that order, before the first edge.
     *
     * @throws IllegalStateException if the bytes are of another version or another number of partitions
     */
    default void restore(List<byte[]> snapshot) {
        if (!snapshot.isEmpty()) {
            throw new IllegalStateException(
                    "the checkpoint was written with another algorithm; go on with the one that the job began with");
        }
    }
}
