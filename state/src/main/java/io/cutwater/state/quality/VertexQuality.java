package io.cutwater.state.quality;

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
