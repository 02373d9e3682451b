package io.cutwater.format.audit;

import io.cutwater.format.audit.EdgePartitionAudit.Fingerprint;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.util.Optional;

/** The quality of a partitioning of either kind, computed from the edges of its shards. */
public sealed interface PartitionAudit permits EdgePartitionAudit, VertexPartitionAudit {
    /** Creates an audit for a folder, with what it must know before the folder's edges. */
    static PartitionAudit begin(ShardFolder folder) throws IOException {
        if (folder.kind() == PartitioningKind.EDGE) {
            return new EdgePartitionAudit(folder.shardCount());
        }
        VertexPartitionAudit recount = new VertexPartitionAudit(folder.shardCount());
        folder.readBook((vertex, partition, replicas, replicaCount) -> recount.own(vertex, partition));
        return recount;
    }

    /** Adds edges of a shard, 0 to k − 1. */
    void add(int shard, EdgeBatch edges);

    /** Returns the fingerprint of all added edges, each counted once: that of the input, if nothing differs. */
    Fingerprint fingerprint();

    /**
     * Compares the partition book and the shards' vertices of a folder with the added edges.
     *
     * @return a description of the first difference, empty if there is none
     */
    Optional<String> firstDifference(ShardFolder folder) throws IOException;

    /** Returns the quality of all added edges. */
    Quality report(long deadLetters);
}
