package io.cutwater.kafka.replay;

import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.OwnerPair;
import io.cutwater.state.partition.PartitioningKind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One shard as its records make it, applied one after the other: a multiset of edges, in memory as {@link EdgeMultiset}
 * has it, and what is known of its vertices, one object each.
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
     * @throws IllegalArgumentException with one sentence if an edge leaves that is not there, if the shard owns neither
     *     end of one, or if the record is of another kind of partitioning than those before; some of its edges may have
     *     been applied then
     */
    public void apply(Header header, EdgeBatch batch) {
        PartitioningKind kindNow = header.kind().hasOwners() ? PartitioningKind.VERTEX : PartitioningKind.EDGE;
        if (kind != null && kind != kindNow) {
            throw new IllegalArgumentException(
                    "shard %d gets edges of a partitioning of kind %s behind some of kind %s: two jobs have written the topic"
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
                                OwnerPair.ofSource(batch.place(i)),
                                OwnerPair.ofTarget(batch.place(i))));
            }
            if (edges.change(batch, i, by) < 0) {
                throw new IllegalArgumentException(
                        "edge (%d, %d) leaves shard %d (%s) and is not there: records of the topic are missing, or two jobs have written it"
                                .formatted(
                                        batch.source(i),
                                        batch.target(i),
                                        shard,
                                        header.kind().change()));
            }
        }
    }

    private boolean isOwned(int owners) {
        return OwnerPair.ofSource(owners) == shard || OwnerPair.ofTarget(owners) == shard;
    }

    /** Applies a record that tells of a vertex; it takes the place of an earlier one. */
    public void apply(VertexRecord vertex) {
        data.put(vertex);
    }

    /** Applies that nothing is known of a vertex any more. */
    public void forget(long vertex) {
        data.remove(vertex);
    }

    public int shard() {
        return shard;
    }

    /** Its edges; of a vertex partitioning each with the owners of its ends as its place. */
    public EdgeMultiset edges() {
        return edges;
    }

    /**
     * What is known of a vertex; empty if nothing is. A vertex without edges is not in the shard, whatever is known of
     * it.
     */
    public Optional<VertexRecord> data(long vertex) {
        return Optional.ofNullable(data.get(vertex));
    }

    /** The vertices of its edges. */
    public ReplayedVertices vertices() {
        return ReplayedVertices.of(this);
    }

    /** Empty before the first record. */
    public Optional<PartitioningKind> kind() {
        return Optional.ofNullable(kind);
    }

    /** The latest plan that a record was of; 0 before any re-partitioning. */
    public long generation() {
        return generation;
    }
}
