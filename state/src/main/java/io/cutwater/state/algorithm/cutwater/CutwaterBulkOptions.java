package io.cutwater.state.algorithm.cutwater;

import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Setting;
import io.cutwater.state.partition.Settings;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.table.VertexLayout;
import org.jspecify.annotations.Nullable;

/**
 * The options of a placement.
 *
 * @param partitionCount k, 1 to {@value io.cutwater.state.table.VertexLayout#MAX_PARTITIONS}
 * @param edgeSlack edges that a partition may have over the average, from 1 on: a cap that holds
 * @param vertexSlack replicas, and vertices at home, that a partition may have over the average, from 1 on: a cap on
 *     vertices at home, and from there on new replicas are shunned
 * @param grain how large a cluster may be, as a share of a partition: above 0, 1 at most
 * @param seed of every random choice
 * @param training vertices whose masters are spread over the partitions, the master of a vertex being where its first
 *     edge is; null for none
 */
public record CutwaterBulkOptions(
        int partitionCount,
        double edgeSlack,
        double vertexSlack,
        double grain,
        long seed,
        @Nullable TrainingVertices training) {
    static final NumericSetting VERTEX_IMBALANCE = new NumericSetting(
            "vertex-imbalance",
            "replicas above the average from which a partition is shunned, as a share",
            0.3,
            0,
            1e3);

    /** The settings of users. */
    public static final Setting[] SETTINGS = {Settings.IMBALANCE, VERTEX_IMBALANCE, Settings.GRAIN};

    private static final double EDGE_SLACK = 1.10;
    private static final double VERTEX_SLACK = 1.3;
    private static final double GRAIN = 0.03;

    /** @throws IllegalArgumentException if a setting is out of range */
    static CutwaterBulkOptions of(PartitionerOptions options) {
        return new CutwaterBulkOptions(
                options.partitionCount(),
                1 + Settings.IMBALANCE.of(options),
                1 + VERTEX_IMBALANCE.of(options),
                Settings.GRAIN.of(options),
                options.seed(),
                options.training());
    }

    public CutwaterBulkOptions {
        if (partitionCount < 1 || partitionCount > VertexLayout.MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    "partitions must be in [1, %d]: %d".formatted(VertexLayout.MAX_PARTITIONS, partitionCount));
        }
        if (!(edgeSlack >= 1 && vertexSlack >= 1)) {
            throw new IllegalArgumentException(
                    "edgeSlack and vertexSlack must be 1 or more: %s and %s".formatted(edgeSlack, vertexSlack));
        }
        if (!(grain > 0 && grain <= 1)) {
            throw new IllegalArgumentException("grain must be above 0 and 1 at most: " + grain);
        }
    }

    /** Creates options with the default slacks. */
    public CutwaterBulkOptions(int partitionCount, long seed) {
        this(partitionCount, EDGE_SLACK, seed);
    }

    /** Creates options with the default slack of vertices. */
    public CutwaterBulkOptions(int partitionCount, double edgeSlack, long seed) {
        this(partitionCount, edgeSlack, VERTEX_SLACK, GRAIN, seed, null);
    }

    /** Returns these options with training vertices; null for none. */
    public CutwaterBulkOptions withTraining(@Nullable TrainingVertices training) {
        return new CutwaterBulkOptions(partitionCount, edgeSlack, vertexSlack, grain, seed, training);
    }

    /** Edges that a partition may have: the average with the slack, but never less than the fullest must have. */
    public long maxEdges(long edges) {
        long least = (edges + partitionCount - 1) / partitionCount;
        return Math.max(least, (long) (edgeSlack * edges / partitionCount));
    }
}
