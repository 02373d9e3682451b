package io.cutwater.state.placement;

import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.VertexTable;
import org.jspecify.annotations.Nullable;

/** Removes and moves the edges that {@link EdgeAssigner} has placed, or lets wait. */
final class KeptEdgeChanges {
    private final EdgePartitioner partitioner;
    private final VertexTable vertices;
    private final EdgeTables tables;
    private final KeptEdges kept;
    private final @Nullable BufferedLoop holding;
    private long unknownRemovals;

    KeptEdgeChanges(
            EdgePartitioner partitioner,
            VertexTable vertices,
            EdgeTables tables,
            KeptEdges kept,
            @Nullable BufferedLoop holding) {
        this.partitioner = partitioner;
        this.vertices = vertices;
        this.tables = tables;
        this.kept = kept;
        this.holding = holding;
    }

    /** Takes away the oldest copy of an edge, where it is or waits; counts a removal of an edge that is not there. */
    void remove(long source, long target, PlacedEdges into) {
        boolean isHeld = holding != null && holding.remove(source, target);
        int partition = isHeld ? EdgeBatch.NO_PLACE : kept.removeOldest(source, target);
        if (partition == KeptEdges.NO_EDGE) {
            unknownRemovals++;
            return;
        }
        int sourceSlot = vertices.slot(source);
        int targetSlot = source == target ? sourceSlot : vertices.slot(target, sourceSlot);
        if (!isHeld) {
            tables.leave(sourceSlot, targetSlot, partition);
        }
        vertices.uncountEdge(sourceSlot);
        vertices.uncountEdge(targetSlot);
        partitioner.removed(vertices, sourceSlot, targetSlot);
        if (vertices.degree(sourceSlot) == 0) {
            vertices.forget(sourceSlot);
        }
        if (targetSlot != sourceSlot && vertices.degree(targetSlot) == 0) {
            vertices.forget(targetSlot);
        }
        if (!isHeld) {
            into.changed(
                    ShardChange.REMOVE,
                    source,
                    target,
                    kept.weight(),
                    kept.timestamp(),
                    partition,
                    Place.of(partition));
        }
    }

    /** Moves the oldest copy of an edge that is on a partition; false if there is none. */
    boolean move(long source, long target, int from, int to, PlacedEdges into) {
        if (from == to || !kept.move(source, target, from, to)) {
            return false;
        }
        int sourceSlot = vertices.slot(source);
        int targetSlot = source == target ? sourceSlot : vertices.slot(target, sourceSlot);
        tables.enter(sourceSlot, targetSlot, to);
        tables.leave(sourceSlot, targetSlot, from);
        partitioner.moved(vertices, sourceSlot, targetSlot, to);
        double weight = kept.weight();
        long timestamp = kept.timestamp();
        into.changed(ShardChange.EVICT, source, target, weight, timestamp, from, Place.of(from));
        into.changed(ShardChange.ADOPT, source, target, weight, timestamp, to, Place.of(to));
        return true;
    }

    /** See {@link StreamAssigner#keptEdges}. */
    void keptEdges(long vertex, EdgeBatch into) {
        kept.outgoing(vertex, into);
    }

    /** Removals of edges that were not there. */
    long unknownRemovals() {
        return unknownRemovals;
    }
}
