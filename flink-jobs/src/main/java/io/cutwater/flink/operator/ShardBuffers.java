package io.cutwater.flink.operator;

import io.cutwater.flink.stream.ShardBatch;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.OwnerPair;
import io.cutwater.state.partition.PlacedEdges;
import java.util.function.Consumer;

/**
 * Gathers placed edges by shard, so that what leaves the assigner is batches again. Bounded in total: fewer edges per
 * shard for more shards.
 */
final class ShardBuffers implements PlacedEdges {
    private static final int TOTAL_EDGES = 128 * 1024;
    private static final int MIN_EDGES = 64;
    private static final int MAX_EDGES = 2048;

    private final ShardBatch[] buffers;
    private final int limit;
    private final Consumer<ShardBatch> full;

    /** @param full receives a shard's edges and must be done with them when it returns */
    ShardBuffers(int shards, Consumer<ShardBatch> full) {
        this.full = full;
        limit = Math.max(MIN_EDGES, Math.min(MAX_EDGES, TOTAL_EDGES / shards));
        buffers = new ShardBatch[shards];
        for (int shard = 0; shard < shards; shard++) {
            buffers[shard] = new ShardBatch(shard, new EdgeBatch(MIN_EDGES));
        }
    }

    @Override
    public void placed(long source, long target, double weight, long timestamp, int ofSource, int ofTarget) {
        int owners = OwnerPair.of(ofSource, ofTarget);
        addOwned(ofSource, source, target, weight, timestamp, owners);
        if (ofTarget != ofSource) {
            addOwned(ofTarget, source, target, weight, timestamp, owners);
        }
    }

    private void addOwned(int shard, long source, long target, double weight, long timestamp, int owners) {
        ShardBatch buffer = buffers[shard];
        EdgeBatch edges = buffer.edges();
        edges.add(source, target, weight, timestamp);
        edges.setPlace(edges.size() - 1, owners);
        if (edges.size() >= limit) {
            release(buffer);
        }
    }

    @Override
    public void placed(long source, long target, double weight, long timestamp, int partition) {
        ShardBatch buffer = buffers[partition];
        buffer.edges().add(source, target, weight, timestamp);
        if (buffer.edges().size() >= limit) {
            release(buffer);
        }
    }

    /** Releases what every shard has gathered. */
    void flush() {
        for (ShardBatch buffer : buffers) {
            if (!buffer.edges().isEmpty()) {
                release(buffer);
            }
        }
    }

    private void release(ShardBatch buffer) {
        full.accept(buffer);
        buffer.edges().clear();
    }
}
