package io.cutwater.state.algorithm.sigma;

import io.cutwater.state.cluster.EdgeStreamClustering;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.rule.RunningCap;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;
import io.cutwater.state.table.VertexLayout;
import java.util.List;

/**
 * SIGMA for edges in one pass, when neither vertices nor edges are counted yet: clusters grow while edges come, up to a
 * volume of max(2 · placed / k, 300), degrees are those seen so far, and the cap is {@link RunningCap}, which holds at
 * every edge.
 *
 * <p>A cluster is settled where its first edge goes. An edge whose ends' clusters are settled on the same partition
 * goes there, if it is below the cap; any other by {@link SigmaScore}.
 *
 * <p>Several assigners share the clusters ({@link EdgeStreamClustering}), and each keeps the balance of its own edges.
 */
final class SigmaLivePartitioner implements EdgePartitioner {
    private static final int LEAST_VOLUME = 300;

    private final double imbalance;
    private final boolean hasClusters;
    private final long soloEdges;
    private final SigmaScore score;
    private final EdgeStreamClustering clusters = new EdgeStreamClustering();
    private int assigners = 1;

    public SigmaLivePartitioner(SigmaOptions options) {
        imbalance = options.imbalance();
        hasClusters = options.clustering() == SigmaOptions.Clustering.EDGE_STREAM;
        soloEdges = options.soloEdges();
        score = new SigmaScore(options.lambda());
    }

    @Override
    public VertexLayout layout(int partitionCount) {
        VertexLayout layout = new VertexLayout(partitionCount, false);
        return hasClusters ? layout.withClusters() : layout;
    }

    @Override
    public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
        double average = (double) loads.totalEdges() / loads.partitionCount();
        double cap = RunningCap.of(average, imbalance);
        if (!hasClusters) {
            return byScore(vertices, source, target, loads, cap);
        }
        clusters.observeLive(vertices, source, target, Math.max(2 * average * assigners, LEAST_VOLUME));
        int ofSource = clusters.ofSource();
        int ofTarget = clusters.ofTarget();
        int partition = openPartition(ofSource, loads);
        if (partition == EdgeStreamClustering.NOWHERE
                || partition != clusters.partition(ofTarget)
                || loads.edges(partition) + 1 > cap) {
            partition = byScore(vertices, source, target, loads, cap);
        }
        if (openPartition(ofSource, loads) == EdgeStreamClustering.NOWHERE) {
            clusters.settle(ofSource, partition);
        }
        if (openPartition(ofTarget, loads) == EdgeStreamClustering.NOWHERE) {
            clusters.settle(ofTarget, partition);
        }
        clusters.label(vertices, source, target);
        return partition;
    }

    /** Returns the partition of the cluster, if that is open. */
    private int openPartition(int cluster, PartitionLoads loads) {
        int partition = clusters.partition(cluster);
        return partition < loads.partitionCount() ? partition : EdgeStreamClustering.NOWHERE;
    }

    @Override
    public void recorded(VertexColumns vertices, int source, int target, int partition) {
        if (hasClusters) {
            clusters.count(vertices, source, 1);
            clusters.count(vertices, target, 1);
        }
    }

    @Override
    public void removed(VertexColumns vertices, int source, int target) {
        if (hasClusters) {
            clusters.count(vertices, source, -1);
            clusters.count(vertices, target, -1);
        }
    }

    @Override
    public long soloEdges() {
        return soloEdges;
    }

    @Override
    public boolean canChangePartitions() {
        return true;
    }

    private int byScore(VertexColumns vertices, int source, int target, PartitionLoads loads, double cap) {
        return score.best(
                vertices, source, target, vertices.degree(source), vertices.degree(target), loads, loads, cap);
    }

    @Override
    public boolean needsOneAssigner() {
        return !hasClusters; // nobody needs several without clusters, and its checkpoints are those of one
    }

    @Override
    public void share(int sharing) {
        assigners = sharing;
        clusters.share(sharing);
    }

    @Override
    public List<byte[]> snapshot() {
        return clusters.snapshot();
    }

    @Override
    public void restore(List<byte[]> snapshot) {
        clusters.restore(snapshot);
    }

    @Override
    public void restoreParts(List<byte[]> snapshots) {
        clusters.restoreParts(snapshots);
    }
}
