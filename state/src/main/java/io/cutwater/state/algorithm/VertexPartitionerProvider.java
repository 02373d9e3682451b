package io.cutwater.state.algorithm;

import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.rule.VertexPartitioner;

/**
 * A vertex partitioner of a jar on the class path. The jar names the class, which needs a public constructor without
 * parameters, in {@code META-INF/services/io.cutwater.state.algorithm.VertexPartitionerProvider}.
 */
public interface VertexPartitionerProvider extends PartitionerProvider {
    /** Whether it must know the {@link GraphSize}: {@link #create} is not asked without it then. */
    default boolean needsSize() {
        return true;
    }

    /**
     * A new partitioner.
     *
     * @param options its name, k, the seed and its settings, all of which are in {@link #settings}
     * @param size of the input; {@link GraphSize#UNKNOWN} only if it need not know it
     * @throws IllegalArgumentException with a sentence, if a setting is out of range
     */
    VertexPartitioner create(PartitionerOptions options, GraphSize size);
}
