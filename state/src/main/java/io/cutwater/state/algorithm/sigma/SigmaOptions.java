package io.cutwater.state.algorithm.sigma;

import io.cutwater.state.partition.ChoiceSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.Setting;
import java.util.Locale;

/**
 * The settings of SIGMA for edges.
 *
 * @param lambda weight of the balance in the score
 * @param imbalance edges that a partition may have over the average, as a share of it
 * @param clustering where clusters come from
 * @param soloEdges edges that one of several assigners places alone; 0 in bulk
 */
public record SigmaOptions(double lambda, double imbalance, Clustering clustering, long soloEdges) {
    /** The settings of users while edges come. */
    public static final Setting[] LIVE_SETTINGS = {
        SigmaPartitioner.LAMBDA, SigmaPartitioner.IMBALANCE, SigmaPartitioner.LIVE_CLUSTERING, SigmaPartitioner.SOLO
    };

    /** The settings of users in bulk. */
    public static final Setting[] BULK_SETTINGS = {
        SigmaPartitioner.LAMBDA, SigmaPartitioner.IMBALANCE, SigmaPartitioner.BULK_CLUSTERING
    };

    /** The source of the clusters. */
    public enum Clustering {
        /** From the stream of edges. */
        EDGE_STREAM,
        /** There are none. */
        NONE,
        /** From passes over the vertices of the whole graph. */
        MODULARITY
    }

    /** @throws IllegalArgumentException if a setting is out of range */
    public static SigmaOptions of(PartitionerOptions options) {
        ChoiceSetting clustering = options.passMode() == PassMode.BULK
                ? SigmaPartitioner.BULK_CLUSTERING
                : SigmaPartitioner.LIVE_CLUSTERING;
        return new SigmaOptions(
                SigmaPartitioner.LAMBDA.of(options),
                SigmaPartitioner.IMBALANCE.of(options),
                Clustering.valueOf(
                        clustering.of(options).toUpperCase(Locale.ROOT).replace('-', '_')),
                options.passMode() == PassMode.BULK ? 0 : SigmaPartitioner.SOLO.wholeOf(options));
    }
}
