package io.cutwater.state.algorithm.dbh;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;

/**
 * Places an edge by the hash of its end of lower degree, so that it is the hubs that are cut; ties go to the smaller id
 * (Xie et al.: Distributed power-law graph computing: theoretical and empirical analysis, NIPS 2014).
 *
 * <p>In {@link PassMode#BULK} degrees are those of the whole input, as in the paper, and the order of the edges does
 * not matter. In {@link PassMode#LIVE} they are those seen so far, the present edge included.
 */
public final class DbhPartitioner implements EdgePartitioner {
    private final long seed;
    private final boolean hasFinalDegrees;

    public DbhPartitioner(PartitionerOptions options) {
        seed = options.seed();
        hasFinalDegrees = options.passMode() == PassMode.BULK;
    }

    @Override
    public boolean needsFinalDegrees() {
        return hasFinalDegrees;
    }

    @Override
    public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
        long sourceDegree = hasFinalDegrees ? vertices.finalDegree(source) : vertices.degree(source);
        long targetDegree = hasFinalDegrees ? vertices.finalDegree(target) : vertices.degree(target);
        long sourceVertex = vertices.vertex(source);
        long targetVertex = vertices.vertex(target);
        boolean bySource = sourceDegree == targetDegree ? sourceVertex <= targetVertex : sourceDegree < targetDegree;
        return Hashing.reduce(Hashing.mix64(seed, bySource ? sourceVertex : targetVertex), loads.partitionCount());
    }
}
