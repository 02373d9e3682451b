package io.cutwater.state.placement;

import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import org.jspecify.annotations.Nullable;

/**
 * The tables that change together when a vertex gets, changes or loses its owner, and when an edge between owned
 * vertices is placed or removed: replicas, loads of both kinds and, if edges are kept, those, and at each vertex the
 * count of its edges by the owner of their other end.
 */
final class OwnerTables {
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final OwnerLoads ownerLoads;
    private final @Nullable KeptEdges kept;
    private final EdgeBatch chunk = new EdgeBatch(1);
    private boolean isShared;

    OwnerTables(VertexTable vertices, PartitionLoads loads, OwnerLoads ownerLoads, @Nullable KeptEdges kept) {
        this.vertices = vertices;
        this.loads = loads;
        this.ownerLoads = ownerLoads;
        this.kept = kept;
    }

    /**
     * Leaves degrees, counts and halo vertices to the tables of the vertices, which hear of the edges of all assigners.
     * Edges are kept with their places then, and removed by these.
     */
    void share() {
        isShared = true;
        loads.share();
    }

    boolean hasOwner(int slot) {
        return vertices.master(slot) != VertexTable.NO_MASTER;
    }

    /** A vertex gets its owner. */
    void own(int slot, int owner) {
        vertices.addReplica(slot, owner, loads);
        ownerLoads.own(owner);
    }

    /** A vertex without edges loses its owner. */
    void disown(int slot) {
        int owner = vertices.master(slot);
        vertices.removeReplica(slot, owner, loads);
        ownerLoads.disown(owner);
    }

    /** Takes down an edge between vertices that have owners, and gives it to their shards. */
    void add(int source, int target, double weight, long timestamp, long key, PlacedEdges into) {
        int ofSource = countEdge(source);
        int ofTarget = countEdge(target);
        ownerLoads.addEdge(ofSource, ofTarget);
        loads.addEdge(ofSource);
        if (ofSource != ofTarget) {
            loads.addEdge(ofTarget);
            vertices.addReplica(source, ofTarget, loads);
            vertices.addReplica(target, ofSource, loads);
        }
        if (kept != null) {
            boolean isNew = vertices.degree(source) == 1 || vertices.degree(target) == 1;
            int place = isShared ? Place.of(ofSource, ofTarget) : EdgeBatch.NO_PLACE;
            kept.add(vertices.vertex(source), vertices.vertex(target), place, weight, timestamp, key, isNew);
        }
        if (kept != null && !isShared) {
            vertices.countAt(source, ofTarget, 1);
            vertices.countAt(target, ofSource, 1);
        }
        into.placed(
                vertices.vertex(source), vertices.vertex(target), weight, timestamp, key, Place.of(ofSource, ofTarget));
    }

    private int countEdge(int slot) {
        int owner = vertices.master(slot);
        if (vertices.degree(slot) == 0 && !isShared) {
            ownerLoads.show(owner);
        }
        vertices.countEdge(slot);
        return owner;
    }

    /**
     * Takes away an edge that is kept no longer, and the halo vertices that no other edge needs.
     *
     * @param place of the edge if it was kept with one
     */
    void remove(int source, int target, int place, KeptEdges removed, PlacedEdges into) {
        int ofSource = isShared ? Place.ofSource(place) : vertices.master(source);
        int ofTarget = isShared ? Place.ofTarget(place) : vertices.master(target);
        ownerLoads.removeEdge(ofSource, ofTarget);
        loads.removeEdge(ofSource);
        if (ofSource != ofTarget) {
            loads.removeEdge(ofTarget);
        }
        if (!isShared) {
            leave(source, ofTarget);
            leave(target, ofSource);
        }
        uncountEdge(source);
        uncountEdge(target);
        change(
                ShardChange.REMOVE,
                vertices.vertex(source),
                vertices.vertex(target),
                removed.weight(),
                removed.timestamp(),
                removed.key(),
                Place.of(ofSource, ofTarget),
                into);
    }

    /** A vertex has one neighbour less that a partition owns. */
    private void leave(int slot, int partition) {
        if (vertices.countAt(slot, partition, -1) == 0 && partition != vertices.master(slot)) {
            vertices.removeReplica(slot, partition, loads);
        }
    }

    /** A vertex has one neighbour more that a partition owns. */
    private void enter(int slot, int partition) {
        vertices.countAt(slot, partition, 1);
        vertices.addReplica(slot, partition, loads);
    }

