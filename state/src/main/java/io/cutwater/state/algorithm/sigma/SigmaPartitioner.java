package io.cutwater.state.algorithm.sigma;

import io.cutwater.state.algorithm.sigma.SigmaOptions.Clustering;
import io.cutwater.state.cluster.Preassignment;
import io.cutwater.state.partition.ChoiceSetting;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.List;

/**
 * SIGMA for edges over a bounded input: exact degrees, clusters settled on partitions, pre-assignment of the edges
 * whose ends' clusters are on the same partition ({@link Preassignment}), then {@link SigmaScore} with λ = 1 under the
 * cap σ(t) · ⌈(1 + imbalance) m / k⌉:
 *
 * <pre>
 *   σ(t) = σ₀ + (1 − σ₀) √t      t: share of the input that is read, the present edge included
 *   σ₀ = max(.9, fullest partition after the pre-assignment / cap)
 * </pre>
 *
 * Four passes; two with {@code clustering=none}, which pre-assigns nothing.
 */
public final class SigmaPartitioner implements EdgePartitioner {
    public static final NumericSetting LAMBDA = new NumericSetting("lambda", 1, 0, 1e6);

    public static final NumericSetting IMBALANCE = new NumericSetting("imbalance", .1, 0, 1e3);

    public static final ChoiceSetting CLUSTERING =
            new ChoiceSetting("clustering", List.of("edge-stream", "none", "modularity"));

    private static final double LEAST_SIGMA = .9;

    private final int partitionCount;
    private final double imbalance;
    private final boolean hasClusters;
    private final SigmaScore score;
    private final Preassignment preassignment;

    private SigmaPartitioner(int partitionCount, SigmaOptions options) {
        this.partitionCount = partitionCount;
        imbalance = options.imbalance();
        hasClusters = options.clustering() == Clustering.EDGE_STREAM;
        score = new SigmaScore(options.lambda());
        preassignment = new Preassignment(partitionCount);
    }

    public static EdgePartitioner of(PartitionerOptions options) {
        SigmaOptions sigma = SigmaOptions.of(options);
        if (sigma.clustering() == Clustering.MODULARITY) {
            throw new IllegalArgumentException(
                    "sigma-edge with clustering=modularity reads the vertices of a whole graph: that is a bulk run, not a stream of edges; choose --passes bulk, or another clustering");
        }
        return options.passMode() == PassMode.BULK
                ? new SigmaPartitioner(options.partitionCount(), sigma)
                : new SigmaLivePartitioner(sigma);
    }

    @Override
    public VertexLayout layout(int partitionCount) {
        VertexLayout layout = new VertexLayout(partitionCount, true);
        return hasClusters ? layout.withClusters() : layout;
    }

    @Override
    public boolean needsFinalDegrees() {
        return true;
    }

    @Override
    public int preparationPasses() {
        return hasClusters ? Preassignment.PASSES : 1;
    }

    @Override
    public void observe(int pass, VertexTable vertices, int source, int target, PartitionLoads loads) {
        preassignment.observe(pass, vertices, source, target, loads, (long) cap());
    }

    private double cap() {
        return Math.ceil((1 + imbalance) * preassignment.edges() / partitionCount);
    }

    @Override
    public int place(VertexTable vertices, int source, int target, PartitionLoads loads) {
        int partition = preassignment.meet(vertices, source, target);
        if (partition != Preassignment.NONE) {
            return partition;
        }
        double cap = cap();
        double least = Math.max(LEAST_SIGMA, preassignment.maxPreassigned() / cap);
        double read = (double) (loads.totalEdges() + 1) / preassignment.edges();
        double sigma = least + (1 - least) * Math.sqrt(read);
        PartitionLoads planned = preassignment.planned();
        partition = score.best(
                vertices,
                source,
                target,
                vertices.finalDegree(source),
                vertices.finalDegree(target),
                planned,
                loads,
                sigma * cap);
        planned.addEdge(partition);
        return partition;
    }

    @Override
    public boolean isFusedOnly() {
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
