package io.cutwater.format.audit;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the quality of a vertex partitioning from the owners of vertices and the edges: for the results of other
 * tools such as METIS. It holds every vertex with one bit per partition in memory, about 40 bytes each for up to 64
 * partitions.
 */
public final class VertexAssignmentAudit {
    private final int[] owners;
    private final ReplicaMap vertices;
    private final long[] verticesOf;
    private final long[] haloOf;
    private final long[] volumeOf;
    private final long[] edgesOf;
    private long edges;

    /**
     * @param owners the partition of each vertex 0, 1, 2, …, from 0 to k − 1
     * @param partitionCount k
     */
    public VertexAssignmentAudit(int[] owners, int partitionCount) {
        this.owners = owners.clone();
        vertices = new ReplicaMap(partitionCount);
        verticesOf = new long[partitionCount];
        haloOf = new long[partitionCount];
        volumeOf = new long[partitionCount];
        edgesOf = new long[partitionCount];
    }

    /** @throws IllegalArgumentException if an endpoint of an edge has no owner; the message is meant for users */
    public void add(EdgeBatch batch) {
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        for (int i = 0; i < batch.size(); i++) {
            add(sources[i], targets[i]);
        }
    }

    private void add(long source, long target) {
        int ofSource = owner(source);
        int ofTarget = owner(target);
        edges++;
        edgesOf[ofSource]++;
        edgesOf[ofTarget] += ofTarget == ofSource ? 0 : 1;
        addEnd(source, ofSource, ofTarget);
        addEnd(target, ofTarget, ofSource); // a self-loop counts twice in the volume
    }

    private void addEnd(long vertex, int owner, int ofNeighbour) {
        volumeOf[owner]++;
        int row = vertices.findOrAdd(vertex);
        if (vertices.addReplica(row, owner)) {
            verticesOf[owner]++;
        }
        if (vertices.addReplica(row, ofNeighbour)) {
            haloOf[ofNeighbour]++;
        }
    }

    private int owner(long vertex) {
        if (vertex < 0 || vertex >= owners.length) {
            throw new IllegalArgumentException(
                    "vertex %d has an edge and no line: the assignment has the vertices 0 to %d, line by line"
                            .formatted(vertex, owners.length - 1));
        }
        return owners[(int) vertex];
    }

    /** Returns the quality of all added edges. */
    public Quality report(long deadLetters) {
        List<PartitionQuality> perPartition = new ArrayList<>(verticesOf.length);
        for (int p = 0; p < verticesOf.length; p++) {
            perPartition.add(new PartitionQuality(p, verticesOf[p], volumeOf[p], haloOf[p], edgesOf[p]));
        }
        return Quality.ofVertices(verticesOf.length, vertices.size(), edges, deadLetters, perPartition);
    }
}
