package io.cutwater.state.quality;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Quality of a vertex partitioning; definitions and names as in the README's table of metrics. Vertices without an edge
 * count for nothing. The balances and the replication factor are at least 1.0, and 1.0 for an empty graph.
 *
 * @param partitions k
 * @param vertices vertices with at least one edge
 * @param edges duplicates and self-loops counted
 * @param cutEdges edges whose ends are on different partitions
 * @param perPartition one entry per partition, in order
 */
public record VertexQuality(
        int partitions, long vertices, long edges, long cutEdges, List<PartitionQuality> perPartition) {

    /**
     * What one partition owns.
     *
     * @param partition 0 to k − 1
     * @param owned vertices there
     * @param volume sum of their degrees; a self-loop counts twice
     * @param halo neighbours of theirs on other partitions, each counted once
     */
    public record PartitionQuality(int partition, long owned, long volume, long halo) {}

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
        return balance(PartitionQuality::owned);
    }

    /** Likewise of the volume. */
    public double volumeBalance() {
        return balance(PartitionQuality::volume);
    }

    /** Copies of a vertex where every owner holds all its vertices' neighbours: Σ |V_p ∪ N(V_p)| / |V|. */
    public double replicationFactorFullNeighbours() {
        return vertices == 0 ? 1.0 : (double) sum(partition -> partition.owned() + partition.halo()) / vertices;
    }

    private double balance(ToLongFunction<PartitionQuality> load) {
        long max = perPartition.stream().mapToLong(load).max().orElse(0);
        long total = sum(load);
        return total == 0 ? 1.0 : (double) max * partitions / total;
    }

    private long sum(ToLongFunction<PartitionQuality> load) {
        return perPartition.stream().mapToLong(load).sum();
    }
}
