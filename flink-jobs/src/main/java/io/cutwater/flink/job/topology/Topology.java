package io.cutwater.flink.job.topology;

import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitionerOptions;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which of the two topologies a job has. */
public enum Topology {
    /** What the parallelism asks for: fused if one task is enough. */
    AUTO,
    /** One task that decides and holds the vertex table. */
    FUSED,
    /** Vertex tables and assigners, each in as many tasks as are asked for. */
    DISTRIBUTED;

    /** @throws IllegalArgumentException with one sentence if there is none of this name */
    public static Topology of(String name) {
        for (Topology topology : values()) {
            if (topology.toString().equals(name)) {
                return topology;
            }
        }
        throw new IllegalArgumentException("--topology must be auto, fused or distributed: '%s'".formatted(name));
    }

    /**
     * How the work is spread out.
     *
     * @param partitioner what decides
     * @param keyGroups of the job's state
     * @param parallelism tasks that hold vertices
     * @param assigners tasks that decide
     * @return null for the fused path
     * @throws IllegalArgumentException with one sentence that names the option
     */
    public @Nullable SpreadOptions spread(
            PartitionerOptions partitioner, int keyGroups, int parallelism, int assigners) {
        SpreadOptions spread = new SpreadOptions(keyGroups, parallelism, assigners);
        boolean isOneTask = parallelism == 1 && assigners == 1;
        if (this == FUSED && !isOneTask) {
            throw new IllegalArgumentException(
                    "--topology fused decides in one task, where --parallelism is %d and --assigners %d; leave --topology out"
                            .formatted(parallelism, assigners));
        }
        if (this != DISTRIBUTED && isOneTask) {
            return null;
        }
        if (partitioner.kind().hasOwners()) {
            throw new IllegalArgumentException(
                    "vertices are partitioned in one task; leave --parallelism, --assigners and --topology out, or choose"
                            + " an edge algorithm, such as hdrf, with --kind edge");
        }
        if (Algorithms.edgePartitioner(partitioner).isFusedOnly()) {
            throw new IllegalArgumentException(
                    ("--algorithm %s decides in one task; leave --parallelism, --assigners and --topology out, or choose"
                                    + " another algorithm, such as hdrf")
                            .formatted(partitioner.algorithm()));
        }
        return spread;
    }

    /** As users write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
