package io.cutwater.kafka.folder;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares the partition book, and then the vertices of each shard, with what was counted from the edges. */
final class FolderCheck {
    private final ReplicaMap counted;
    private final long[] verticesOf;
    private final int[] masters;
    private long rowsSeen;
    private long verticesSeen;
    private long previous;
    private @Nullable String difference;

    /** @param verticesOf vertices that were counted on each partition */
    FolderCheck(ReplicaMap counted, long[] verticesOf) {
        this.counted = counted;
        this.verticesOf = verticesOf;
        masters = new int[counted.size()];
        Arrays.fill(masters, -1);
    }

    void addBookRow(long vertex, int partition, int[] replicas, int replicaCount) {
        int row = counted.find(vertex);
        if (row < 0) {
            differ("the partition book has vertex %d, which no edge of the shards has".formatted(vertex));
            return;
        }
        if (rowsSeen++ > 0 && vertex <= previous) {
            differ("the partition book has vertex %d after vertex %d".formatted(vertex, previous));
        }
        previous = vertex;
        masters[row] = partition;
        boolean hasMaster = false;
        boolean isSame = replicaCount == counted.replicaCount(row);
        for (int i = 0; i < replicaCount; i++) {
            int replica = replicas[i];
            isSame &= replica >= 0 && replica < verticesOf.length && counted.hasReplica(row, replica);
            isSame &= i == 0 || replica > replicas[i - 1];
            hasMaster |= replica == partition;
        }
        if (!isSame) {
            differ("the partition book gives vertex %d the replicas %s, but its edges are on %d partitions, not these"
                    .formatted(
                            vertex, Arrays.toString(Arrays.copyOf(replicas, replicaCount)), counted.replicaCount(row)));
        }
        if (!hasMaster) {
            differ("the partition book puts vertex %d on partition %d, where it has no replica"
                    .formatted(vertex, partition));
        }
    }

    void endBook() {
        if (rowsSeen != counted.size()) {
            differ("the partition book has %d vertices, and the edges have %d".formatted(rowsSeen, counted.size()));
        }
    }

    void addShardVertex(int shard, long vertex, boolean isMaster, long degree) {
        int row = counted.find(vertex);
        if (row < 0 || !counted.hasReplica(row, shard)) {
            differ("shard %d lists vertex %d, which none of its edges has".formatted(shard, vertex));
            return;
        }
        if (verticesSeen++ > 0 && vertex <= previous) {
            differ("shard %d lists vertex %d after vertex %d".formatted(shard, vertex, previous));
        }
        previous = vertex;
        if (isMaster != (masters[row] == shard)) {
            differ("shard %d calls vertex %d its %s, and the partition book says partition %d is its master"
                    .formatted(shard, vertex, isMaster ? "master" : "mirror", masters[row]));
        }
        if (degree != counted.degree(row)) {
            differ("shard %d gives vertex %d degree %d, and it is %d"
                    .formatted(shard, vertex, degree, counted.degree(row)));
        }
    }

    void endShard(int shard) {
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

    Optional<String> firstDifference() {
        return Optional.ofNullable(difference);
    }
}
