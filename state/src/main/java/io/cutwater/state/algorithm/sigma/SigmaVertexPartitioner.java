package io.cutwater.state.algorithm.sigma;

import io.cutwater.state.cluster.LargestFirst;
import io.cutwater.state.cluster.ModularityClustering;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Settings;
import io.cutwater.state.rule.NeighbourCounts;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;
import java.util.Arrays;

/**
 * SIGMA for vertices. Clusters of high modularity, each as large as a partition at most, go to partitions by size. A
 * first pass places a vertex on its cluster's partition if that is where all of its neighbours are that have a place,
 * and the caps hold. A second pass places the others on the p with the largest
 *
 * <pre>
 *   e(v, p) / d(v) − ρ_p ^ (γ − 1.1) − τ · R(v, p) / (d(v) + k)
 * </pre>
 *
 * of those within {@code σ(t) · ⌈1.03 · n / k⌉} vertices and {@code σ(t) · ⌈1.10 · (2 m + n) / k⌉} volume, a vertex
 * counting for d + 1. If there is none, the p whose larger relative load is smallest with the vertex gets it: the caps
 * are not always held. If training vertices are to be spread, one goes only where there is room for it.
 *
 * <p>e(v, p) are the edges to vertices on p and ρ_p is the larger of p's two loads over their caps. R(v, p) are the
 * copies that v on p would make: neighbours with a place that have no copy on p, and other partitions of neighbours on
 * which v has no copy. A vertex has a copy where it is and where a neighbour is. σ(t) = σ_min + (1 − σ_min) · √t for
 * the share t of the second pass; σ_min is the largest relative load after the first pass, but at least 0.9.
 */
public final class SigmaVertexPartitioner implements VertexPartitioner {
    public static final NumericSetting GAMMA = new NumericSetting("gamma", Settings.GAMMA.description(), 2.5, 1.1, 10);
    public static final NumericSetting TAU =
            new NumericSetting("tau", "weight of the copies that a place would make", 0.5, 0, 1e6);

    private static final double VERTEX_SLACK = 1.03;
    private static final double VOLUME_SLACK = 1.10;
    private static final double LEAST_SIGMA = 0.9;

    private enum Stage {
        CLUSTER,
        PLACE_WITH_CLUSTER,
        PLACE_OTHERS
    }

    private final double gamma;
    private final double tau;
    private final double vertexCount;
    private final double maxVertices;
    private final double maxVolume;
    private final ModularityClustering clustering;
    private final NeighbourCounts counts;
    private final VertexCopies copies;
    private final int[] copiesOn;
    private int[] clusters = {};
    private int[] plan = {};
    private Stage stage = Stage.CLUSTER;
    private double leastSigma;
    private long seen;

    public SigmaVertexPartitioner(PartitionerOptions options, GraphSize size) {
        int n = size.slots();
        int k = options.partitionCount();
        gamma = GAMMA.of(options);
        tau = TAU.of(options);
        vertexCount = n;
        maxVertices = Math.ceil(VERTEX_SLACK * n / k);
        maxVolume = Math.ceil(VOLUME_SLACK * (2.0 * size.edges() + n) / k);
        clustering = new ModularityClustering(n, size.edges(), 2 * size.edges() / k, Math.max(1, n / k));
        counts = new NeighbourCounts(k);
        copies = new VertexCopies(n, k);
        copiesOn = new int[k];
    }

    @Override
    public Pass pass(int number, VertexPlacement placement) {
        switch (stage) {
            case CLUSTER -> {
                if (number == 0 || clustering.endPass()) {
                    return Pass.VERTICES;
                }
                clusters = clustering.clusters();
                plan = LargestFirst.plan(sizes(clusters), placement.partitionCount());
                stage = Stage.PLACE_WITH_CLUSTER;
                return Pass.PLACE;
            }
            case PLACE_WITH_CLUSTER -> {
                leastSigma = LEAST_SIGMA;
                for (int p = 0; p < placement.partitionCount(); p++) {
                    leastSigma = Math.max(leastSigma, load(p, 0, 0, placement));
                }
                stage = Stage.PLACE_OTHERS;
                return Pass.PLACE;
            }
            default -> {
                return Pass.DONE;
            }
        }
    }

