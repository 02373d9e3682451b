package io.cutwater.format.audit;

import io.cutwater.format.audit.EdgePartitionAudit.Fingerprint;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.util.Optional;

/** What the edges of the shards tell again, of a partitioning of either kind. */
public sealed interface PartitionAudit permits EdgePartitionAudit, VertexPartitionAudit {
    /** A recount that knows of a folder what it has to know before the folder's edges. */
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

    /** Of all edges that were added, each counted once: that of the input, if nothing differs. */
    Fingerprint fingerprint();

    /**
     * Compares the partition book and the shards' vertices of a folder with the edges that were added.
     *
     * @return one sentence on the first difference, empty if there is none
     */
    Optional<String> firstDifference(ShardFolder folder) throws IOException;

    /** The quality of all edges that were added. */
    Quality report(long deadLetters);
}
