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
 * Gathers placed edges, and what else changes in the shards, by shard and change, so that what leaves the assigner is
 * batches again. Bounded in total: fewer edges per shard for more shards.
 *
 * <p>Of each shard what enters is released before what leaves. So an edge that leaves is always in the shard for
 * whoever applies the batches in their order, and they end with the same edges: a multiset does not mind what came
 * first. A batch for every run of equal changes would be a batch for each edge where moves go both ways.
 */
public final class ShardBuffers implements PlacedEdges {
    private static final int TOTAL_EDGES = 128 * 1024;
    private static final int MIN_EDGES = 64;
    /** In the order of their release. */
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

    /** The plan that everything belongs to that comes from now on; what came before is released. */
    public void setGeneration(long generation) {
        flush();
        Arrays.fill(buffers, null);
        this.generation = generation;
    }

    @Override
    public void placed(long source, long target, double weight, long timestamp, int place) {
        int ofSource = Place.ofSource(place);
        int ofTarget = Place.ofTarget(place);
        add(buffer(ofSource, ShardChange.ADD), source, target, weight, timestamp, place);
        if (ofTarget != ofSource) {
            add(buffer(ofTarget, ShardChange.ADD), source, target, weight, timestamp, place);
        }
    }

    @Override
    public void changed(
            ShardChange change, long source, long target, double weight, long timestamp, int shard, int place) {
        add(buffer(shard, change), source, target, weight, timestamp, place);
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

    private void add(ShardBatch buffer, long source, long target, double weight, long timestamp, int place) {
        EdgeBatch edges = buffer.edges();
        edges.add(source, target, weight, timestamp);
        if (kind.hasOwners()) {
            edges.setPlace(edges.size() - 1, place);
        }
        if (edges.size() >= limit) {
            release(buffer);
        }
    }

    /** Releases what every shard has gathered. */
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
