package io.cutwater.state.vertex;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Which vertex is on which partition, and what that adds up to: vertices and volume (sum of degrees) of each partition,
 * and the one with the fewest vertices.
 */
public final class VertexPlacement {
    /** The partition of a vertex that has none yet. */
    public static final int NOWHERE = -1;

    private final IntToLongFunction ids;
    private final int[] partitions;
    private final long[] vertexCounts;
    private final long[] volumes;
    private long totalVertices;
    private long totalVolume;
    private int leastLoaded;

    /**
     * @param partitionCount k
     * @param vertexCount n: vertices are 0 to n − 1
     * @param ids the id of each of them
     */
    public VertexPlacement(int partitionCount, int vertexCount, IntToLongFunction ids) {
        this.ids = ids;
        partitions = new int[vertexCount];
        Arrays.fill(partitions, NOWHERE);
        vertexCounts = new long[partitionCount];
        volumes = new long[partitionCount];
    }

    /** Puts a vertex on a partition, off the one where it may have been. */
    public void put(int vertex, int degree, int partition) {
        int before = partitions[vertex];
        if (before == partition) {
            return;
        }
        partitions[vertex] = partition;
        if (before == NOWHERE) {
            totalVertices++;
            totalVolume += degree;
        } else {
            vertexCounts[before]--;
            volumes[before] -= degree;
            if (isLess(before, leastLoaded)) {
                leastLoaded = before;
            }
        }
        vertexCounts[partition]++;
        volumes[partition] += degree;
        if (partition == leastLoaded) {
            // Only here can it change: no other partition has become less loaded than the least.
            for (int p = 0; p < vertexCounts.length; p++) {
                leastLoaded = isLess(p, leastLoaded) ? p : leastLoaded;
            }
        }
    }

    /** Whether a partition comes before another: fewer vertices, or as many and the lower number. */
    boolean isLess(int one, int other) {
        return vertexCounts[one] < vertexCounts[other] || vertexCounts[one] == vertexCounts[other] && one < other;
    }

    public int vertexCount() {
        return partitions.length;
    }

    /** The id of a vertex, as the input names it. */
    public long id(int vertex) {
        return ids.applyAsLong(vertex);
    }

    public int partitionCount() {
        return vertexCounts.length;
    }

    /** 0 to k − 1, or {@link #NOWHERE}. */
    public int partition(int vertex) {
        return partitions[vertex];
    }

    /** Vertices on a partition. */
    public long vertices(int partition) {
        return vertexCounts[partition];
    }

    /** Sum of the degrees of a partition's vertices. */
    public long volume(int partition) {
        return volumes[partition];
    }

    /** Vertices that have a place. */
    public long totalVertices() {
        return totalVertices;
    }

    /** Sum of the degrees of the vertices that have a place. */
    public long totalVolume() {
        return totalVolume;
    }

    /** The partition with the fewest vertices; the lowest-numbered of them. */
    public int leastLoaded() {
        return leastLoaded;
    }

    /** The partition of each vertex; a copy. */
    public int[] partitions() {
        return partitions.clone();
    }
}
