package io.cutwater.state.placement;

import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.TeamLoads;
import io.cutwater.state.table.VertexTable;
import org.jspecify.annotations.Nullable;

/**
 * The tables that change together when an edge is placed, moved or removed: replicas, loads and, if kept, edges with
 * the counts of edges by partition.
 *
 * <p>While partitions are closed, the rule has loads of its own that know the open ones only.
 */
final class EdgeTables {
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final @Nullable KeptEdges kept;
    private PartitionLoads openLoads;
    private boolean isShared;
    private @Nullable TeamLoads team; // if the rule may see the loads of all assigners; no partition is closed then

    EdgeTables(VertexTable vertices, PartitionLoads loads, @Nullable KeptEdges kept) {
        this.vertices = vertices;
        this.loads = loads;
        this.kept = kept;
        openLoads = loads;
    }

    /**
     * Leaves the counts of edges by partition, and replicas that go, to the tables of the vertices, which hear of the
     * edges of all assigners. What is known of a vertex here lags behind, and the counts are estimates: those that its
     * table has told last, and the edges that have been placed here since.
     */
    void share() {
        isShared = true;
        loads.share();
    }

    /** Lets the rule see the loads of all assigners as soon as they are heard. */
    void share(TeamLoads loadsOfAll) {
        team = loadsOfAll;
    }

    /** Returns the loads of all assigners; null if the rule sees its own only. */
    @Nullable TeamLoads teamLoads() {
        return team;
    }

    boolean isShared() {
        return isShared;
    }

    /** The loads as the rule is to see them. */
    PartitionLoads openLoads() {
        return team == null ? openLoads : team.seen();
    }

    void restrictTo(int open) {
        vertices.restrictTo(open);
        openLoads = open == loads.partitionCount() ? loads : loads.first(open);
        if (isShared) {
            openLoads.share();
        }
    }

    /** Takes down where an edge was placed, whose ends have counted it in their degrees. */
    void add(int source, int target, int partition, double weight, long timestamp, long key) {
        if (kept != null) {
            boolean isNew = vertices.degree(source) == 1 || vertices.degree(target) == 1;
            kept.add(vertices.vertex(source), vertices.vertex(target), partition, weight, timestamp, key, isNew);
        }
        enter(source, target, partition);
    }

    /** An edge, which is kept already, comes to a partition. */
    void enter(int source, int target, int partition) {
        addEdge(partition);
        enter(source, partition);
        enter(target, partition);
    }

    private void enter(int slot, int partition) {
        boolean isFirst = vertices.master(slot) == VertexTable.NO_MASTER;
        if (vertices.addReplica(slot, partition, loads) && isSeparate(partition)) {
            openLoads.addReplica(partition, isFirst);
        }
        if (kept != null) {
            vertices.countAt(slot, partition, 1);
        }
    }

    void addEdge(int partition) {
        loads.addEdge(partition);
        if (team != null) {
            team.addEdge(partition);
            return;
        }
        if (isSeparate(partition)) {
            openLoads.addEdge(partition);
        }
    }

    private void removeEdge(int partition) {
        loads.removeEdge(partition);
        if (isSeparate(partition)) {
            openLoads.removeEdge(partition);
        }
    }

    /** An edge moves, and the tables of its ends, which are told, count its replicas. Its ends may not be here. */
    void moveShared(long source, long target, int from, int to) {
        addEdge(to);
        removeEdge(from);
        estimateMoved(source, from, to);
        if (source != target) {
            estimateMoved(target, from, to);
        }
    }

    private void estimateMoved(long vertex, int from, int to) {
        if (RecordExchange.has(vertices, vertex)) {
            int slot = vertices.slot(vertex);
            estimateLeft(slot, from);
            vertices.countAt(slot, to, 1);
        }
    }

    private void estimateLeft(int slot, int partition) {
        if (vertices.edgesAt(slot, partition) > 0) { // else another assigner has placed it, of which no news have come
            vertices.countAt(slot, partition, -1);
        }
    }

    /** An edge, which is kept no longer or elsewhere, leaves a partition; with it the replicas that had no other. */
    void leave(int source, int target, int partition) {
        removeEdge(partition);
        if (isShared) {
            estimateLeft(source, partition);
            estimateLeft(target, partition);
            return;
        }
        leave(source, partition);
        leave(target, partition);
    }

    private void leave(int slot, int partition) {
        if (vertices.countAt(slot, partition, -1) > 0) {
            return;
        }
        vertices.removeReplica(slot, partition, loads);
        if (isSeparate(partition)) {
            openLoads.removeReplica(partition, vertices.master(slot) == VertexTable.NO_MASTER);
        }
    }

    /** Returns whether the rule has loads of its own and they count this partition. */
    private boolean isSeparate(int partition) {
        return team == null && openLoads != loads && partition < openLoads.partitionCount();
    }
}
