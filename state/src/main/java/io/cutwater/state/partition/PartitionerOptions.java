package io.cutwater.state.partition;

import io.cutwater.state.PublicApi;
import io.cutwater.state.table.VertexLayout;
import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a partitioner.
 *
 * @param kind whether edges or vertices are partitioned
 * @param algorithm a name in the table of algorithms, among those of the kind
 * @param partitionCount k, 1 to {@value io.cutwater.state.table.VertexLayout#MAX_PARTITIONS}
 * @param seed of every hash and every random choice
 * @param passMode one pass as edges come, or as many as the algorithm's paper has
 * @param settings the algorithm's own parameters by name, such as {@code lambda=1.1}; a name that it does not know is
 *     refused when its rule is made
 * @param training vertices that are trained on, which an algorithm that can spreads evenly; null for none
 */
@PublicApi
public record PartitionerOptions(
        PartitioningKind kind,
        String algorithm,
        int partitionCount,
        long seed,
        PassMode passMode,
        Map<String, String> settings,
        @Nullable TrainingVertices training)
        implements Serializable {
    public PartitionerOptions {
        if (partitionCount < 1 || partitionCount > VertexLayout.MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    "partitions must be in [1, %d]: %d".formatted(VertexLayout.MAX_PARTITIONS, partitionCount));
        }
        settings = Map.copyOf(settings);
    }

    /** Creates options without training vertices. */
    public PartitionerOptions(
            PartitioningKind kind,
            String algorithm,
            int partitionCount,
            long seed,
            PassMode passMode,
            Map<String, String> settings) {
        this(kind, algorithm, partitionCount, seed, passMode, settings, null);
    }

    /** Creates options of a live edge partitioning with default settings. */
    public static PartitionerOptions ofEdges(String algorithm, int partitionCount, long seed) {
        return ofEdges(algorithm, partitionCount, seed, PassMode.LIVE, Map.of());
    }

    /** Creates options of an edge partitioning. */
    public static PartitionerOptions ofEdges(
            String algorithm, int partitionCount, long seed, PassMode passMode, Map<String, String> settings) {
        return new PartitionerOptions(PartitioningKind.EDGE, algorithm, partitionCount, seed, passMode, settings);
    }

    /** Creates options of a vertex partitioning. */
    public static PartitionerOptions ofVertices(
            String algorithm, int partitionCount, long seed, PassMode passMode, Map<String, String> settings) {
        return new PartitionerOptions(PartitioningKind.VERTEX, algorithm, partitionCount, seed, passMode, settings);
    }

    /** Returns these options with another number of partitions. */
    public PartitionerOptions withPartitions(int partitions) {
        return new PartitionerOptions(kind, algorithm, partitions, seed, passMode, settings, training);
    }

    /** Returns these options with training vertices; null for none. */
    public PartitionerOptions withTraining(@Nullable TrainingVertices training) {
        return new PartitionerOptions(kind, algorithm, partitionCount, seed, passMode, settings, training);
    }
}
