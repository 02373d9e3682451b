package io.cutwater.state.quality;

import io.cutwater.state.table.PartitionLoads;
import java.util.List;

/**
 * Quality of an edge partitioning; definitions and names as in the README's table of metrics. All ratios are at least
 * 1.0, and 1.0 for an empty graph.
 *
 * @param partitions k
 * @param vertices distinct vertices with at least one edge
 * @param edges placed edges, duplicates and self-loops counted
 * @param deadLetters records of the input that were no edges
 * @param perPartition one entry per partition, in order
 */
public record EdgeQuality(
        int partitions, long vertices, long edges, long deadLetters, List<PartitionQuality> perPartition)
        implements Quality {

    /**
     * @param partition 0 to k − 1
     * @param vertices vertices with a replica there
     * @param edges edges placed there
     */
    public record PartitionQuality(int partition, long vertices, long edges) {}

    public EdgeQuality {
        if (perPartition.size() != partitions) {
            throw new IllegalArgumentException(
                    "perPartition must have %d entries: %d".formatted(partitions, perPartition.size()));
        }
        perPartition = List.copyOf(perPartition);
    }

    public static EdgeQuality of(PartitionLoads loads, long deadLetters) {
        PartitionQuality[] perPartition = new PartitionQuality[loads.partitionCount()];
        for (int p = 0; p < perPartition.length; p++) {
            perPartition[p] = new PartitionQuality(p, loads.vertices(p), loads.edges(p));
        }
        return new EdgeQuality(
                perPartition.length, loads.totalVertices(), loads.totalEdges(), deadLetters, List.of(perPartition));
    }

    @Override
    public EdgeQuality withDeadLetters(long deadLetters) {
        return new EdgeQuality(partitions, vertices, edges, deadLetters, perPartition);
    }

    /** Replicas per vertex: Σ |V(E_p)| / |V|. */
    public double replicationFactor() {
        return vertices == 0 ? 1.0 : (double) replicas() / vertices;
    }

    /** Edges of the fullest partition over the average: max |E_p| · k / |E|. */
    public double edgeBalance() {
        long max =
                perPartition.stream().mapToLong(PartitionQuality::edges).max().orElse(0);
        return edges == 0 ? 1.0 : (double) max * partitions / edges;
    }

    /** Replicas of the fullest partition over the average: max |V(E_p)| · k / Σ |V(E_p)|. */
    public double vertexBalance() {
        long max = perPartition.stream()
                .mapToLong(PartitionQuality::vertices)
                .max()
                .orElse(0);
        long replicas = replicas();
        return replicas == 0 ? 1.0 : (double) max * partitions / replicas;
    }

    /** Σ |V(E_p)|. */
    public long replicas() {
        return perPartition.stream().mapToLong(PartitionQuality::vertices).sum();
    }
}
