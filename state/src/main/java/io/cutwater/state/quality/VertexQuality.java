package io.cutwater.state.quality;

import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.VertexPass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Quality of a vertex partitioning; definitions and names as in the README's table of metrics. Vertices without an edge
 * count for nothing. The balances and the replication factor are at least 1.0, and 1.0 for an empty graph.
 *
 * @param partitions k
 * @param vertices vertices with at least one edge
 * @param edges of the input, each once; duplicates and self-loops counted
 * @param deadLetters records of the input that were no edges
 * @param perPartition one entry per partition, in order
 */
public record VertexQuality(
        int partitions, long vertices, long edges, long deadLetters, List<PartitionQuality> perPartition)
        implements Quality {

    /**
     * @param partition 0 to k − 1
     * @param owned vertices there
     * @param volume sum of their degrees
     * @param halo neighbours of theirs on other partitions, each counted once
     * @param edges with an end there: those of the partition's shard; a cut edge counts on both its partitions
     */
    public record PartitionQuality(int partition, long owned, long volume, long halo, long edges) {}

    public VertexQuality {
        if (perPartition.size() != partitions) {
            throw new IllegalArgumentException(
                    "perPartition must have %d entries: %d".formatted(partitions, perPartition.size()));
        }
        perPartition = List.copyOf(perPartition);
    }

    /**
     * Counts; there are no dead letters.
     *
     * @param partitions the partition of each vertex of the graph, 0 to k − 1
     */
    public static VertexQuality of(BoundedGraph graph, int[] partitions, int partitionCount) {
        long[] owned = new long[partitionCount];
        long[] volume = new long[partitionCount];
        long[] halo = new long[partitionCount];
        int[] lastVertexOn = new int[partitionCount];
        Arrays.fill(lastVertexOn, -1);
        long counted = 0;
        long[] cutEnds = new long[partitionCount];
        try (VertexPass vertices = graph.vertices()) {
            while (vertices.next()) {
                int v = vertices.vertex();
                int degree = vertices.to() - vertices.from();
                if (degree > 0) {
                    int own = partitions[v];
                    counted++;
                    owned[own]++;
                    volume[own] += degree;
                    for (int i = vertices.from(); i < vertices.to(); i++) {
                        int other = partitions[vertices.neighbours()[i]];
                        if (other != own) {
                            cutEnds[own]++;
                            halo[other] += lastVertexOn[other] == v ? 0 : 1;
                            lastVertexOn[other] = v;
                        }
                    }
                }
            }
        }
        List<PartitionQuality> perPartition = new ArrayList<>(partitionCount);
        for (int p = 0; p < partitionCount; p++) {
            long innerEdges = (volume[p] - cutEnds[p]) / 2;
            perPartition.add(new PartitionQuality(p, owned[p], volume[p], halo[p], innerEdges + cutEnds[p]));
        }
        return new VertexQuality(partitionCount, counted, graph.edgeCount(), 0, perPartition);
    }

    @Override
    public VertexQuality withDeadLetters(long deadLetters) {
        return new VertexQuality(partitions, vertices, edges, deadLetters, perPartition);
    }

    /** Edges whose ends are on different partitions. */
    public long cutEdges() {
        return perPartition.stream().mapToLong(PartitionQuality::edges).sum() - edges;
    }

    /** Cut edges over all edges: 0 to 1; 0 for an empty graph. */
    public double edgeCutRatio() {
        return edges == 0 ? 0.0 : (double) cutEdges() / edges;
    }

    /** Vertices of the fullest partition over the average: max |V_p| · k / |V|. */
    public double vertexBalance() {
        long max =
                perPartition.stream().mapToLong(PartitionQuality::owned).max().orElse(0);
        return vertices == 0 ? 1.0 : (double) max * partitions / vertices;
    }

    /** Volume of the partition with the largest over the average: max vol(V_p) · k / 2 |E|. */
    public double volumeBalance() {
        long max =
                perPartition.stream().mapToLong(PartitionQuality::volume).max().orElse(0);
        return edges == 0 ? 1.0 : (double) max * partitions / (2.0 * edges);
    }

    /** Copies per vertex if each partition has all neighbours of its vertices: Σ |V_p ∪ N(V_p)| / |V|. */
    public double replicationFactorFullNeighbours() {
        return vertices == 0 ? 1.0 : (double) copies() / vertices;
    }

    /** Σ |V_p ∪ N(V_p)|. */
    public long copies() {
        return perPartition.stream().mapToLong(p -> p.owned() + p.halo()).sum();
    }
}