    private static long[] sizes(int[] clusters) {
        long[] sizes = new long[Arrays.stream(clusters).max().orElse(-1) + 1];
        for (int cluster : clusters) {
            sizes[cluster]++;
        }
        return sizes;
    }

    @Override
    public void observe(int vertex, int[] neighbours, int from, int to) {
        clustering.add(vertex, neighbours, from, to);
    }

    @Override
    public int place(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
        counts.count(vertex, neighbours, from, to, placement);
        int partition;
        if (stage == Stage.PLACE_WITH_CLUSTER) {
            partition = plan[clusters[vertex]];
            boolean isAlone = counts.size() == 0 || counts.size() == 1 && counts.of(partition) > 0;
            if (!isAlone || !hasRoom(vertex, partition, to - from, 1, placement)) {
                return LATER;
            }
        } else {
            seen++;
            if (placement.partition(vertex) != VertexPlacement.NOWHERE) {
                return placement.partition(vertex);
            }
            partition = best(vertex, neighbours, from, to, placement);
        }
        copies.addAround(vertex, partition, neighbours, from, to, placement);
        return partition;
    }

    private boolean hasRoom(int vertex, int partition, int degree, double sigma, VertexPlacement placement) {
        return placement.vertices(partition) + 1 <= sigma * maxVertices
                && placement.volume(partition) + placement.vertices(partition) + degree + 1 <= sigma * maxVolume
                && placement.hasTrainingRoom(vertex, partition);
    }

    /** The larger of a partition's two loads with some more, over the caps. */
    private double load(int partition, int moreVertices, int moreVolume, VertexPlacement placement) {
        double vertices = placement.vertices(partition) + moreVertices;
        return Math.max(vertices / maxVertices, (vertices + placement.volume(partition) + moreVolume) / maxVolume);
    }

    private int best(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
        int k = placement.partitionCount();
        int degree = to - from;
        double sigma = leastSigma + (1 - leastSigma) * Math.sqrt(seen / vertexCount);
        int placed = countCopies(vertex, neighbours, from, to, placement);
        int without = 0;
        for (int i = 0; i < counts.size(); i++) {
            without += copies.has(vertex, counts.partition(i)) ? 0 : 1;
        }
        int best = VertexPlacement.NOWHERE;
        double bestScore = Double.NEGATIVE_INFINITY;
        int emptiest = VertexPlacement.NOWHERE;
        for (int p = 0; p < k; p++) {
            if (placement.hasTrainingRoom(vertex, p)
                    && (emptiest == VertexPlacement.NOWHERE
                            || load(p, 1, degree, placement) < load(emptiest, 1, degree, placement))) {
                emptiest = p; // some partition has room for a training vertex, as for any other
            }
            if (hasRoom(vertex, p, degree, sigma, placement)) {
                int ownWithout = counts.of(p) > 0 && !copies.has(vertex, p) ? 1 : 0;
                double made = placed - copiesOn[p] + without - ownWithout;
                double score = (double) counts.of(p) / Math.max(1, degree)
                        - Math.pow(load(p, 0, 0, placement), gamma - 1.1)
                        - tau * made / (degree + k);
                if (score > bestScore) {
                    best = p;
                    bestScore = score;
                }
            }
        }
        return best == VertexPlacement.NOWHERE ? emptiest : best;
    }

    /** Counts on how many neighbours with a place have a copy on each partition; how many have a place. */
    private int countCopies(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
        Arrays.fill(copiesOn, 0);
        int placed = 0;
        for (int i = from; i < to; i++) {
            if (neighbours[i] != vertex && placement.partition(neighbours[i]) != VertexPlacement.NOWHERE) {
                placed++;
                copies.count(neighbours[i], copiesOn);
            }
        }
        return placed;
    }
}
