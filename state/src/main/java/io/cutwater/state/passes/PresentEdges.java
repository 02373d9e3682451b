package io.cutwater.state.passes;

import io.cutwater.state.cluster.ClusterHomes;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.table.PartitionLoads;

/**
 * The present places of the edges of a graph, while another placement is computed.
 *
 * @param places the partition of each edge, 0 to {@code partitionCount} − 1
 * @param partitionCount k now
 * @param counts edges of each vertex on each partition now
 */
public record PresentEdges(EdgePlaces places, int partitionCount, EdgeCounts counts) {
    public static PresentEdges of(BoundedGraph graph, EdgePlaces places, int partitionCount) {
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
    public int[] homes(int[] clusters) {
        return ClusterHomes.of(clusters, partitionCount, this::addEdges);
    }

    private void addEdges(int vertex, long[] edges) {
        long[] page = counts.page(vertex);
        int first = counts.first(vertex);
        for (int i = first; i < first + counts.size(vertex); i++) {
            edges[EdgeCounts.partition(page[i])] += EdgeCounts.count(page[i]);
        }
    }
}