    /** Other assigners may have counted the edge, of which this one has not heard. */
    private void uncountEdge(int slot) {
        if (isShared && vertices.degree(slot) == 0) {
            return;
        }
        vertices.uncountEdge(slot);
        if (vertices.degree(slot) == 0 && !isShared) {
            ownerLoads.hide(vertices.master(slot));
        }
    }

    private static void change(
            ShardChange change,
            long source,
            long target,
            double weight,
            long timestamp,
            long key,
            int owners,
            PlacedEdges into) {
        int ofSource = Place.ofSource(owners);
        int ofTarget = Place.ofTarget(owners);
        into.changed(change, source, target, weight, timestamp, key, ofSource, owners);
        if (ofTarget != ofSource) {
            into.changed(change, source, target, weight, timestamp, key, ofTarget, owners);
        }
    }

    /**
     * Gives a vertex another owner, and its edges with it.
     *
     * @param waiting edges that wait at it
     * @return its edges
     */
    long move(int slot, int to, int waiting, KeptEdges edges, PlacedEdges into) {
        int from = vertices.master(slot);
        long degree = vertices.degree(slot);
        vertices.addReplica(slot, to, loads);
        vertices.setMaster(slot, to);
        ownerLoads.move(from, to, degree, waiting);
        long[] moved = {0};
        chunk.clear();
        edges.forEach(vertices.vertex(slot), chunk, () -> {
            moved[0] += chunk.size();
            moveChunk(slot, from, to, into);
            chunk.clear();
        });
        if (vertices.edgesAt(slot, from) == 0) {
            vertices.removeReplica(slot, from, loads);
        }
        return moved[0];
    }

    /**
     * Moves an edge of a vertex that has got another owner, of which the tables of both ends are told.
     *
     * @param edges with places
     */
    void moveShared(long vertex, int to, EdgeBatch edges, int i, KeptEdges moved, PlacedEdges into) {
        long source = edges.source(i);
        long target = edges.target(i);
        int before = edges.place(i);
        int after = Place.of(
                source == vertex ? to : Place.ofSource(before), target == vertex ? to : Place.ofTarget(before));
        if (before == after) {
            return;
        }
        countShards(before, -1);
        countShards(after, 1);
        moved.moved(source, target, edges.key(i), before, after);
        double weight = edges.weight(i);
        change(ShardChange.EVICT, source, target, weight, edges.timestamp(i), edges.key(i), before, into);
        change(ShardChange.ADOPT, source, target, weight, edges.timestamp(i), edges.key(i), after, into);
    }

    private void countShards(int place, int change) {
        int ofSource = Place.ofSource(place);
        int ofTarget = Place.ofTarget(place);
        if (change > 0) {
            ownerLoads.addEdge(ofSource, ofTarget);
            loads.addEdge(ofSource);
        } else {
            ownerLoads.removeEdge(ofSource, ofTarget);
            loads.removeEdge(ofSource);
        }
        if (ofSource != ofTarget && change > 0) {
            loads.addEdge(ofTarget);
        } else if (ofSource != ofTarget) {
            loads.removeEdge(ofTarget);
        }
    }

    private void moveChunk(int slot, int from, int to, PlacedEdges into) {
        vertices.expect(chunk.sources(), chunk.targets(), chunk.size());
        long vertex = vertices.vertex(slot);
        for (int i = 0; i < chunk.size(); i++) {
            long source = chunk.source(i);
            long target = chunk.target(i);
            int before;
            int after;
            if (source == target) {
                moveLoop(slot, from, to);
                before = Place.of(from, from);
                after = Place.of(to, to);
            } else {
                int other = moveOther(vertices.slot(source == vertex ? target : source, slot), from, to);
                before = source == vertex ? Place.of(from, other) : Place.of(other, from);
                after = source == vertex ? Place.of(to, other) : Place.of(other, to);
            }
            change(ShardChange.EVICT, source, target, chunk.weight(i), chunk.timestamp(i), chunk.key(i), before, into);
            change(ShardChange.ADOPT, source, target, chunk.weight(i), chunk.timestamp(i), chunk.key(i), after, into);
        }
    }

    private void moveLoop(int slot, int from, int to) {
        loads.removeEdge(from);
        loads.addEdge(to);
        for (int end = 0; end < 2; end++) {
            vertices.countAt(slot, from, -1);
            vertices.countAt(slot, to, 1);
        }
    }

    /** The owner of a neighbour, at which the owner of the vertex that moves is counted anew. */
    private int moveOther(int slot, int from, int to) {
        int owner = vertices.master(slot);
        if (owner != from) {
            loads.removeEdge(from);
        }
        if (owner != to) {
            loads.addEdge(to);
        }
        enter(slot, to);
        leave(slot, from);
        return owner;
    }
}
