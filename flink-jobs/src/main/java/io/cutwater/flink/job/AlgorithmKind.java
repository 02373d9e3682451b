package io.cutwater.flink.job;

import io.cutwater.state.algorithm.EdgePartitioners;
import io.cutwater.state.algorithm.VertexPartitioners;
import io.cutwater.state.partition.PartitioningKind;
import java.util.List;

/** Tells from the name of an algorithm whether edges or vertices are partitioned. */
public final class AlgorithmKind {
    private AlgorithmKind() {}

    /**
     * The kind of an algorithm.
     *
     * @param label {@code edge} or {@code vertex}; empty for the kind that has such an algorithm, edge if both have
     * @throws IllegalArgumentException with one sentence, if there is no such kind
     */
    public static PartitioningKind of(String algorithm, String label) {
        for (PartitioningKind kind : PartitioningKind.values()) {
            if (label.isEmpty() ? names(kind).contains(algorithm) : kind.label().equals(label)) {
                return kind;
            }
        }
        if (label.isEmpty()) {
            return PartitioningKind.EDGE; // which knows it as little as the other
        }
        throw new IllegalArgumentException("--kind must be edge or vertex: '%s'".formatted(label));
    }

    /** The algorithms of a kind, sorted. */
    public static List<String> names(PartitioningKind kind) {
        return kind == PartitioningKind.EDGE ? EdgePartitioners.names() : VertexPartitioners.names();
    }
}
