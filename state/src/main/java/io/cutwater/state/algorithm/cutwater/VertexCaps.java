package io.cutwater.state.algorithm.cutwater;

import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;

/**
 * Caps of a partition by the slacks of {@code cutwater}, never below what the fullest partition must hold.
 *
 * @param vertices that it owns
 * @param volume sum of their degrees
 */
public record VertexCaps(long vertices, long volume) {
    /** @param options of any vertex algorithm: the slacks count if they have them */
    public static VertexCaps of(PartitionerOptions options, GraphSize size) {
        int k = options.partitionCount();
        return new VertexCaps(
                cap(CutwaterVertexPartitioner.VERTEX_SLACK.of(options), size.slots(), k),
                cap(CutwaterVertexPartitioner.VOLUME_SLACK.of(options), 2 * size.edges(), k));
    }

    private static long cap(double slack, long total, int partitionCount) {
        long least = (total + partitionCount - 1) / partitionCount;
        return Math.max(least, (long) (slack * total / partitionCount));
    }
}
