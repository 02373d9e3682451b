package io.cutwater.state.plan;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Improves a plan by moving clusters, one at a time: first what is above the caps goes elsewhere; then clusters move
 * while each move gains; then a search goes beyond the local optimum, with moves that lose at first and are taken back
 * if they lead nowhere (Fiduccia, Mattheyses: A linear-time heuristic for improving network partitions, DAC 1982; for k
 * parts at once as in Osipov, Sanders: n-level graph partitioning, ESA 2010). A plan within the caps stays so.
 */
final class PlanRefinement {
    private static final int MAX_ROUNDS = 12;
    private static final int MAX_SEARCHES = 6;
    private static final int LEAST_PATIENCE = 50;
    private static final int MOST_PATIENCE = 5000;

    private final PlanLevel level;
    private final SplittableRandom random;
    private final GainQueue queue;
    private final int[] order;
    private final boolean[] isLocked;
    private final int[] moved;
    private final int[] movedFrom;
    private int reliefTarget;
    private double reliefKey;

    PlanRefinement(PlanLevel level, SplittableRandom random) {
        this.level = level;
        this.random = random;
        int clusterCount = level.graph().clusterCount();
        queue = new GainQueue(clusterCount);
        order = new int[clusterCount];
        Arrays.setAll(order, c -> c);
        isLocked = new boolean[clusterCount];
        moved = new int[clusterCount];
        movedFrom = new int[clusterCount];
    }

    void improve() {
        repair();
        int searches = 0;
        do {
            climb();
        } while (search() && ++searches < MAX_SEARCHES);
    }

    /**
     * Moves clusters off partitions that are above a cap, those first that lose least for what they relieve. A move
     * must make the sum of all excess smaller, so that clusters of many vertices and those of a large volume may change
     * places one after the other.
     */
    private void repair() {
        int moves = 1;
        for (int round = 0; round < MAX_ROUNDS && moves > 0 && !level.isBalanced(); round++) {
            queue.clear();
            for (int c = 0; c < moved.length; c++) {
                considerRelief(c);
                if (reliefTarget != PlanProblem.NOWHERE) {
                    queue.push(c, reliefKey);
                }
            }
            moves = 0;
            while (!queue.isEmpty()) {
                int cluster = queue.pop();
                considerRelief(cluster);
                if (reliefTarget != PlanProblem.NOWHERE) {
                    if (!queue.isEmpty() && reliefKey < queue.topKey()) {
                        queue.push(cluster, reliefKey);
                    } else {
                        level.move(cluster, reliefTarget);
                        moves++;
                    }
                }
            }
        }
    }

    /** Finds where a cluster of an overfull partition should go: the least loss for what it relieves. */
    private void considerRelief(int cluster) {
        reliefTarget = PlanProblem.NOWHERE;
        reliefKey = Double.NEGATIVE_INFINITY;
        if (level.isOverfull(level.partition(cluster))) {
            level.look(cluster);
            for (int i = 0; i < level.touchedCount(); i++) {
                considerRelief(cluster, level.touched(i));
            }
            considerRelief(cluster, level.emptiestFor(cluster));
        }
    }

    private void considerRelief(int cluster, int target) {
        double relief = target == level.partition(cluster) ? 0 : level.relief(cluster, target);
        if (relief > 0) {
            double gain = level.gain(cluster, target);
            double key = gain < 0 ? gain / relief : gain * relief;
            if (key > reliefKey) {
                reliefKey = key;
                reliefTarget = target;
            }
        }
    }

    /** Rounds over all clusters in random order: each moves where it gains, or where it gains nothing but room. */
    private void climb() {
        int gainful = Integer.MAX_VALUE;
        for (int round = 0; round < MAX_ROUNDS && gainful > moved.length / 1000; round++) {
            gainful = 0;
            for (int cluster : Coarsening.shuffle(order, random)) {
                level.look(cluster);
                int target = level.bestTarget(cluster);
                if (target != PlanProblem.NOWHERE) {
                    double gain = level.gain(cluster, target);
                    if (gain > 0 || gain == 0 && level.levels(cluster, target)) {
                        level.move(cluster, target);
                        gainful += gain > 0 ? 1 : 0;
                    }
                }
            }
        }
    }

    /**
     * Moves the cluster with the largest gain, each once and also if it loses, and goes back to the best state.
     *
     * <p>Keys in the queue are upper bounds of gains: a move raises its neighbours' keys by as much as they can have
     * gained, which costs no recount, and a cluster is recounted when it comes to the top.
     *
     * @return whether anything was gained
     */
    private boolean search() {
        fillQueue();
        int patience = Math.max(LEAST_PATIENCE, Math.min(MOST_PATIENCE, moved.length / 10));
        double gained = 0;
        double best = 0;
        int moveCount = 0;
        int bestCount = 0;
        while (!queue.isEmpty() && moveCount - bestCount < patience) {
            int cluster = queue.pop();
            level.look(cluster);
            int target = level.bestTarget(cluster);
            if (target == PlanProblem.NOWHERE) {
                continue;
            }
            double gain = level.gain(cluster, target);
            if (!queue.isEmpty() && gain < queue.topKey()) {
                queue.push(cluster, gain);
                continue;
            }
            moved[moveCount] = cluster;
            movedFrom[moveCount++] = level.partition(cluster);
            isLocked[cluster] = true;
            raiseNeighbours(cluster, target);
            level.move(cluster, target);
            gained += gain;
            if (gained > best) {
                best = gained;
                bestCount = moveCount;
            }
        }
        while (moveCount > bestCount) {
            moveCount--;
            level.move(moved[moveCount], movedFrom[moveCount]);
        }
        return best > 0;
    }

    private void fillQueue() {
        queue.clear();
        Arrays.fill(isLocked, false);
        for (int cluster : Coarsening.shuffle(order, random)) {
            level.look(cluster);
            int target = level.bestTarget(cluster);
            if (target != PlanProblem.NOWHERE) {
                queue.push(cluster, level.gain(cluster, target));
            }
        }
    }

    private void raiseNeighbours(int cluster, int target) {
        int own = level.partition(cluster);
        int[] offsets = level.graph().offsets();
        int[] targets = level.graph().targets();
        long[] weights = level.graph().weights();
        for (int i = offsets[cluster]; i < offsets[cluster + 1]; i++) {
            int neighbour = targets[i];
            int place = level.partition(neighbour);
            if (!isLocked[neighbour] && place != target) {
                queue.raise(neighbour, place == own ? 2.0 * weights[i] : weights[i]);
            }
        }
    }
}
