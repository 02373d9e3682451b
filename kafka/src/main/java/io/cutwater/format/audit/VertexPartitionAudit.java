package io.cutwater.format.audit;

import io.cutwater.format.audit.EdgePartitionAudit.Fingerprint;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Computes the quality of a vertex partitioning from the edges of its shards, and checks that each edge is in the
 * shards that own its endpoints, as often as in the input.
 *
 * <p>Two fingerprints show this: one of the edges in the shard that owns their source, and one of those in the shard
 * that owns their target. If both equal the input's, and every edge of a shard has an endpoint that the shard owns,
 * then every edge is once in each shard where it must be. So every shard has all neighbours of the vertices it owns.
 *
 * <p>It holds every vertex with its owner and one bit per partition in memory, about 45 bytes each for up to 64
 * partitions.
 */
public final class VertexPartitionAudit implements PartitionAudit {
    private static final int NO_OWNER = -1;

    private final ReplicaMap vertices;
    private final long[] edgesOf;
    private final long[] verticesOf;
    private final EdgeBatch ofSources = new EdgeBatch();
    private final EdgeBatch ofTargets = new EdgeBatch();
    private int[] owners = new int[1 << 10];
    private Fingerprint bySource = Fingerprint.NONE;
    private Fingerprint byTarget = Fingerprint.NONE;
    private @Nullable String difference;

    /** @param partitionCount k */
    public VertexPartitionAudit(int partitionCount) {
        vertices = new ReplicaMap(partitionCount);
        edgesOf = new long[partitionCount];
        verticesOf = new long[partitionCount];
    }

    /** Sets the owner of a vertex; required before edges that do not carry the owners of their endpoints. */
    void own(long vertex, int owner) {
        if (owner < 0 || owner >= edgesOf.length) {
            differ("vertex %d belongs to partition %d, and there are %d".formatted(vertex, owner, edgesOf.length));
            return;
        }
        int row = row(vertex);
        if (owners[row] != NO_OWNER && owners[row] != owner) {
            differ("vertex %d belongs to partition %d, and to %d as well".formatted(vertex, owners[row], owner));
        }
        owners[row] = owner;
    }

    private int row(long vertex) {
        int before = vertices.size();
        int row = vertices.findOrAdd(vertex);
        if (row == owners.length) {
            owners = Arrays.copyOf(owners, owners.length + (owners.length >> 1));
        }
        if (row == before) {
            owners[row] = NO_OWNER;
        }
        return row;
    }

    @Override
    public void add(int shard, EdgeBatch edges) {
        ofSources.clear();
        ofTargets.clear();
        for (int i = 0; i < edges.size(); i++) {
            if (edges.hasPlaces()) {
                own(edges.source(i), Place.ofSource(edges.place(i)));
                own(edges.target(i), Place.ofTarget(edges.place(i)));
            }
            add(shard, edges, i);
        }
        edgesOf[shard] += edges.size();
        bySource = bySource.plus(ofSources);
        byTarget = byTarget.plus(ofTargets);
    }

    private void add(int shard, EdgeBatch edges, int i) {
        int source = row(edges.source(i));
        int target = row(edges.target(i));
        if (owners[source] == shard) {
            ofSources.addFrom(edges, i);
        }
        if (owners[target] == shard) {
            ofTargets.addFrom(edges, i);
        }
        if (owners[source] != shard && owners[target] != shard) {
            differ("shard %d has edge (%d, %d), and owns neither end: %s, %s"
                    .formatted(shard, edges.source(i), edges.target(i), owner(source), owner(target)));
        }
        addEnd(source, shard);
        addEnd(target, shard); // a self-loop counts twice in its vertex's degree
    }

    private String owner(int row) {
        return owners[row] == NO_OWNER
                ? "vertex %d has no owner".formatted(vertices.vertex(row))
                : "vertex %d belongs to partition %d".formatted(vertices.vertex(row), owners[row]);
    }

    private void addEnd(int row, int shard) {
        if (owners[row] == shard) {
            vertices.addDegree(row);
        }
        if (vertices.addReplica(row, shard)) {
            verticesOf[shard]++;
        }
    }

    @Override
    public Quality report(long deadLetters) {
        int k = edgesOf.length;
        long[] owned = new long[k];
        long[] volume = new long[k];
        long counted = 0;
        for (int row = 0; row < vertices.size(); row++) {
            if (vertices.degree(row) > 0) {
                counted++;
                owned[owners[row]]++;
                volume[owners[row]] += vertices.degree(row);
            }
        }
        List<PartitionQuality> perPartition = new ArrayList<>(k);
        for (int p = 0; p < k; p++) {
            perPartition.add(new PartitionQuality(p, owned[p], volume[p], verticesOf[p] - owned[p], edgesOf[p]));
        }
        return Quality.ofVertices(k, counted, bySource.edges(), deadLetters, perPartition);
    }

    /** Returns the fingerprint of the edges in the shards that own their sources. */
    @Override
    public Fingerprint fingerprint() {
        return bySource;
    }

    /**
     * Checks that each edge is in the shards of both endpoints' owners, equally often in both.
     *
     * @return a description of the first difference, empty if there is none
     */
    public Optional<String> firstDifference() {
        if (difference == null && !bySource.equals(byTarget)) {
            differ(("the shards have %d edges whose source they own and %d whose target they own, and not the same"
                            + " ones: an edge that is cut must be in two shards")
                    .formatted(bySource.edges(), byTarget.edges()));
        }
        return Optional.ofNullable(difference);
    }

    /**
     * Compares the shards with one another, with the partition book, and with their lists of vertices: the same
     * vertices with the same copies, and the degree of a vertex equals the number of its edges in the shard that owns
     * it.
     */
    @Override
    public Optional<String> firstDifference(ShardFolder folder) throws IOException {
        if (folder.shardCount() != edgesOf.length) {
            return Optional.of(
                    "the folder has %d shards, and %d were counted".formatted(folder.shardCount(), edgesOf.length));
        }
        if (difference == null) {
            difference = new FolderCheck(vertices, verticesOf, PartitioningKind.VERTEX)
                    .firstDifference(folder)
                    .orElse(null);
        }
        return firstDifference();
    }

    private void differ(String sentence) {
        if (difference == null) {
            difference = sentence;
        }
    }
}
