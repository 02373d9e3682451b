package io.cutwater.state.algorithm;

import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.rule.EdgePartitioner;

/**
 * An edge partitioner of a jar on the class path. The jar names the class, which needs a public constructor without
 * parameters, in {@code META-INF/services/io.cutwater.state.algorithm.EdgePartitionerProvider}.
 */
public interface EdgePartitionerProvider extends PartitionerProvider {
    /** Whether it can place edges in one pass, for ever; if not, it needs an input that ends. */
    default boolean runsLive() {
        return true;
    }

    /**
     * A new partitioner, with tables of nobody yet. The job makes one in each task that places edges, and others to
     * check the options, so making one must be cheap; what grows with the graph is for the first edge.
     *
     * @param options its name, k, the seed and its settings, all of which are in {@link #settings}
     * @throws IllegalArgumentException with a sentence, if a setting is out of range
     */
    EdgePartitioner create(PartitionerOptions options);
}
