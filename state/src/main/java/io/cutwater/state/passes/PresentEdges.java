package io.cutwater.state.passes;

import io.cutwater.state.cluster.ClusterHomes;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.plan.QuotientGraphBuilder;
import io.cutwater.state.plan.SharedPlan;
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
        counts.addAll(graph, places, new PartitionLoads(partitionCount));
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

    /**
     * Returns the partition with most edges of each cluster's vertices, counted over all parts of a graph together.
     *
     * @param part in which this runs; it counts the edges of its own vertices
     * @param clusters the cluster of each vertex of the part, with numbers that all parts have in common
     * @param clusterCount number of clusters of all parts
     */
    public int[] homes(GraphPart part, int[] clusters, int clusterCount) {
        QuotientGraphBuilder edges = new QuotientGraphBuilder(clusterCount + partitionCount);
        for (int v = 0; v < clusters.length; v++) {
            for (int i = 0; i < counts.size(v) && part.isOwn(v); i++) {
                long entry = counts.entry(v, i);
                edges.addEdges(clusters[v], clusterCount + EdgeCounts.partition(entry), EdgeCounts.count(entry));
            }
        }
        return SharedPlan.homes(part, edges, clusterCount);
    }

    private void addEdges(int vertex, long[] edges) {
        long[] page = counts.page(vertex);
        int first = counts.first(vertex);
        for (int i = first; i < first + counts.size(vertex); i++) {
            edges[EdgeCounts.partition(page[i])] += EdgeCounts.count(page[i]);
        }
    }
}
