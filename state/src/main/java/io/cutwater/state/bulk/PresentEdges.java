package io.cutwater.state.bulk;

import io.cutwater.state.disk.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.table.PartitionLoads;
import java.util.Arrays;

/**
 * Where the edges of a graph are while another placement is looked for.
 *
 * @param places the partition of each edge, 0 to {@code partitionCount} − 1
 * @param partitionCount k now
 * @param counts edges of each vertex on each partition now
 */
record PresentEdges(EdgePlaces places, int partitionCount, EdgeCounts counts) {
    static PresentEdges of(BoundedGraph graph, EdgePlaces places, int partitionCount) {
        EdgeCounts counts = new EdgeCounts(graph.vertexCount());
        PartitionLoads loads = new PartitionLoads(partitionCount);
        try (EdgePass edges = graph.edges();
                EdgePlaces.Pass pass = places.pass()) {
            while (edges.next()) {
                counts.add(edges, pass.next(), loads);
            }
        }
        return new PresentEdges(places, partitionCount, counts);
    }

    /**
     * The partition with most edges of a cluster's vertices, the lowest of equally good ones.
     *
     * @param clusters the cluster of each vertex, 0 to c − 1 without a gap
     */
    int[] homes(int[] clusters) {
        int clusterCount = Arrays.stream(clusters).max().orElse(-1) + 1;
        int[] ends = new int[clusterCount];
        for (int cluster : clusters) {
            ends[cluster]++;
        }
        Arrays.parallelPrefix(ends, Integer::sum);
        int[] members = new int[clusters.length];
        int[] next = ends.clone();
        for (int v = clusters.length - 1; v >= 0; v--) {
            members[--next[clusters[v]]] = v;
        }
        int[] homes = new int[clusterCount];
        long[] edges = new long[partitionCount];
        for (int cluster = 0; cluster < clusterCount; cluster++) {
            Arrays.fill(edges, 0);
            for (int i = next[cluster]; i < ends[cluster]; i++) {
                addEdges(members[i], edges);
            }
            for (int p = 1; p < partitionCount; p++) {
                homes[cluster] = edges[p] > edges[homes[cluster]] ? p : homes[cluster];
            }
        }
        return homes;
    }

    private void addEdges(int vertex, long[] edges) {
        long[] page = counts.page(vertex);
        int first = counts.first(vertex);
        for (int i = first; i < first + counts.size(vertex); i++) {
            edges[EdgeCounts.partition(page[i])] += EdgeCounts.count(page[i]);
        }
    }
}
