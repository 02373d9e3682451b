package io.cutwater.trainer.shard;

import io.cutwater.kafka.folder.ShardFolder;
import java.io.IOException;
import java.util.BitSet;

/**
 * A shard of an output folder. Vertices that have features but no edge are in no shard of the folder; each is owned
 * here by the shard of its id modulo the number of shards, so that it is tested once.
 */
public final class FolderShard implements ShardInput {
    private final ShardFolder folder;
    private final int shard;
    private final BitSet withEdges;
    private final int rows;

    private FolderShard(ShardFolder folder, int shard, BitSet withEdges, int rows) {
        this.folder = folder;
        this.shard = shard;
        this.withEdges = withEdges;
        this.rows = rows;
    }

    /**
     * All shards of a folder.
     *
     * @param rows vertices with features are 0 to this less 1
     */
    public static FolderShard[] all(ShardFolder folder, long rows) throws IOException {
        int vertices = Math.toIntExact(rows);
        BitSet withEdges = new BitSet(vertices);
        folder.readBook((vertex, partition, replicas, replicaCount) -> {
            if (vertex >= 0 && vertex < vertices) {
                withEdges.set((int) vertex);
            }
        });
        FolderShard[] shards = new FolderShard[folder.shardCount()];
        for (int shard = 0; shard < shards.length; shard++) {
            shards[shard] = new FolderShard(folder, shard, withEdges, vertices);
        }
        return shards;
    }

    @Override
    public void readVertices(VertexConsumer consumer) throws IOException {
        int[] next = {nextAlone(0)};
        folder.readVertices(shard, (of, vertex, isMaster, degree) -> {
            while (next[0] < vertex && next[0] < rows) {
                consumer.accept(next[0], true, 0);
                next[0] = nextAlone(next[0] + 1);
            }
            consumer.accept(vertex, isMaster, degree);
        });
        for (; next[0] < rows; next[0] = nextAlone(next[0] + 1)) {
            consumer.accept(next[0], true, 0);
        }
    }

    /** The first vertex without an edge, from {@code from} on, that this shard is to own; {@code rows} if none. */
    private int nextAlone(int from) {
        int vertex = withEdges.nextClearBit(from);
        while (vertex < rows && vertex % folder.shardCount() != shard) {
            vertex = withEdges.nextClearBit(vertex + 1);
        }
        return Math.min(vertex, rows);
    }

    @Override
    public void readEdges(EdgeConsumer consumer) throws IOException {
        folder.readEdges(shard, (of, edges) -> consumer.accept(edges));
    }
}
