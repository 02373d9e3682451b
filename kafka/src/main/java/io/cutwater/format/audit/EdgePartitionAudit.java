package io.cutwater.format.audit;

import io.cutwater.format.folder.ShardFolder;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.VertexLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Computes the quality of an edge partitioning from nothing but edges and their partitions, with its own tables. It
 * checks the metrics of the job, and measures other tools' assignments. It holds every vertex with one bit per
 * partition in memory, about 36 bytes each for up to 64 partitions.
 */
public final class EdgePartitionAudit implements PartitionAudit {
    private final ReplicaMap vertices;
    private final long[] edgesOf;
    private final long[] verticesOf;
    private Fingerprint fingerprint = Fingerprint.NONE;

    /** @param partitionCount k, 1 to {@value VertexLayout#MAX_PARTITIONS} */
    public EdgePartitionAudit(int partitionCount) {
        if (partitionCount < 1 || partitionCount > VertexLayout.MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    "partitionCount must be in [1, %d]: %d".formatted(VertexLayout.MAX_PARTITIONS, partitionCount));
        }
        vertices = new ReplicaMap(partitionCount);
        edgesOf = new long[partitionCount];
        verticesOf = new long[partitionCount];
    }

    /** Reads all edges of a complete folder. */
    public static EdgePartitionAudit of(ShardFolder folder) throws IOException {
        EdgePartitionAudit recount = new EdgePartitionAudit(folder.shardCount());
        folder.readEdges(recount::add);
        return recount;
    }

    @Override
    public void add(int partition, EdgeBatch edges) {
        long[] sources = edges.sources();
        long[] targets = edges.targets();
        for (int i = 0; i < edges.size(); i++) {
            add(partition, sources[i], targets[i]);
        }
        fingerprint = fingerprint.plus(edges);
    }

    /** Adds edges with a partition, 0 to k − 1, for each. */
    public void add(EdgeBatch edges, int[] partitions) {
        long[] sources = edges.sources();
        long[] targets = edges.targets();
        for (int i = 0; i < edges.size(); i++) {
            add(partitions[i], sources[i], targets[i]);
        }
        fingerprint = fingerprint.plus(edges);
    }

    private void add(int partition, long source, long target) {
        if (partition < 0 || partition >= edgesOf.length) {
            throw new IllegalArgumentException("edge (%d, %d): its partition must be in [0, %d]: %d"
                    .formatted(source, target, edgesOf.length - 1, partition));
        }
        edgesOf[partition]++;
        addEnd(partition, source);
        addEnd(partition, target); // a self-loop counts twice in its vertex's degree
    }

    private void addEnd(int partition, long vertex) {
        int row = vertices.findOrAdd(vertex);
        vertices.addDegree(row);
        if (vertices.addReplica(row, partition)) {
            verticesOf[partition]++;
        }
    }

    @Override
    public Quality report(long deadLetters) {
        List<PartitionQuality> perPartition = new ArrayList<>(edgesOf.length);
        for (int p = 0; p < edgesOf.length; p++) {
            perPartition.add(new PartitionQuality(p, verticesOf[p], edgesOf[p]));
        }
        return Quality.ofEdges(edgesOf.length, vertices.size(), fingerprint.edges(), deadLetters, perPartition);
    }

    /**
     * Returns the fingerprint of all added edges; it equals the input's if every edge of the input is on exactly one
     * partition.
     */
    @Override
    public Fingerprint fingerprint() {
        return fingerprint;
    }

    /**
     * Compares the partition book and the shards' vertices of a folder with the added edges: the same vertices with the
     * same replicas and degrees, and exactly one of the replicas is the master.
     */
    @Override
    public Optional<String> firstDifference(ShardFolder folder) throws IOException {
        if (folder.shardCount() != edgesOf.length) {
            return Optional.of(
                    "the folder has %d shards, and %d were counted".formatted(folder.shardCount(), edgesOf.length));
        }
        return new FolderCheck(vertices, verticesOf, PartitioningKind.EDGE).firstDifference(folder);
    }

    /**
     * An order-independent digest of a multiset of edges: their number, and two sums of 64-bit hashes of source,
     * target, weight and timestamp, each with its own seed.
     *
     * <p>Equal multisets have equal fingerprints, whatever their order and batches. Different ones have equal
     * fingerprints with a probability of about 2^-126 unless they were constructed for it: one sum collides once in
     * 2^64, or once in 2^(64−j) if every multiplicity differs by a multiple of 2^j. It is not a cryptographic proof.
     */
    public record Fingerprint(long edges, long sum, long otherSum) {
        public static final Fingerprint NONE = new Fingerprint(0, 0, 0);

        private static final long SEED = 1;
        private static final long OTHER_SEED = 2;

        /** Returns the fingerprint with the edges of a batch added. */
        public Fingerprint plus(EdgeBatch batch) {
            long sum = this.sum;
            long otherSum = this.otherSum;
            boolean hasAttributes = batch.hasWeights() || batch.hasTimestamps();
            long seed = attributed(SEED, Double.NaN, EdgeBatch.NO_TIMESTAMP);
            long otherSeed = attributed(OTHER_SEED, Double.NaN, EdgeBatch.NO_TIMESTAMP);
            for (int i = 0; i < batch.size(); i++) {
                if (hasAttributes) {
                    seed = attributed(SEED, batch.weight(i), batch.timestamp(i));
                    otherSeed = attributed(OTHER_SEED, batch.weight(i), batch.timestamp(i));
                }
                sum += Hashing.mix64(seed, batch.source(i), batch.target(i));
                otherSum += Hashing.mix64(otherSeed, batch.source(i), batch.target(i));
            }
            return new Fingerprint(edges + batch.size(), sum, otherSum);
        }

        private static long attributed(long seed, double weight, long timestamp) {
            return Hashing.mix64(seed, Double.doubleToLongBits(weight), timestamp);
        }
    }
}
