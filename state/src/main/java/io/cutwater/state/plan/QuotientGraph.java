package io.cutwater.state.plan;

import java.util.Arrays;

/**
 * The graph of clusters: how many vertices a cluster has, their volume (sum of degrees), and how many edges run between
 * two clusters. It fits in memory however large the graph itself is.
 *
 * <p>Clusters are 0 to c − 1. The neighbours of cluster c are entries {@code offsets[c]} to {@code offsets[c + 1] − 1}
 * of {@code targets}, each once and never c itself, with the number of edges between in {@code weights}; every pair
 * stands in both lists.
 *
 * @param sizes vertices of each cluster
 * @param volumes sum of the degrees of each cluster's vertices
 * @param trainings how many of each cluster's vertices are trained on
 * @param isThinned whether light pairs were forgotten
 */
public record QuotientGraph(
        long[] sizes,
        long[] volumes,
        long[] trainings,
        int[] offsets,
        int[] targets,
        long[] weights,
        boolean isThinned) {

    public QuotientGraph {
        if (volumes.length != sizes.length || trainings.length != sizes.length || offsets.length != sizes.length + 1) {
            throw new IllegalArgumentException(
                    "a quotient graph of %d clusters has %d volumes, %d counts of training vertices and %d offsets"
                            .formatted(sizes.length, volumes.length, trainings.length, offsets.length));
        }
    }

    /** c. */
    int clusterCount() {
        return sizes.length;
    }

    /** Vertices of all clusters. */
    long totalSize() {
        return sum(sizes);
    }

    /** Volume of all clusters. */
    long totalVolume() {
        return sum(volumes);
    }

    /** Training vertices of all clusters. */
    long totalTraining() {
        return sum(trainings);
    }

    /** Edges from a cluster to others. */
    long weight(int cluster) {
        long weight = 0;
        for (int i = offsets[cluster]; i < offsets[cluster + 1]; i++) {
            weight += weights[i];
        }
        return weight;
    }

    /** Edges between clusters on different partitions. */
    long cut(int[] partitions) {
        long cut = 0;
        for (int c = 0; c < sizes.length; c++) {
            for (int i = offsets[c]; i < offsets[c + 1]; i++) {
                cut += partitions[c] != partitions[targets[i]] ? weights[i] : 0;
            }
        }
        return cut / 2;
    }

    /**
     * The quotient graph of groups of clusters.
     *
     * @param groups the group of each cluster, 0 to g − 1 without a gap
     */
    QuotientGraph grouped(int[] groups) {
        int groupCount = Arrays.stream(groups).max().orElse(-1) + 1;
        int[] members = new int[groups.length];
        int[] firsts = firstMembers(groups, groupCount, members);
        long[] groupSizes = new long[groupCount];
        long[] groupVolumes = new long[groupCount];
        long[] groupTrainings = new long[groupCount];
        int[] groupOffsets = new int[groupCount + 1];
        int[] groupTargets = new int[targets.length];
        long[] groupWeights = new long[targets.length];
        int[] positions =
                new int[groupCount]; // where a target stands in the list of the present group, if from start on
        Arrays.fill(positions, -1);
        int end = 0;
        for (int group = 0; group < groupCount; group++) {
            int start = end;
            for (int m = firsts[group]; m < firsts[group + 1]; m++) {
                int cluster = members[m];
                groupSizes[group] += sizes[cluster];
                groupVolumes[group] += volumes[cluster];
                groupTrainings[group] += trainings[cluster];
                for (int i = offsets[cluster]; i < offsets[cluster + 1]; i++) {
                    int target = groups[targets[i]];
                    if (target != group) {
                        if (positions[target] < start) {
                            positions[target] = end;
                            groupTargets[end++] = target;
                        }
                        groupWeights[positions[target]] += weights[i];
                    }
                }
            }
            groupOffsets[group + 1] = end;
        }
        return new QuotientGraph(
                groupSizes,
                groupVolumes,
                groupTrainings,
                groupOffsets,
                Arrays.copyOf(groupTargets, end),
                Arrays.copyOf(groupWeights, end),
                isThinned);
    }

    /** Sorts clusters by group into {@code members}; where each group's begin there. */
    private static int[] firstMembers(int[] groups, int groupCount, int[] members) {
        int[] firsts = new int[groupCount + 1];
        for (int group : groups) {
            firsts[group + 1]++;
        }
        Arrays.parallelPrefix(firsts, Integer::sum);
        int[] next = firsts.clone();
        for (int c = 0; c < groups.length; c++) {
            members[next[groups[c]]++] = c;
        }
        return firsts;
    }

    /** The part of the graph between some clusters, which become 0, 1, 2 … in their order. */
    QuotientGraph between(int[] clusters) {
        int[] numbers = new int[sizes.length];
        int entries = 0;
        for (int i = 0; i < clusters.length; i++) {
            numbers[clusters[i]] = i + 1;
            entries += offsets[clusters[i] + 1] - offsets[clusters[i]];
        }
        long[] partSizes = new long[clusters.length];
        long[] partVolumes = new long[clusters.length];
        long[] partTrainings = new long[clusters.length];
        int[] partOffsets = new int[clusters.length + 1];
        int[] partTargets = new int[entries];
        long[] partWeights = new long[entries];
        int end = 0;
        for (int i = 0; i < clusters.length; i++) {
            int cluster = clusters[i];
            partSizes[i] = sizes[cluster];
            partVolumes[i] = volumes[cluster];
            partTrainings[i] = trainings[cluster];
            for (int j = offsets[cluster]; j < offsets[cluster + 1]; j++) {
                int number = numbers[targets[j]];
                if (number > 0) {
                    partTargets[end] = number - 1;
                    partWeights[end++] = weights[j];
                }
            }
            partOffsets[i + 1] = end;
        }
        return new QuotientGraph(
                partSizes,
                partVolumes,
                partTrainings,
                partOffsets,
                Arrays.copyOf(partTargets, end),
                Arrays.copyOf(partWeights, end),
                isThinned);
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }
}
