package io.cutwater.flink.job.topology;

import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitionerOptions;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The two topologies of a job. */
public enum Topology {
    /** Chosen by the parallelism: fused if one task is enough. */
    AUTO,
    /** One task places the edges and holds the vertex table. */
    FUSED,
    /** Vertex tables and assigners, each in the requested number of tasks. */
    DISTRIBUTED;

    /** @throws IllegalArgumentException if there is none of this name; the message is meant for users */
    public static Topology of(String name) {
        for (Topology topology : values()) {
            if (topology.toString().equals(name)) {
                return topology;
            }
        }
        throw new IllegalArgumentException("--topology must be auto, fused or distributed: '%s'".formatted(name));
    }

    /**
     * Returns the numbers of tasks.
     *
     * @param partitioner options of the algorithm
     * @param keyGroups of the job's state
     * @param parallelism tasks that hold vertices
     * @param assigners tasks that place edges
     * @return null for the fused topology
     * @throws IllegalArgumentException if the combination is not possible; the message names the option
     */
    public @Nullable SpreadOptions spread(
            PartitionerOptions partitioner, int keyGroups, int parallelism, int assigners) {
        SpreadOptions spread = new SpreadOptions(keyGroups, parallelism, assigners);
        boolean isOneTask = parallelism == 1 && assigners == 1;
        if (this == FUSED && !isOneTask) {
            throw new IllegalArgumentException(
                    "--topology fused uses one task, but --parallelism is %d and --assigners %d; omit --topology"
                            .formatted(parallelism, assigners));
        }
        if (this != DISTRIBUTED && isOneTask) {
            return null;
        }
        if (assigners > 1 && Algorithms.of(partitioner).needsOneAssigner(partitioner)) {
            throw new IllegalArgumentException(
                    ("--algorithm %s of kind %s decides in one task, but --assigners is %d; omit --assigners, or submit"
                                    + " a job of an edge algorithm that decides in several, such as hdrf")
                            .formatted(
                                    partitioner.algorithm(), partitioner.kind().label(), assigners));
        }
        return spread;
    }

    /** Returns the name that users write. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
