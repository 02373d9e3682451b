package io.cutwater.state.bulk;

import io.cutwater.state.graph.AdjacencyGraph;
import java.util.Arrays;

/**
 * How many edges each vertex has on each partition. A vertex of degree d has room for min(d, k) partitions: fewer than
 * k are a list that is searched, k are a row that is indexed by the partition. So all vertices together take as much
 * room as the edges' ends at most.
 */
final class EdgeCounts {
    private static final int NONE = -1;

    private final int partitionCount;
    private final int[] offsets;
    private final int[] partitions;
    private final int[] counts;

    EdgeCounts(AdjacencyGraph graph, int partitionCount) {
        this.partitionCount = partitionCount;
        int vertexCount = graph.vertexCount();
        offsets = new int[vertexCount + 1];
        for (int v = 0; v < vertexCount; v++) {
            offsets[v + 1] = offsets[v] + Math.min(graph.degree(v), partitionCount);
        }
        partitions = new int[offsets[vertexCount]];
        Arrays.fill(partitions, NONE);
        counts = new int[partitions.length];
        for (int v = 0; v < vertexCount; v++) {
            if (isRow(v)) {
                for (int p = 0; p < partitionCount; p++) {
                    partitions[offsets[v] + p] = p;
                }
            }
        }
    }

    private boolean isRow(int vertex) {
        return offsets[vertex + 1] - offsets[vertex] == partitionCount;
    }

    /** Edges of a vertex on a partition. */
    int count(int vertex, int partition) {
        int entry = entry(vertex, partition);
        return entry == NONE ? 0 : counts[entry];
    }

    private int entry(int vertex, int partition) {
        if (isRow(vertex)) {
            return offsets[vertex] + partition;
        }
        for (int i = offsets[vertex]; i < offsets[vertex + 1]; i++) {
            if (partitions[i] == partition) {
                return i;
            }
        }
        return NONE;
    }

    void add(int vertex, int partition) {
        int entry = entry(vertex, partition);
        if (entry == NONE) {
            entry = offsets[vertex];
            while (partitions[entry] != NONE) {
                entry++;
            }
            partitions[entry] = partition;
        }
        counts[entry]++;
    }

    void remove(int vertex, int partition) {
        int entry = entry(vertex, partition);
        if (--counts[entry] == 0 && !isRow(vertex)) {
            partitions[entry] = NONE; // so that the list never needs more room than the degree
        }
    }

    /** First place where {@link #partitionAt} of a vertex is asked; the last is before that of the next vertex. */
    int first(int vertex) {
        return offsets[vertex];
    }

    /** A partition where the vertex has an edge, or −1 if this place holds none. */
    int partitionAt(int place) {
        return counts[place] == 0 ? NONE : partitions[place];
    }

    /** Places of all vertices that hold a partition: Σ |V(E_p)|. */
    long replicas() {
        long replicas = 0;
        for (int count : counts) {
            replicas += count > 0 ? 1 : 0;
        }
        return replicas;
    }
}
