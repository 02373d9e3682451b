package io.cutwater.state.cluster;

import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import java.util.Arrays;

/**
 * Tells clusters of a part of a graph that are communities from those that chance alone leaves.
 *
 * <p>A part with few edges per vertex is nearly a forest, and any clustering of a forest is as good as another. In a
 * denser part, a cluster of n vertices has n − 1 edges in any case, since each vertex came over an edge. The further
 * edges within clusters count. A random graph with the same degrees has vol² / 4m edges within a cluster of volume vol,
 * and a clustering that looks for edges finds some more, the more the smaller its clusters are. In a small part they do
 * not tell chance from communities, and a plan costs little.
 */
public final class Communities {
    /** Edges per vertex below which a part shows nothing. */
    private static final double SPARSE = 0.75;

    /** Edges from which chance is told from communities. */
    private static final int LARGE = 1 << 18;

    /**
     * Further edges in clusters, times what chance leaves there, for the square root of the number of partitions, which
     * bounds the clusters. R-MAT graphs of 2^16 to 2^22 vertices have 0.1 to 2, real graphs 2.6 to 60 (4 to 128
     * partitions, 300,000 edges or more).
     */
    private static final double LEAST = 2.3;

    private Communities() {}

    /**
     * @param edgesPerVertex edges of the part for each vertex that has no place yet, those to other vertices included
     * @param clusters of the vertices, 0 to c − 1
     * @param partitionCount k; clusters are bounded by a share of a partition
     */
    public static boolean areShown(BoundedGraph graph, double edgesPerVertex, int[] clusters, int partitionCount) {
        return edgesPerVertex >= SPARSE
                && (graph.edgeCount() < LARGE || excess(graph, clusters) >= LEAST * Math.sqrt(partitionCount));
    }

    /** Returns how many times as many further edges there are in clusters as chance leaves in these. */
    private static double excess(BoundedGraph graph, int[] clusters) {
        int count = Arrays.stream(clusters).max().orElse(-1) + 1;
        int[] further = new int[count]; // edges of each beyond n − 1
        long[] volumes = new long[count];
        Arrays.fill(further, 1);
        for (int v = 0; v < clusters.length; v++) {
            further[clusters[v]]--;
            volumes[clusters[v]] += graph.degree(v);
        }
        try (EdgePass edges = graph.edges()) {
            while (edges.next()) {
                if (clusters[edges.source()] == clusters[edges.target()]) {
                    further[clusters[edges.source()]]++;
                }
            }
        }
        long found = 0;
        double chance = 0;
        for (int cluster = 0; cluster < count; cluster++) {
            if (further[cluster] > 0) {
                found += further[cluster];
                chance += (double) volumes[cluster] * volumes[cluster] / (4.0 * graph.edgeCount());
            }
        }
        return found == 0 ? 0 : found / chance;
    }
}
