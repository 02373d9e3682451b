package io.cutwater.state.quality;

import io.cutwater.state.graph.AdjacencyGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Quality of a vertex partitioning; definitions and names as in the README's table of metrics. Of an empty graph the
 * edge-cut ratio is 0 and every other ratio 1.
 *
 * @param partitions k
 * @param vertices distinct vertices with at least one edge; no other counts anywhere
 * @param edges duplicates and self-loops counted
 * @param cutEdges edges whose ends have different owners
 * @param deadLetters records of the input that were no edges
 * @param perPartition one entry per partition, in order
 */
public record VertexQuality(
        int partitions, long vertices, long edges, long cutEdges, long deadLetters, List<OwnedPartition> perPartition) {

    /**
     * What one partition owns.
     *
     * @param partition 0 to k − 1
     * @param vertices that it owns
     * @param haloVertices of others with a neighbour here
     * @param volume sum of the degrees of its vertices; a self-loop counts twice
     * @param edges with at least one end here
     */
    public record OwnedPartition(int partition, long vertices, long haloVertices, long volume, long edges) {}

    public VertexQuality {
        if (perPartition.size() != partitions) {
            throw new IllegalArgumentException(
                    "perPartition must have %d entries: %d".formatted(partitions, perPartition.size()));
        }
        perPartition = List.copyOf(perPartition);
    }

    /**
     * Counts.
     *
     * @param owners the partition of each vertex of the graph, 0 to k − 1
     */
    public static VertexQuality of(AdjacencyGraph graph, int[] owners, int partitionCount) {
        long[] owned = new long[partitionCount];
        long[] volume = new long[partitionCount];
        long[] halo = new long[partitionCount];
        long[] cutEnds = new long[partitionCount];
        int[] lastVertexOn = new int[partitionCount];
        Arrays.fill(lastVertexOn, -1);
        int[] neighbours = graph.neighbours();
        long vertices = 0;
        for (int v = 0; v < graph.vertexCount(); v++) {
            if (graph.degree(v) > 0) {
                int own = owners[v];
                vertices++;
                owned[own]++;
                volume[own] += graph.degree(v);
                for (int i = graph.offset(v); i < graph.offset(v + 1); i++) {
                    int other = owners[neighbours[i]];
                    if (other != own) {
                        cutEnds[own]++;
                        halo[other] += lastVertexOn[other] == v ? 0 : 1;
                        lastVertexOn[other] = v;
                    }
                }
            }
        }
        List<OwnedPartition> perPartition = new ArrayList<>(partitionCount);
        for (int p = 0; p < partitionCount; p++) {
            long edges = (volume[p] - cutEnds[p]) / 2 + cutEnds[p];
            perPartition.add(new OwnedPartition(p, owned[p], halo[p], volume[p], edges));
        }
        long cutEdges = Arrays.stream(cutEnds).sum() / 2;
        return new VertexQuality(partitionCount, vertices, graph.edgeCount(), cutEdges, 0, perPartition);
    }

    /** Share of the edges whose ends have different owners, 0 to 1. */
    public double edgeCutRatio() {
        return edges == 0 ? 0 : (double) cutEdges / edges;
    }

    /** Vertices of the fullest partition over the average: max |V_p| · k / |V|. */
    public double vertexBalance() {
        return balance(OwnedPartition::vertices);
    }

    /** Likewise of the volume. */
    public double volumeBalance() {
        return balance(OwnedPartition::volume);
    }

    /** Copies of a vertex where every owner holds all its vertices' neighbours: Σ |V_p ∪ N(V_p)| / |V|. */
    public double replicationFactorFullNeighbours() {
        return vertices == 0
                ? 1.0
                : (double) sum(partition -> partition.vertices() + partition.haloVertices()) / vertices;
    }

    private double balance(ToLongFunction<OwnedPartition> load) {
        long max = perPartition.stream().mapToLong(load).max().orElse(0);
        long total = sum(load);
        return total == 0 ? 1.0 : (double) max * partitions / total;
    }

    private long sum(ToLongFunction<OwnedPartition> load) {
        return perPartition.stream().mapToLong(load).sum();
    }
}
