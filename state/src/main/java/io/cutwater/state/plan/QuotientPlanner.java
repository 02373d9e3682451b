package io.cutwater.state.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A planner that considers edges between clusters: it partitions the quotient graph into k parts with few cut edges and
 * few moved vertices, within caps on vertices, volume and training vertices of each part.
 *
 * <p>Multilevel (Karypis, Kumar: Multilevel k-way partitioning scheme for irregular graphs, 1998): clusters are joined
 * into groups repeatedly until the problem is small; recursive bisection solves it; then the plan of each level is
 * refined on the level below. The best of up to {@value #STARTS} such plans goes through {@value #CYCLES} more cycles,
 * which join only clusters of the same partition: the plan gets no worse, and whole groups may move (Walshaw:
 * Multilevel refinement for combinatorial optimisation problems, 2004).
 *
 * <p>With a present plan, every start is that plan instead of a bisection: a bisection numbers partitions differently,
 * and nearly everything would move.
 *
 * <p>Clusters that come to partitions which hold something begin where most of their edges lead, and go through one
 * cycle: they are planned often, and more cycles gain less than 1 %.
 *
 * <p>The same graph, request and seed give the same plan. If clusters are too large for the caps, the plan exceeds the
 * caps by the least excess found.
 */
public final class QuotientPlanner {
    private static final int STARTS = 4;

    /**
     * The most pairs of neighbouring clusters for several starts; a larger graph has one start, also if light pairs
     * were forgotten, since its plans differ less.
     */
    private static final int PAIRS_FOR_ALL_STARTS = 500_000;

    private static final int CYCLES = 2;

    /** A group is at most this part of a partition, so that groups can be put together to any load. */
    private static final int GROUPS_PER_PARTITION = 8;

    /** The groups per partition at which coarsening ends: few enough to be split at once. */
    private static final int ENOUGH_PER_PARTITION = 10;

    private static final int ENOUGH = 200;

    /** A level that is not smaller than that is no use. */
    private static final double LEAST_SHRINKING = 0.95;

    private final PlanRequest request;
    private final PlanProblem problem;
    private final SplittableRandom random;
    private final PlanCaps[] caps;

    /** A level of coarsening with the groups of its clusters, which are the clusters of the next level. */
    private record Layer(PlanProblem problem, int[] groups) {}

    private QuotientPlanner(QuotientGraph graph, PlanRequest request) {
        this.request = request;
        problem = PlanProblem.of(graph, request);
        random = new SplittableRandom(request.seed());
        caps = PlanCaps.all(request);
    }

    /** The partition of each cluster, 0 to k − 1. */
    public static int[] plan(QuotientGraph graph, PlanRequest request) {
        return new QuotientPlanner(graph, request).plan();
    }

    private int[] plan() {
        int[] start = request.present() == null && request.rooms() == null ? null : stayed();
        int[] best = cycle(start);
        if (request.rooms() != null) {
            return best;
        }
        QuotientGraph graph = problem.graph();
        int starts = !graph.isThinned() && graph.targets().length / 2 <= PAIRS_FOR_ALL_STARTS ? STARTS : 1;
        for (int i = 1; i < starts; i++) {
            best = better(best, cycle(start));
        }
        for (int i = 0; i < CYCLES; i++) {
            best = better(best, cycle(best));
        }
        return best;
    }

    /** The present plan; a cluster that is nowhere goes where most of its edges lead, if there is room. */
    private int[] stayed() {
        int[] plan = problem.homes().clone();
        long[] volumes = new long[request.partitionCount()];
        QuotientGraph graph = problem.graph();
        for (int c = 0; c < plan.length; c++) {
            if (plan[c] != PlanProblem.NOWHERE) {
                volumes[plan[c]] += graph.volumes()[c];
            }
        }
        long[] weightsTo = new long[volumes.length];
        for (int c = 0; c < plan.length; c++) {
            if (plan[c] == PlanProblem.NOWHERE) {
                Arrays.fill(weightsTo, 0);
                for (int i = graph.offsets()[c]; i < graph.offsets()[c + 1]; i++) {
                    int p = plan[graph.targets()[i]];
                    if (p != PlanProblem.NOWHERE) {
                        weightsTo[p] += graph.weights()[i];
                    }
                }
                plan[c] = place(graph.volumes()[c], weightsTo, volumes);
                volumes[plan[c]] += graph.volumes()[c];
            }
        }
        return plan;
    }

    /** Returns the partition with room that has most edges to the cluster; the emptiest if none has any. */
    private int place(long volume, long[] weightsTo, long[] volumes) {
        int best = PlanProblem.NOWHERE;
        int emptiest = 0;
        for (int p = 0; p < volumes.length; p++) {
            emptiest = volumes[p] < volumes[emptiest] ? p : emptiest;
            if (volumes[p] + volume <= caps[p].volume()
                    && (best == PlanProblem.NOWHERE || weightsTo[p] > weightsTo[best])) {
                best = p;
            }
        }
        return best == PlanProblem.NOWHERE ? emptiest : best;
    }

    private int[] better(int[] one, int[] other) {
        PlanLevel ofOne = new PlanLevel(problem, caps, one);
        PlanLevel ofOther = new PlanLevel(problem, caps, other);
        int order = Double.compare(ofOne.excess(), ofOther.excess());
        return order < 0 || order == 0 && ofOne.cost() <= ofOther.cost() ? one : other;
    }

    /** @param before a plan to improve; null to make a new one */
    private int[] cycle(int @Nullable [] before) {
        List<Layer> layers = new ArrayList<>();
        PlanProblem coarse = problem;
        int[] plan = before;
        int enough = Math.max(ENOUGH, ENOUGH_PER_PARTITION * request.partitionCount());
        while (coarse.clusterCount() > enough) {
            int[] groups = groups(coarse, plan);
            QuotientGraph grouped = coarse.graph().grouped(groups);
            if (grouped.clusterCount() > LEAST_SHRINKING * coarse.clusterCount()) {
                break;
            }
            layers.add(new Layer(coarse, groups));
            plan = plan == null ? null : lifted(plan, groups, grouped.clusterCount());
            coarse = coarse.of(grouped, groups);
        }
        if (plan == null) {
            plan = Bisection.plan(coarse, caps, random);
        }
        plan = refined(coarse, plan);
        for (int i = layers.size() - 1; i >= 0; i--) {
            Layer layer = layers.get(i);
            int[] fine = new int[layer.groups.length];
            for (int c = 0; c < fine.length; c++) {
                fine[c] = plan[layer.groups[c]];
            }
            plan = refined(layer.problem, fine);
        }
        return plan;
    }

    /** Clusters of different homes, or on different partitions of the plan so far, stay apart. */
    private int[] groups(PlanProblem fine, int @Nullable [] plan) {
        int[] kinds = new int[fine.clusterCount()];
        for (int c = 0; c < kinds.length; c++) {
            kinds[c] = (fine.homes()[c] + 1) * request.partitionCount() + (plan == null ? 0 : plan[c]);
        }
        PlanCaps ofGroup = PlanCaps.mean(caps).over(GROUPS_PER_PARTITION);
        return new Coarsening(fine.graph(), kinds, ofGroup, random).groups();
    }

    private static int[] lifted(int[] plan, int[] groups, int groupCount) {
        int[] lifted = new int[groupCount];
        for (int c = 0; c < groups.length; c++) {
            lifted[groups[c]] = plan[c];
        }
        return lifted;
    }

    private int[] refined(PlanProblem fine, int[] plan) {
        PlanLevel level = new PlanLevel(fine, caps, plan);
        new PlanRefinement(level, random).improve();
        return level.partitions();
    }
}
