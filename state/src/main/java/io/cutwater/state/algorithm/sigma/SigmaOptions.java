package io.cutwater.state.algorithm.sigma;

import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Setting;
import java.util.Locale;

/**
 * The settings of SIGMA for edges.
 *
 * @param lambda weight of the balance in the score
 * @param imbalance edges that a partition may have over the average, as a share of it
 * @param clustering where clusters come from
 */
public record SigmaOptions(double lambda, double imbalance, Clustering clustering) {
    /** The settings of users. */
    public static final Setting[] SETTINGS = {
        SigmaPartitioner.LAMBDA, SigmaPartitioner.IMBALANCE, SigmaPartitioner.CLUSTERING
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
        String clustering =
                SigmaPartitioner.CLUSTERING.of(options).toUpperCase(Locale.ROOT).replace('-', '_');
        return new SigmaOptions(
                SigmaPartitioner.LAMBDA.of(options),
                SigmaPartitioner.IMBALANCE.of(options),
                Clustering.valueOf(clustering));
    }
}
