package io.cutwater.state.algorithm.grem;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.rule.VertexPlacement;
import java.util.Arrays;

/**
 * GREM's memory: for each vertex, how many neighbours it had on each partition, as a mean of what it had when it was
 * seen before and of what it has now. Sparse: a vertex has an entry only for partitions where it had a neighbour.
 */
final class MeanCounts {
    private static final int[] NO_PARTITIONS = {};
    private static final float[] NO_COUNTS = {};

    private final int[][] partitions;
    private final float[][] means;
    private final boolean[] isSeen;
    private final int[] now;
    private final int[] touched;

    public MeanCounts(int vertexCount, int partitionCount) {
        partitions = new int[vertexCount][];
        Arrays.fill(partitions, NO_PARTITIONS);
        means = new float[vertexCount][];
        Arrays.fill(means, NO_COUNTS);
        isSeen = new boolean[vertexCount];
        now = new int[partitionCount];
        touched = new int[partitionCount];
    }

    /** Takes in what a vertex has in a chunk, where it is number {@code slot}. */
    void update(int vertex, int slot, AdjacencyGraph chunk, VertexPlacement places) {
        int count = 0;
        for (int i = chunk.offset(slot); i < chunk.offset(slot + 1); i++) {
            int neighbour = (int) chunk.vertex(chunk.neighbours()[i]);
            int place = places.partition(neighbour);
            if (neighbour != vertex && place != VertexPlacement.NOWHERE && now[place]++ == 0) {
                touched[count++] = place;
            }
        }
        float weight = isSeen[vertex] ? 0.5f : 1;
        isSeen[vertex] = true;
        int[] before = partitions[vertex];
        float[] values = means[vertex];
        for (int i = 0; i < before.length; i++) {
            values[i] = (1 - weight) * values[i] + weight * now[before[i]];
            now[before[i]] = 0;
        }
        int added = 0;
        for (int i = 0; i < count; i++) {
            if (now[touched[i]] > 0) {
                touched[added++] = touched[i];
            }
        }
        if (added > 0) {
            partitions[vertex] = Arrays.copyOf(before, before.length + added);
            means[vertex] = Arrays.copyOf(values, before.length + added);
            for (int i = 0; i < added; i++) {
                partitions[vertex][before.length + i] = touched[i];
                means[vertex][before.length + i] = weight * now[touched[i]];
                now[touched[i]] = 0;
            }
        }
    }

    /** Partitions that a vertex has a count for. */
    int size(int vertex) {
        return partitions[vertex].length;
    }

    int partition(int vertex, int i) {
        return partitions[vertex][i];
    }

    /** The mean for the partition {@link #partition partition(vertex, i)}. */
    float count(int vertex, int i) {
        return means[vertex][i];
    }

    /** The mean for a partition, 0 if there is none. */
    float of(int vertex, int partition) {
        for (int i = 0; i < partitions[vertex].length; i++) {
            if (partitions[vertex][i] == partition) {
                return means[vertex][i];
            }
        }
        return 0;
    }
}
