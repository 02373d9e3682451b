package io.cutwater.kafka.replay;

import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitioningKind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One shard, built by applying its records in order: a multiset of edges, see {@link EdgeMultiset}, and its vertex
 * data, one object each.
 */
public final class ShardReplay {
    private final int shard;
    private final EdgeMultiset edges = new EdgeMultiset();
    private final VertexDataMap data = new VertexDataMap();
    private @Nullable PartitioningKind kind;
    private long generation;

    /** @param shard from 0 */
    public ShardReplay(int shard) {
        this.shard = shard;
    }

    /**
     * Applies one record.
     *
     * @throws IllegalArgumentException if an edge leaves that the shard does not have, if the shard owns neither
     *     endpoint of an edge, or if the record is of another kind of partitioning than those before; some of its edges
     *     may have been applied then
     */
    void apply(Header header, EdgeBatch batch) {
        PartitioningKind kindNow = header.kind().hasOwners() ? PartitioningKind.VERTEX : PartitioningKind.EDGE;
        if (kind != null && kind != kindNow) {
            throw new IllegalArgumentException(
                    "shard %d has edges of a partitioning of kind %s after some of kind %s: two jobs have written the topic"
                            .formatted(shard, kindNow.label(), kind.label()));
        }
        kind = kindNow;
        generation = Math.max(generation, header.generation());
        int by = header.kind().change().isEntering() ? 1 : -1;
        for (int i = 0; i < batch.size(); i++) {
            if (kind == PartitioningKind.VERTEX && !isOwned(batch.place(i))) {
                throw new IllegalArgumentException("edge (%d, %d) is not of shard %d, which owns neither end: %d, %d"
                        .formatted(
                                batch.source(i),
                                batch.target(i),
                                shard,
                                Place.ofSource(batch.place(i)),
                                Place.ofTarget(batch.place(i))));
            }
            if (edges.change(batch, i, by) < 0) {
                throw new IllegalArgumentException(
                        "edge (%d, %d) leaves shard %d (%s) but is not in it: records of the topic are missing, or two jobs have written it"
                                .formatted(
                                        batch.source(i),
                                        batch.target(i),
                                        shard,
                                        header.kind().change()));
            }
        }
    }

    private boolean isOwned(int owners) {
        return Place.ofSource(owners) == shard || Place.ofTarget(owners) == shard;
    }

    /** Applies the data of a vertex, which replace earlier ones. */
    public void apply(VertexRecord vertex) {
        data.put(vertex);
    }

    /** Removes the data of a vertex. */
    public void forget(long vertex) {
        data.remove(vertex);
    }

    public int shard() {
        return shard;
    }

    /** Returns the edges; in a vertex partitioning each has the owners of its endpoints as its place. */
    public EdgeMultiset edges() {
        return edges;
    }

    /**
     * Returns the data of a vertex, empty if there are none. A vertex without edges is not in the shard, even if it has
     * data.
     */
    public Optional<VertexRecord> data(long vertex) {
        return Optional.ofNullable(data.get(vertex));
    }

    /** Returns the vertices of the edges. */
    public ReplayedVertices vertices() {
        return ReplayedVertices.of(this);
    }

    /** Returns the kind of partitioning; empty before the first record. */
    Optional<PartitioningKind> kind() {
        return Optional.ofNullable(kind);
    }

    /** Returns the latest plan of any record; 0 before any re-partitioning. */
    long generation() {
        return generation;
    }
}
