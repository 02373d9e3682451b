package io.cutwater.flink.operator;

import io.cutwater.flink.types.ShardBatch;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.OwnerPair;
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
final class ShardBuffers implements PlacedEdges {
    private static final int TOTAL_EDGES = 128 * 1024;
    private static final int MIN_EDGES = 64;
    /** In the order of their release. */
    private static final ShardChange[] CHANGES = {
        ShardChange.ADD, ShardChange.ADOPT, ShardChange.REMOVE, ShardChange.EVICT
    };

    private final @Nullable ShardBatch[] buffers; // by shard, then by change
    private final int limit;
    private final Consumer<ShardBatch> full;
    private long generation;

    /** @param full receives a shard's edges and must be done with them when it returns */
    ShardBuffers(int shards, Consumer<ShardBatch> full) {
        this.full = full;
        limit = Math.max(MIN_EDGES, Math.min(ShardRecordCodec.MAX_EDGES, TOTAL_EDGES / shards));
        buffers = new ShardBatch[shards * CHANGES.length];
    }

    /** The plan that everything belongs to that comes from now on; what came before is released. */
    void setGeneration(long generation) {
        flush();
        Arrays.fill(buffers, null);
        this.generation = generation;
    }

    @Override
    public void placed(long source, long target, double weight, long timestamp, int ofSource, int ofTarget) {
        int owners = OwnerPair.of(ofSource, ofTarget);
        addOwned(buffer(ofSource, ShardChange.ADD), source, target, weight, timestamp, owners);
        if (ofTarget != ofSource) {
            addOwned(buffer(ofTarget, ShardChange.ADD), source, target, weight, timestamp, owners);
        }
    }

    @Override
    public void placed(long source, long target, double weight, long timestamp, int partition) {
        add(buffer(partition, ShardChange.ADD), source, target, weight, timestamp);
    }

    @Override
    public void changed(
            ShardChange change, long source, long target, double weight, long timestamp, int shard, int owners) {
        ShardBatch buffer = buffer(shard, change);
        if (owners == EdgeBatch.NO_PLACE) {
            add(buffer, source, target, weight, timestamp);
        } else {
            addOwned(buffer, source, target, weight, timestamp, owners);
        }
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

    private void addOwned(ShardBatch buffer, long source, long target, double weight, long timestamp, int owners) {
        EdgeBatch edges = buffer.edges();
        edges.add(source, target, weight, timestamp);
        edges.setPlace(edges.size() - 1, owners);
        if (edges.size() >= limit) {
            release(buffer);
        }
    }

    private void add(ShardBatch buffer, long source, long target, double weight, long timestamp) {
        buffer.edges().add(source, target, weight, timestamp);
        if (buffer.edges().size() >= limit) {
            release(buffer);
        }
    }

    /** Releases what every shard has gathered. */
    void flush() {
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
