package io.cutwater.state.plan;

import java.util.Arrays;

/** A plan while it is being made: where each cluster is, and how full the partitions are. */
final class PlanLevel {
    private static final int NOWHERE = PlanProblem.NOWHERE;

    private final PlanProblem problem;
    private final QuotientGraph graph;
    private final int partitionCount;
    private final long[] maxSizes;
    private final long[] maxVolumes;
    private final long[] maxTrainings;
    private final int[] partitions;
    private final long[] sizes;
    private final long[] volumes;
    private final long[] trainings;
    private final long[] weightsTo;
    private final int[] touched;
    private int touchedCount;

    /** @param caps of each of the k partitions */
    PlanLevel(PlanProblem problem, PlanCaps[] caps, int[] partitions) {
        this.problem = problem;
        graph = problem.graph();
        partitionCount = caps.length;
        maxSizes = Arrays.stream(caps).mapToLong(PlanCaps::size).toArray();
        maxVolumes = Arrays.stream(caps).mapToLong(PlanCaps::volume).toArray();
        maxTrainings = Arrays.stream(caps).mapToLong(PlanCaps::training).toArray();
        this.partitions = partitions.clone();
        sizes = new long[partitionCount];
        volumes = new long[partitionCount];
        trainings = new long[partitionCount];
        weightsTo = new long[partitionCount];
        touched = new int[partitionCount];
        for (int c = 0; c < partitions.length; c++) {
            sizes[partitions[c]] += graph.sizes()[c];
            volumes[partitions[c]] += graph.volumes()[c];
            trainings[partitions[c]] += graph.trainings()[c];
        }
    }

    QuotientGraph graph() {
        return graph;
    }

    int partition(int cluster) {
        return partitions[cluster];
    }

    /** The partition of each cluster; the array itself. */
    int[] partitions() {
        return partitions;
    }

    long size(int partition) {
        return sizes[partition];
    }

    long volume(int partition) {
        return volumes[partition];
    }

    void move(int cluster, int partition) {
        int before = partitions[cluster];
        partitions[cluster] = partition;
        sizes[before] -= graph.sizes()[cluster];
        volumes[before] -= graph.volumes()[cluster];
        trainings[before] -= graph.trainings()[cluster];
        sizes[partition] += graph.sizes()[cluster];
        volumes[partition] += graph.volumes()[cluster];
        trainings[partition] += graph.trainings()[cluster];
    }

    boolean hasRoom(int cluster, int partition) {
        return sizes[partition] + graph.sizes()[cluster] <= maxSizes[partition]
                && volumes[partition] + graph.volumes()[cluster] <= maxVolumes[partition]
                && trainings[partition] + graph.trainings()[cluster] <= maxTrainings[partition];
    }

    boolean isOverfull(int partition) {
        return sizes[partition] > maxSizes[partition]
                || volumes[partition] > maxVolumes[partition]
                || trainings[partition] > maxTrainings[partition];
    }

    boolean isBalanced() {
        for (int p = 0; p < partitionCount; p++) {
            if (isOverfull(p)) {
                return false;
            }
        }
        return true;
    }

    /** By how much the fullest partition is above its caps, as a share of them; 0 if all are within. */
    double excess() {
        double excess = 0;
        for (int p = 0; p < partitionCount; p++) {
            excess = Math.max(excess, fill(p) - 1);
        }
        return excess;
    }

    /** The largest of a partition's loads, over its caps. */
    private double fill(int partition) {
        return fill(partition, 0, 0, 0);
    }

    private double fill(int partition, long moreSize, long moreVolume, long moreTraining) {
        double fill = Math.max(
                (double) (sizes[partition] + moreSize) / Math.max(1, maxSizes[partition]),
                (double) (volumes[partition] + moreVolume) / Math.max(1, maxVolumes[partition]));
        return Math.max(fill, (double) (trainings[partition] + moreTraining) / Math.max(1, maxTrainings[partition]));
    }

