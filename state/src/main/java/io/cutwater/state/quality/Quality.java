package io.cutwater.state.quality;

import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.table.PartitionLoads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * Quality of an edge or a vertex partitioning, with the metrics of {@code deploy/docs/reference/quality.md}. A metric
 * that does not apply to the kind is absent. Balances and the replication factor are at least 1.0, and 1.0 for an empty
 * graph. Vertices without an edge do not count.
 *
 * @param partitions k
 * @param vertices distinct vertices with at least one edge
 * @param edges placed edges of the input, each counted once; duplicates and self-loops included
 * @param deadLetters malformed records of the input
 * @param perPartition one entry per partition, in order
 */
public record Quality(
        PartitioningKind kind,
        int partitions,
        long vertices,
        long edges,
        long deadLetters,
        List<PartitionQuality> perPartition) {

    public Quality {
        if (perPartition.size() != partitions) {
            throw new IllegalArgumentException(
                    "perPartition must have %d entries: %d".formatted(partitions, perPartition.size()));
        }
        perPartition = List.copyOf(perPartition);
    }

    /** Creates the quality of an edge partitioning. */
    public static Quality ofEdges(
            int partitions, long vertices, long edges, long deadLetters, List<PartitionQuality> perPartition) {
        return new Quality(PartitioningKind.EDGE, partitions, vertices, edges, deadLetters, perPartition);
    }

    /** Creates the quality of a vertex partitioning. */
    public static Quality ofVertices(
            int partitions, long vertices, long edges, long deadLetters, List<PartitionQuality> perPartition) {
        return new Quality(PartitioningKind.VERTEX, partitions, vertices, edges, deadLetters, perPartition);
    }

    /** Returns the quality of the edge partitioning that has these loads. */
    public static Quality of(PartitionLoads loads, long deadLetters) {
        int k = loads.partitionCount();
        List<PartitionQuality> perPartition = new ArrayList<>(k);
        for (int p = 0; p < k; p++) {
            perPartition.add(new PartitionQuality(p, loads.vertices(p), loads.edges(p)));
        }
        return ofEdges(k, loads.totalVertices(), loads.totalEdges(), deadLetters, perPartition);
    }

    /**
     * Counts the quality of a vertex partitioning, without dead letters.
     *
     * @param owners the partition of each vertex of the graph, 0 to partitionCount − 1
     */
    public static Quality of(BoundedGraph graph, int[] owners, int partitionCount) {
        return new OwnedCounts(partitionCount).add(graph, owners).quality(graph.edgeCount());
    }

    /** Returns this quality with another number of dead letters. */
    public Quality withDeadLetters(long deadLetters) {
        return new Quality(kind, partitions, vertices, edges, deadLetters, perPartition);
    }

    /**
     * Copies per vertex: replicas, Σ |V(E_p)| / |V|; in a vertex partitioning with full neighbours, Σ |V_p ∪ N(V_p)| /
     * |V|.
     */
    public double replicationFactor() {
        return vertices == 0 ? 1.0 : (double) copies() / vertices;
    }

    /** Σ |V(E_p)|; in a vertex partitioning Σ |V_p ∪ N(V_p)|. */
    public long copies() {
        return perPartition.stream().mapToLong(PartitionQuality::copies).sum();
    }

    /**
     * Vertices of the fullest partition over the average: replicas, max |V(E_p)| · k / Σ |V(E_p)|; in a vertex
     * partitioning owned vertices, max |V_p| · k / |V|.
     */
    public double vertexBalance() {
        return balance(PartitionQuality::vertices, isOfVertices() ? vertices : copies());
    }

    /** The load that a partitioner of this kind balances: edges, or in a vertex partitioning volume. */
    public double loadBalance() {
        // 2 |E| overflows where |E| does not.
        return isOfVertices()
                ? edges == 0 ? 1.0 : (double) max(PartitionQuality::volume) * partitions / (2.0 * edges)
                : balance(PartitionQuality::edges, edges);
    }

    /** Edges of the fullest partition over the average, max |E_p| · k / |E|; absent in a vertex partitioning. */
    public OptionalDouble edgeBalance() {
        return isOfVertices() ? OptionalDouble.empty() : OptionalDouble.of(loadBalance());
    }

    /** Volume of the largest partition over the average, max vol(V_p) · k / 2 |E|; absent in an edge partitioning. */
    public OptionalDouble volumeBalance() {
        return isOfVertices() ? OptionalDouble.of(loadBalance()) : OptionalDouble.empty();
    }

    /** Edges whose endpoints are on different partitions; absent in an edge partitioning, which cuts none. */
    public OptionalLong cutEdges() {
        return isOfVertices()
                ? OptionalLong.of(
                        perPartition.stream().mapToLong(PartitionQuality::edges).sum() - edges)
                : OptionalLong.empty();
    }

    /** Cut edges over all edges, 0 to 1, and 0 for an empty graph; absent in an edge partitioning. */
    public OptionalDouble edgeCutRatio() {
        OptionalLong cut = cutEdges();
        return cut.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(edges == 0 ? 0.0 : (double) cut.getAsLong() / edges);
    }

    /** Returns the ratios that apply, by their published names and in their published order. */
    public Map<String, Double> ratios() {
        Map<String, Double> ratios = new LinkedHashMap<>();
        if (isOfVertices()) {
            ratios.put("vertexBalance", vertexBalance());
            ratios.put("edgeCutRatio", edgeCutRatio().orElseThrow());
            ratios.put("volumeBalance", loadBalance());
            ratios.put("replicationFactorFullNeighbours", replicationFactor());
        } else {
            ratios.put("replicationFactor", replicationFactor());
            ratios.put("edgeBalance", loadBalance());
            ratios.put("vertexBalance", vertexBalance());
        }
        return Collections.unmodifiableMap(ratios);
    }

    /** Returns whether nothing is placed on this partition or a higher one. */
    public boolean isEmptyFrom(int partition) {
        ToLongFunction<PartitionQuality> load = isOfVertices() ? PartitionQuality::vertices : PartitionQuality::edges;
        return perPartition.stream().skip(partition).allMatch(p -> load.applyAsLong(p) == 0);
    }

    private boolean isOfVertices() {
        return kind.hasOwners();
    }

    private double balance(ToLongFunction<PartitionQuality> load, long total) {
        return total == 0 ? 1.0 : (double) max(load) * partitions / total;
    }

    private long max(ToLongFunction<PartitionQuality> load) {
        return perPartition.stream().mapToLong(load).max().orElse(0);
    }
}
