package io.cutwater.trainer.shard;

import io.cutwater.format.folder.ShardFolder;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.feature.VertexIds;
import java.io.IOException;
import java.util.BitSet;

/**
 * A shard of an output folder. Vertices with features but without edges are in no shard of the folder; each is assigned
 * to the shard of its id modulo the number of shards, so that it is tested once.
 */
public final class FolderShard implements ShardInput {
    private final ShardFolder folder;
    private final int shard;
    private final VertexIds alone;
    private final BitSet withEdges;

    private FolderShard(ShardFolder folder, int shard, VertexIds alone, BitSet withEdges) {
        this.folder = folder;
        this.shard = shard;
        this.alone = alone;
        this.withEdges = withEdges;
    }

    /** Returns all shards of a folder. */
    public static FolderShard[] all(ShardFolder folder, VertexData data) throws IOException {
        VertexIds alone = data.alone();
        BitSet withEdges = new BitSet(alone.count());
        folder.readBook((vertex, partition, replicas, replicaCount) -> {
            int position = alone.find(vertex);
            if (position >= 0) {
                withEdges.set(position);
            }
        });
        FolderShard[] shards = new FolderShard[folder.shardCount()];
        for (int shard = 0; shard < shards.length; shard++) {
            shards[shard] = new FolderShard(folder, shard, alone, withEdges);
        }
        return shards;
    }

    @Override
    public void readVertices(VertexConsumer consumer) throws IOException {
        int[] next = {nextAlone(0)};
        folder.readVertices(shard, (of, vertex, isMaster, degree) -> {
            while (next[0] < alone.count() && alone.at(next[0]) < vertex) {
                consumer.accept(alone.at(next[0]), true, 0);
                next[0] = nextAlone(next[0] + 1);
            }
            consumer.accept(vertex, isMaster, degree);
        });
        for (; next[0] < alone.count(); next[0] = nextAlone(next[0] + 1)) {
            consumer.accept(alone.at(next[0]), true, 0);
        }
    }

    /** Returns the position of the first vertex without an edge, from {@code from} on, that belongs to this shard. */
    private int nextAlone(int from) {
        int position = withEdges.nextClearBit(from);
        while (position < alone.count() && Math.floorMod(alone.at(position), folder.shardCount()) != shard) {
            position = withEdges.nextClearBit(position + 1);
        }
        return position;
    }

    @Override
    public void readEdges(EdgeConsumer consumer) throws IOException {
        folder.readEdges(shard, (of, edges) -> consumer.accept(edges));
    }
}
