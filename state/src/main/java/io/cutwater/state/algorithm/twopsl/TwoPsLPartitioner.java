package io.cutwater.state.algorithm.twopsl;

import io.cutwater.state.cluster.Preassignment;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Settings;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;
import io.cutwater.state.table.VertexLayout;
import java.util.List;

/**
 * 2PS-L (Mayer, Orujzade, Jacobsen: Out-of-core edge partitioning at linear run-time, ICDE 2022): the edge stream is
 * clustered, clusters are settled on partitions, and an edge has two candidates only, the partitions of its ends'
 * clusters. Four passes: degrees, clusters of a volume up to 2m/k, pre-assignment ({@link Preassignment}), placing.
 *
 * <p>An edge (u, v) that is not pre-assigned goes to the candidate p with the larger
 *
 * <pre>
 *   g(u, p) + g(v, p) + s(u, p) + s(v, p)                     ties: the partition of the source's cluster
 *   g(x, p) = 2 − d(x) / (d(u) + d(v))                        if p holds x, else 0
 *   s(x, p) = vol(c(x)) / (vol(c(u)) + vol(c(v)))             if p is that of x's cluster, else 0
 * </pre>
 *
 * if it is below the cap (1 + imbalance) m / k; else by the hash of the end of higher degree (the source on ties); else
 * to the least loaded partition.
 */
public final class TwoPsLPartitioner implements EdgePartitioner {
    public static final NumericSetting IMBALANCE = Settings.IMBALANCE;

    private final long seed;
    private final int partitionCount;
    private final double imbalance;
    private final Preassignment preassignment;

    public TwoPsLPartitioner(PartitionerOptions options) {
        seed = options.seed();
        partitionCount = options.partitionCount();
        imbalance = IMBALANCE.of(options);
        preassignment = new Preassignment(partitionCount);
    }

    @Override
    public VertexLayout layout(int partitionCount) {
        return new VertexLayout(partitionCount, true).withClusters();
    }

    @Override
    public boolean needsFinalDegrees() {
        return true;
    }

    @Override
    public int preparationPasses() {
        return Preassignment.PASSES;
    }

    @Override
    public void observe(int pass, VertexColumns vertices, int source, int target, PartitionLoads loads) {
        preassignment.observe(pass, vertices, source, target, loads, cap());
    }

    /** At least m / k, rounded up, so that there is a place for every edge. */
    private long cap() {
        long edges = preassignment.edges();
        return Math.max((long) ((1 + imbalance) * edges / partitionCount), (edges - 1) / partitionCount + 1);
    }

    @Override
    public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
        int partition = preassignment.meet(vertices, source, target);
        if (partition == Preassignment.NONE) {
            partition = withRoom(better(vertices, source, target), vertices, source, target);
            preassignment.planned().addEdge(partition);
        }
        return partition;
    }

    private int better(VertexColumns vertices, int source, int target) {
        int ofSource = preassignment.partitionOf(vertices, source);
        int ofTarget = preassignment.partitionOf(vertices, target);
        double sourceDegree = vertices.finalDegree(source);
        double targetDegree = vertices.finalDegree(target);
        double sourceGain = 2 - sourceDegree / (sourceDegree + targetDegree);
        double targetGain = 2 - targetDegree / (sourceDegree + targetDegree);
        double sourceVolume = preassignment.volumeOf(vertices, source);
        double targetVolume = preassignment.volumeOf(vertices, target);
        double bySource = (vertices.hasReplica(source, ofSource) ? sourceGain : 0)
                + (vertices.hasReplica(target, ofSource) ? targetGain : 0)
                + sourceVolume / (sourceVolume + targetVolume);
        double byTarget = (vertices.hasReplica(source, ofTarget) ? sourceGain : 0)
                + (vertices.hasReplica(target, ofTarget) ? targetGain : 0)
                + targetVolume / (sourceVolume + targetVolume);
        return byTarget > bySource && ofSource != ofTarget ? ofTarget : ofSource;
    }

    private int withRoom(int wanted, VertexColumns vertices, int source, int target) {
        PartitionLoads planned = preassignment.planned();
        long cap = cap();
        if (planned.edges(wanted) < cap) {
            return wanted;
        }
        int higher = vertices.finalDegree(source) >= vertices.finalDegree(target) ? source : target;
        int hashed = Hashing.reduce(Hashing.mix64(seed, vertices.vertex(higher)), partitionCount);
        return planned.edges(hashed) < cap ? hashed : planned.leastLoaded();
    }

    @Override
    public boolean needsOneAssigner() {
        return true; // the clusters' volumes are one task's
    }

    @Override
    public List<byte[]> snapshot() {
        return preassignment.snapshot();
    }

    @Override
    public void restore(List<byte[]> snapshot) {
        preassignment.restore(snapshot);
    }
}
