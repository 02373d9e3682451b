package io.cutwater.state.plan;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Joins neighbouring clusters into groups, so that a smaller problem is left. In random order, each cluster u goes to
 * the group C with the largest {@code w(u, C) − vol(u) · vol(C) / vol}, twice m times the gain in modularity, if that
 * is more than where it is and C stays within the caps.
 */
final class Coarsening {
    private static final int ROUNDS = 3;

    private final QuotientGraph graph;
    private final int[] kinds;
    private final PlanCaps caps;
    private final double perVolume;
    private final int[] groups;
    private final long[] groupSizes;
    private final long[] groupVolumes;
    private final long[] groupTrainings;
    private final long[] weightsTo;
    private final int[] touched;

    /**
     * @param kinds clusters of different kinds stay apart
     * @param caps of a group of more than one cluster
     */
    Coarsening(QuotientGraph graph, int[] kinds, PlanCaps caps, SplittableRandom random) {
        this.graph = graph;
        this.kinds = kinds;
        this.caps = caps;
        perVolume = 1.0 / Math.max(1, graph.totalVolume());
        int clusterCount = graph.clusterCount();
        groups = new int[clusterCount];
        Arrays.setAll(groups, c -> c);
        groupSizes = graph.sizes().clone();
        groupVolumes = graph.volumes().clone();
        groupTrainings = graph.trainings().clone();
        weightsTo = new long[clusterCount];
        touched = new int[clusterCount];
        int[] order = groups.clone();
        for (int round = 0; round < ROUNDS; round++) {
            for (int cluster : shuffle(order, random)) {
                join(cluster);
            }
        }
        number();
    }

    /** Shuffles the clusters (Fisher and Yates); returns the array. */
    static int[] shuffle(int[] order, SplittableRandom random) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int cluster = order[i];
            order[i] = order[j];
            order[j] = cluster;
        }
        return order;
    }

    private void join(int cluster) {
        int count = weighGroups(cluster);
        long size = graph.sizes()[cluster];
        long volume = graph.volumes()[cluster];
        long training = graph.trainings()[cluster];
        int own = groups[cluster];
        groupTrainings[own] -= training;
        groupSizes[own] -= size;
        groupVolumes[own] -= volume;
        double perGroupVolume = perVolume * volume;
        int best = own;
        double bestGain = weightsTo[own] - perGroupVolume * groupVolumes[own];
        for (int i = 0; i < count; i++) {
            int group = touched[i];
            double gain = weightsTo[group] - perGroupVolume * groupVolumes[group];
            weightsTo[group] = 0;
            if (gain > bestGain
                    && groupSizes[group] + size <= caps.size()
                    && groupVolumes[group] + volume <= caps.volume()
                    && groupTrainings[group] + training <= caps.training()) {
                best = group;
                bestGain = gain;
            }
        }
        groups[cluster] = best;
        groupSizes[best] += size;
        groupVolumes[best] += volume;
        groupTrainings[best] += training;
    }

    private int weighGroups(int cluster) {
        int count = 0;
        for (int i = graph.offsets()[cluster]; i < graph.offsets()[cluster + 1]; i++) {
            int neighbour = graph.targets()[i];
            if (kinds[neighbour] == kinds[cluster]) {
                int group = groups[neighbour];
                if (weightsTo[group] == 0) {
                    touched[count++] = group;
                }
                weightsTo[group] += graph.weights()[i];
            }
        }
        return count;
    }

    private void number() {
        int[] numbers = new int[groups.length];
        int count = 0;
        for (int c = 0; c < groups.length; c++) {
            int group = groups[c];
            if (numbers[group] == 0) {
                numbers[group] = ++count;
            }
            groups[c] = numbers[group] - 1;
        }
    }

    /** The group of each cluster, 0 to g − 1 without a gap. */
    int[] groups() {
        return groups;
    }
}
