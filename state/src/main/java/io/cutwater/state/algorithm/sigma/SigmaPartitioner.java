package io.cutwater.state.algorithm.sigma;

import io.cutwater.state.algorithm.sigma.SigmaOptions.Clustering;
import io.cutwater.state.cluster.Preassignment;
import io.cutwater.state.partition.ChoiceSetting;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Settings;
import io.cutwater.state.rule.BulkRule;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.rule.GraphPartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;
import io.cutwater.state.table.VertexLayout;
import java.util.List;

/**
 * SIGMA for edges over a bounded input with clusters from the stream, or without any (with those of high modularity it
 * is {@link SigmaBulkPartitioner}): exact degrees, clusters settled on partitions, pre-assignment of the edges whose
 * ends' clusters are on the same partition ({@link Preassignment}), then {@link SigmaScore} with λ = 1 under the cap
 * σ(t) · ⌈(1 + imbalance) m / k⌉:
 *
 * <pre>
 *   σ(t) = σ₀ + (1 − σ₀) √t      t: share of the input that is read, the present edge included
 *   σ₀ = max(.9, fullest partition after the pre-assignment / cap)
 * </pre>
 *
 * Four passes; two with {@code clustering=none}, which pre-assigns nothing.
 */
public final class SigmaPartitioner implements EdgePartitioner {
    public static final NumericSetting LAMBDA = new NumericSetting("lambda", Settings.LAMBDA.description(), 1, 0, 1e6);

    public static final NumericSetting IMBALANCE = Settings.IMBALANCE.withDefault(0.1);

    /** The first clusters are the largest: one assigner sees them begin. */
    public static final NumericSetting SOLO = Settings.SOLO.withDefault(50_000);

    /** Clusters of high modularity need the whole graph. */
    public static final ChoiceSetting LIVE_CLUSTERING =
            new ChoiceSetting("clustering", "where clusters come from", List.of("edge-stream", "none"));

    public static final ChoiceSetting BULK_CLUSTERING =
            new ChoiceSetting("clustering", "where clusters come from", List.of("modularity", "edge-stream", "none"));

    private static final double LEAST_SIGMA = 0.9;

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

    /** @throws IllegalArgumentException if a setting is out of range */
    public static EdgePartitioner live(PartitionerOptions options) {
        return new SigmaLivePartitioner(SigmaOptions.of(options));
    }

    /** @throws IllegalArgumentException if a setting is out of range */
    public static BulkRule bulk(PartitionerOptions options) {
        SigmaOptions sigma = SigmaOptions.of(options);
        return sigma.clustering() == Clustering.MODULARITY
                ? (GraphPartitioner)
                        (graph, places) -> SigmaBulkPartitioner.place(graph, options.partitionCount(), sigma, places)
                : new SigmaPartitioner(options.partitionCount(), sigma);
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
    public void observe(int pass, VertexColumns vertices, int source, int target, PartitionLoads loads) {
        preassignment.observe(pass, vertices, source, target, loads, (long) cap());
    }

    private double cap() {
        return Math.ceil((1 + imbalance) * preassignment.edges() / partitionCount);
    }

    @Override
    public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
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