    private double fillWith(int cluster, int partition) {
        return fill(partition, graph.sizes()[cluster], graph.volumes()[cluster], graph.trainings()[cluster]);
    }

    /** Returns whether {@code target} with the cluster is emptier than the partition of the cluster now. */
    boolean levels(int cluster, int target) {
        return fillWith(cluster, target) < fill(partitions[cluster]);
    }

    /**
     * By how much the sum of all excess, in shares of the caps, becomes smaller if a cluster moves; may be negative.
     */
    double relief(int cluster, int target) {
        int own = partitions[cluster];
        long size = graph.sizes()[cluster];
        long volume = graph.volumes()[cluster];
        long training = graph.trainings()[cluster];
        return relief(sizes[own], maxSizes[own], sizes[target], maxSizes[target], size)
                + relief(volumes[own], maxVolumes[own], volumes[target], maxVolumes[target], volume)
                + relief(trainings[own], maxTrainings[own], trainings[target], maxTrainings[target], training);
    }

    private static double relief(long own, long maxOwn, long target, long maxTarget, long weight) {
        double off = Math.min(weight, Math.max(0, own - maxOwn));
        double on = Math.min(weight, Math.max(0, target + weight - maxTarget));
        return off / Math.max(1, maxOwn) - on / Math.max(1, maxTarget);
    }

    /** The partition other than its own whose fuller load would be lowest with the cluster; its own if k is 1. */
    int emptiestFor(int cluster) {
        int own = partitions[cluster];
        int best = own;
        double bestFill = Double.POSITIVE_INFINITY;
        for (int p = 0; p < partitionCount; p++) {
            if (p != own && fillWith(cluster, p) < bestFill) {
                best = p;
                bestFill = fillWith(cluster, p);
            }
        }
        return best;
    }

    double cost() {
        return problem.cost(partitions);
    }

    /** Weighs the edges from a cluster to each partition, for {@link #attraction} and {@link #bestTarget}. */
    void look(int cluster) {
        for (int i = 0; i < touchedCount; i++) {
            weightsTo[touched[i]] = 0;
        }
        touchedCount = 0;
        int[] targets = graph.targets();
        long[] weights = graph.weights();
        for (int i = graph.offsets()[cluster], end = graph.offsets()[cluster + 1]; i < end; i++) {
            int partition = partitions[targets[i]];
            if (weightsTo[partition] == 0) {
                touched[touchedCount++] = partition;
            }
            weightsTo[partition] += weights[i];
        }
        int home = problem.homes()[cluster];
        if (home != NOWHERE && weightsTo[home] == 0) {
            touched[touchedCount++] = home; // so that the way home is seen, too
        }
    }

    /** Partitions that {@link #look} found, in no particular order. */
    int touchedCount() {
        return touchedCount;
    }

    int touched(int i) {
        return touched[i];
    }

    /** Returns the cost of keeping the last examined cluster off this partition. */
    private double attraction(int cluster, int partition) {
        return weightsTo[partition] + (problem.homes()[cluster] == partition ? problem.homeCosts()[cluster] : 0);
    }

    /** By how much the cost falls if the cluster that was looked at last moves; negative if it rises. */
    double gain(int cluster, int target) {
        return attraction(cluster, target) - attraction(cluster, partitions[cluster]);
    }

    /**
     * Returns the best other partition with room for the last examined cluster, among its home and those to which it
     * has edges; the emptiest on ties. {@link PlanProblem#NOWHERE} if there is none.
     */
    int bestTarget(int cluster) {
        int own = partitions[cluster];
        int best = NOWHERE;
        double bestAttraction = -1;
        for (int i = 0; i < touchedCount; i++) {
            int p = touched[i];
            double attraction = attraction(cluster, p);
            if (p != own
                    && attraction >= bestAttraction
                    && hasRoom(cluster, p)
                    && (attraction > bestAttraction || fill(p) < fill(best))) {
                best = p;
                bestAttraction = attraction;
            }
        }
        return best;
    }
}
