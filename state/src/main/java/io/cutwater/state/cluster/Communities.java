package io.cutwater.state.cluster;

import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import java.util.Arrays;

/**
 * Tells clusters of a part of a graph that are communities from those that chance alone leaves.
 *
 * <p>A part with few edges per vertex is nearly a forest, and any clustering of a forest is as good as another. In a
 * denser part, a cluster of n vertices has n − 1 edges in any case, since each vertex came over an edge. The further
 * edges within clusters count: a random graph has few of them, and the more the denser it is. In a small part they do
 * not tell chance from communities, and a plan costs little.
 */
public final class Communities {
    /** Edges per vertex below which a part shows nothing. */
    private static final double SPARSE = 0.75;

    /** Edges per vertex from which chance is told from communities, in a part of {@link #LARGE} edges. */
    private static final double DENSE = 2.2;

    private static final int LARGE = 1 << 18;

    /**
     * Further edges in clusters, as a share of all edges, for each edge per vertex. R-MAT graphs have 0.0008 to 0.003,
     * most real graphs 0.004 to 0.2.
     */
    private static final double LEAST = 0.0029;

    private Communities() {}

    /**
     * @param edgesPerVertex edges of the part for each vertex that has no place yet, those to other vertices included
     * @param clusters of the vertices, 0 to c − 1
     */
    public static boolean areShown(BoundedGraph graph, double edgesPerVertex, int[] clusters) {
        return edgesPerVertex >= SPARSE
                && (edgesPerVertex < DENSE
                        || graph.edgeCount() < LARGE
                        || furtherEdges(graph, clusters) >= LEAST * edgesPerVertex * graph.edgeCount());
    }

    private static long furtherEdges(BoundedGraph graph, int[] clusters) {
        int[] spare = new int[Arrays.stream(clusters).max().orElse(-1) + 1]; // edges of each beyond n − 1
        Arrays.fill(spare, 1);
        for (int cluster : clusters) {
            spare[cluster]--;
        }
        try (EdgePass edges = graph.edges()) {
            while (edges.next()) {
                if (clusters[edges.source()] == clusters[edges.target()]) {
                    spare[clusters[edges.source()]]++;
                }
            }
        }
        return Arrays.stream(spare).filter(of -> of > 0).asLongStream().sum();
    }
}
