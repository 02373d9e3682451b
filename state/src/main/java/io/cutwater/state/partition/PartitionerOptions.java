package io.cutwater.state.partition;

import io.cutwater.state.table.VertexLayout;
import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a partitioner.
 *
 * @param algorithm a name in the table of algorithms
 * @param partitionCount k, 1 to {@value io.cutwater.state.table.VertexLayout#MAX_PARTITIONS}
 * @param seed of every hash and every random choice
 * @param passMode one pass as edges come, or as many as the algorithm's paper has
 * @param settings the algorithm's own parameters by name, such as {@code lambda=1.1}; a name that it does not know is
 *     refused when its rule is made
 * @param training vertices that are trained on, which an algorithm that can spreads evenly; null for none
 */
public record PartitionerOptions(
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

    public PartitionerOptions(
            String algorithm, int partitionCount, long seed, PassMode passMode, Map<String, String> settings) {
        this(algorithm, partitionCount, seed, passMode, settings, null);
    }

    public PartitionerOptions(String algorithm, int partitionCount, long seed) {
        this(algorithm, partitionCount, seed, PassMode.LIVE, Map.of());
    }

    /** The same for another number of partitions. */
    public PartitionerOptions withPartitions(int partitions) {
        return new PartitionerOptions(algorithm, partitions, seed, passMode, settings, training);
    }

    /** The same with vertices that are trained on; null for none. */
    public PartitionerOptions withTraining(@Nullable TrainingVertices training) {
        return new PartitionerOptions(algorithm, partitionCount, seed, passMode, settings, training);
    }
}
