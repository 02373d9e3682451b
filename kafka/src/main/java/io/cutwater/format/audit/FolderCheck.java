package io.cutwater.format.audit;

import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.table.VertexRoles;
import io.cutwater.state.partition.PartitioningKind;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares the partition book, and then the vertices of each shard, with the counts of the edges. */
final class FolderCheck {
    private final ReplicaMap counted;
    private final long[] verticesOf;
    private final VertexRoles roles;
    private final int[] homes;
    private long rowsSeen;
    private long verticesSeen;
    private long previous;
    private @Nullable String difference;

    /** @param verticesOf the number of vertices counted on each partition */
    FolderCheck(ReplicaMap counted, long[] verticesOf, PartitioningKind kind) {
        this.counted = counted;
        this.verticesOf = verticesOf;
        roles = VertexRoles.of(kind);
        homes = new int[counted.size()];
        Arrays.fill(homes, -1);
    }

    /** Describes the first difference in one sentence; empty if there is none. */
    Optional<String> firstDifference(ShardFolder folder) throws IOException {
        folder.readBook(this::addBookRow);
        endBook();
        for (int shard = 0; shard < folder.shardCount(); shard++) {
            folder.readVertices(shard, this::addShardVertex);
            endShard(shard);
        }
        return Optional.ofNullable(difference);
    }

    private void addBookRow(long vertex, int partition, int[] replicas, int replicaCount) {
        int row = counted.find(vertex);
        if (row < 0) {
            differ("the partition book has vertex %d, which no edge of the shards has".formatted(vertex));
            return;
        }
        if (rowsSeen++ > 0 && vertex <= previous) {
            differ("the partition book has vertex %d after vertex %d".formatted(vertex, previous));
        }
        previous = vertex;
        homes[row] = partition;
        boolean hasHome = false;
        boolean isSame = replicaCount == counted.replicaCount(row);
        for (int i = 0; i < replicaCount; i++) {
            int replica = replicas[i];
            isSame &= replica >= 0 && replica < verticesOf.length && counted.hasReplica(row, replica);
            isSame &= i == 0 || replica > replicas[i - 1];
            hasHome |= replica == partition;
        }
        if (!isSame) {
            differ("the partition book gives vertex %d the replicas %s, but its edges are on %d partitions, not these"
                    .formatted(
                            vertex, Arrays.toString(Arrays.copyOf(replicas, replicaCount)), counted.replicaCount(row)));
        }
        if (!hasHome) {
            differ("the partition book puts vertex %d on partition %d, where it has no replica"
                    .formatted(vertex, partition));
        }
    }

    private void endBook() {
        if (rowsSeen != counted.size()) {
            differ("the partition book has %d vertices, and the edges have %d".formatted(rowsSeen, counted.size()));
        }
    }

    private void addShardVertex(int shard, long vertex, boolean isHome, long degree) {
        int row = counted.find(vertex);
        if (row < 0 || !counted.hasReplica(row, shard)) {
            differ("shard %d lists vertex %d, which none of its edges has".formatted(shard, vertex));
            return;
        }
        if (verticesSeen++ > 0 && vertex <= previous) {
            differ("shard %d lists vertex %d after vertex %d".formatted(shard, vertex, previous));
        }
        previous = vertex;
        if (isHome != (homes[row] == shard)) {
            differ("shard %d calls vertex %d %s, and the partition book puts it on partition %d"
                    .formatted(shard, vertex, isHome ? roles.home() : roles.other(), homes[row]));
        }
        if (degree != counted.degree(row)) {
            differ("shard %d gives vertex %d degree %d, and by the edges of the shards it is %d"
                    .formatted(shard, vertex, degree, counted.degree(row)));
        }
    }

    private void endShard(int shard) {
        if (verticesSeen != verticesOf[shard]) {
            differ("shard %d lists %d vertices, and its edges have %d"
                    .formatted(shard, verticesSeen, verticesOf[shard]));
        }
        verticesSeen = 0;
    }

    private void differ(String sentence) {
        if (difference == null) {
            difference = sentence;
        }
    }
}
