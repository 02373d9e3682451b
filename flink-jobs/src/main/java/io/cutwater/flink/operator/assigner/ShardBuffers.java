package io.cutwater.flink.operator.assigner;

import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.ShardChange;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Buffers placed edges and other changes into batches by shard and change. The total size is bounded: more shards have
 * fewer edges each.
 *
 * <p>Additions to a shard are released before its removals. A reader that applies the batches in order therefore never
 * removes an edge that it does not have, and ends with the same multiset of edges. A batch for every run of equal
 * changes would contain one edge where edges move both ways.
 */
public final class ShardBuffers implements PlacedEdges {
    private static final int TOTAL_EDGES = 128 * 1024;
    private static final int MIN_EDGES = 64;
    /** Changes in the order of their release. */
    private static final ShardChange[] CHANGES = {
        ShardChange.ADD, ShardChange.ADOPT, ShardChange.REMOVE, ShardChange.EVICT
    };

    private final PartitioningKind kind;
    private final @Nullable ShardBatch[] buffers; // by shard, then by change
    private final int limit;
    private final Consumer<ShardBatch> full;
    private long generation;

    /**
     * @param kind of partitioning: the edges of an edge partitioning leave without their places, which is what their
     *     shard says already
     * @param full receives a shard's edges and must be done with them when it returns
     */
    public ShardBuffers(PartitioningKind kind, int shards, Consumer<ShardBatch> full) {
        this.kind = kind;
        this.full = full;
        limit = Math.max(MIN_EDGES, Math.min(ShardRecordCodec.MAX_EDGES, TOTAL_EDGES / shards));
        buffers = new ShardBatch[shards * CHANGES.length];
    }

    /** Sets the generation of the following changes; releases those of the earlier one. */
    public void setGeneration(long generation) {
        flush();
        Arrays.fill(buffers, null);
        this.generation = generation;
    }

    @Override
    public void placed(long source, long target, double weight, long timestamp, long key, int place) {
        int ofSource = Place.ofSource(place);
        int ofTarget = Place.ofTarget(place);
        add(buffer(ofSource, ShardChange.ADD), source, target, weight, timestamp, key, place);
        if (ofTarget != ofSource) {
            add(buffer(ofTarget, ShardChange.ADD), source, target, weight, timestamp, key, place);
        }
    }

    @Override
    public void changed(
            ShardChange change,
            long source,
            long target,
            double weight,
            long timestamp,
            long key,
            int shard,
            int place) {
        add(buffer(shard, change), source, target, weight, timestamp, key, place);
    }

    private ShardBatch buffer(int shard, ShardChange change) {
        int at = shard * CHANGES.length + change.ordinal();
        ShardBatch buffer = buffers[at];
        if (buffer == null) {
            buffer = new ShardBatch(shard, change, generation, new EdgeBatch(MIN_EDGES));
            buffers[at] = buffer;
        }
        return buffer;
    }

    private void add(ShardBatch buffer, long source, long target, double weight, long timestamp, long key, int place) {
        EdgeBatch edges = buffer.edges();
        edges.add(source, target, weight, timestamp, key);
        if (kind.hasOwners()) {
            edges.setPlace(edges.size() - 1, place);
        }
        if (edges.size() >= limit) {
            release(buffer);
        }
    }

    /** Releases the buffers of all shards. */
    public void flush() {
        for (int shard = 0; shard < buffers.length / CHANGES.length; shard++) {
            for (ShardChange change : CHANGES) {
                releaseIfAny(shard, change);
            }
        }
    }

    private void release(ShardBatch buffer) {
        if (!buffer.change().isEntering()) {
            releaseIfAny(buffer.shard(), ShardChange.ADD);
            releaseIfAny(buffer.shard(), ShardChange.ADOPT);
        }
        full.accept(buffer);
        buffer.edges().clear();
    }

    private void releaseIfAny(int shard, ShardChange change) {
        ShardBatch buffer = buffers[shard * CHANGES.length + change.ordinal()];
        if (buffer != null && !buffer.edges().isEmpty()) {
            full.accept(buffer);
            buffer.edges().clear();
        }
    }
}
