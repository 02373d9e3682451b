package io.cutwater.state.plan;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A first plan for a small problem: the clusters are halved, and the halves again. A half grows around a random cluster
 * by taking in the neighbour that belongs to it most, and is improved then; the best of some tries stays.
 */
final class Bisection {
    private static final int TRIES = 6;

    private final PlanProblem problem;
    private final PlanCaps[] caps;
    private final SplittableRandom random;
    private final int[] partitions;

    private Bisection(PlanProblem problem, PlanCaps[] caps, SplittableRandom random) {
        this.problem = problem;
        this.caps = caps;
        this.random = random;
        partitions = new int[problem.clusterCount()];
    }

    /**
     * The partition of each cluster, 0 to k − 1.
     *
     * @param caps of a partition; the plan may be above them, if clusters are large
     */
    static int[] plan(PlanProblem problem, PlanCaps[] caps, SplittableRandom random) {
        Bisection bisection = new Bisection(problem, caps, random);
        bisection.split(IntStream.range(0, problem.clusterCount()).toArray(), 0, caps.length);
        return bisection.partitions;
    }

    /** Spreads some clusters over partitions {@code first} to {@code first + count} − 1. */
    private void split(int[] clusters, int first, int count) {
        if (count == 1 || clusters.length == 0) {
            for (int cluster : clusters) {
                partitions[cluster] = first;
            }
            return;
        }
        int left = count / 2;
        PlanProblem half = halfProblem(clusters, first, first + left, first + count);
        PlanCaps ofAll = PlanCaps.mean(Arrays.copyOfRange(caps, first, first + count));
        PlanCaps ofLeft = PlanCaps.mean(Arrays.copyOfRange(caps, first, first + left));
        PlanCaps ofRight = PlanCaps.mean(Arrays.copyOfRange(caps, first + left, first + count));
        PlanCaps[] ofSides = {
            side(half.graph(), left, count, ofLeft, ofAll), side(half.graph(), count - left, count, ofRight, ofAll)
        };
        double share = (double) left / count;
        if (ofLeft.volume() != ofAll.volume()) {
            share *= (double) ofLeft.volume() / Math.max(1, ofAll.volume());
        }
        int[] sides = bestHalves(half, ofSides, share);
        split(
                IntStream.range(0, sides.length)
                        .filter(i -> sides[i] == 0)
                        .map(i -> clusters[i])
                        .toArray(),
                first,
                left);
        split(
                IntStream.range(0, sides.length)
                        .filter(i -> sides[i] == 1)
                        .map(i -> clusters[i])
                        .toArray(),
                first + left,
                count - left);
    }

    private PlanCaps side(QuotientGraph graph, int share, int count, PlanCaps own, PlanCaps all) {
        return new PlanCaps(
                side(graph.totalSize(), share, count, own.size(), all.size()),
                side(graph.totalVolume(), share, count, own.volume(), all.volume()),
                side(graph.totalTraining(), share, count, own.training(), all.training()));
    }

    /** The cap of one side: its share, and of the slack that all levels below share as much as one level may use. */
    private static long side(long total, int share, int count, long own, long all) {
        double slack = Math.max(1.0, (double) all * count / Math.max(1, total));
        int levels = Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
        double part = all == own
                ? (double) total * share / count
                : (double) total * share * own / (count * (double) Math.max(1, all));
        return (long) Math.ceil(part * Math.pow(slack, 1.0 / levels));
    }

    /** Two sides are all there is: 0 for the homes up to {@code middle}, 1 for those from there on. */
    private PlanProblem halfProblem(int[] clusters, int first, int middle, int last) {
        int[] homes = new int[clusters.length];
        double[] homeCosts = new double[clusters.length];
        for (int i = 0; i < clusters.length; i++) {
            int home = problem.homes()[clusters[i]];
            boolean isHere = home >= first && home < last;
            homes[i] = !isHere ? PlanProblem.NOWHERE : home < middle ? 0 : 1;
            homeCosts[i] = problem.homeCosts()[clusters[i]];
        }
        return new PlanProblem(problem.graph().between(clusters), homes, homeCosts);
    }

    private int[] bestHalves(PlanProblem half, PlanCaps[] ofSides, double share) {
        int[] best = new int[half.clusterCount()];
        double bestExcess = Double.POSITIVE_INFINITY;
        double bestCost = Double.POSITIVE_INFINITY;
        for (int i = 0; i < TRIES; i++) {
            PlanLevel level = new PlanLevel(half, ofSides, grow(half.graph(), share));
            new PlanRefinement(level, random).improve();
            double excess = level.excess();
            double cost = level.cost();
            if (excess < bestExcess || excess == bestExcess && cost < bestCost) {
                best = level.partitions();
                bestExcess = excess;
                bestCost = cost;
            }
        }
        return best;
    }

    /**
     * Everything is on side 1; then side 0 grows until it has its share in the mean of vertices, volume and, if there
     * are any, training vertices.
     */
    private int[] grow(QuotientGraph graph, double share) {
        int clusterCount = graph.clusterCount();
        int[] sides = new int[clusterCount];
        Arrays.fill(sides, 1);
        double part = graph.totalTraining() > 0 ? 1.0 / 3 : 0.5;
        double perVolume = part / Math.max(1, graph.totalVolume());
        double perSize = part / Math.max(1, graph.totalSize());
        double perTraining = part / Math.max(1, graph.totalTraining());
        GainQueue queue = new GainQueue(clusterCount);
        boolean[] isSeen = new boolean[clusterCount];
        int next = clusterCount == 0 ? 0 : random.nextInt(clusterCount);
        double grown = 0;
        for (int taken = 0; taken < clusterCount && grown < share; taken++) {
            if (queue.isEmpty()) {
                while (isSeen[next]) {
                    next = (next + 1) % clusterCount; // every cluster seen is taken, and not all are
                }
                isSeen[next] = true;
                queue.push(next, 0);
            }
            int cluster = queue.pop();
            sides[cluster] = 0;
            grown += graph.volumes()[cluster] * perVolume
                    + graph.sizes()[cluster] * perSize
                    + graph.trainings()[cluster] * perTraining;
            for (int i = graph.offsets()[cluster]; i < graph.offsets()[cluster + 1]; i++) {
                int neighbour = graph.targets()[i];
                if (!isSeen[neighbour]) {
                    isSeen[neighbour] = true;
                    queue.push(neighbour, -graph.weight(neighbour));
                }
                queue.raise(neighbour, 2.0 * graph.weights()[i]);
            }
        }
        return sides;
    }
}
