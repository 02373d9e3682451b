package io.cutwater.state.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import org.junit.jupiter.api.Test;

class CommunitiesTest {
    private static final int K = 8;

    /** Clusters have the caps of {@code cutwater}, 3 % of a partition. */
    private static boolean areShown(SyntheticGraph graph, int edgeCount) {
        EdgeBatch edges = new EdgeBatch();
        graph.fill(edges, edgeCount);
        AdjacencyGraph adjacency = AdjacencyGraph.sorted(edges);
        int maxEdges = 3 * edgeCount / (100 * K);
        int maxVertices = 3 * adjacency.vertexCount() / (100 * K);
        int[] clusters =
                new ModularityClustering(adjacency.vertexCount(), edgeCount, 2L * maxEdges, maxVertices).of(adjacency);
        return Communities.areShown(adjacency, (double) edgeCount / adjacency.vertexCount(), clusters, K);
    }

    @Test
    void aGraphOfCommunitiesShowsThem() {
        assertThat(areShown(SyntheticGraph.growingCommunities(40, 1), 300_000)).isTrue();
        assertThat(areShown(SyntheticGraph.growingCommunities(40, 1), 5000)).isTrue();
    }

    @Test
    void aGraphOfHubsShowsNone() {
        assertThat(areShown(SyntheticGraph.rmat(14, 1), 300_000)).isFalse();
        assertThat(areShown(SyntheticGraph.rmat(20, 1), 300_000)).isFalse(); // two edges for each vertex
    }

    @Test
    void fewEdgesShowNone() {
        assertThat(areShown(SyntheticGraph.rmat(22, 1), 20_000)).isFalse();
    }

    @Test
    void edgesToVerticesThatHaveTheirPlaceCount() {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph.rmat(22, 1).fill(edges, 20_000);
        AdjacencyGraph graph = AdjacencyGraph.sorted(edges);
        double edgesPerVertex = (graph.edgeCount() + 0.5 * graph.vertexCount()) / graph.vertexCount();
        assertThat(Communities.areShown(graph, edgesPerVertex, new int[graph.vertexCount()], K))
                .isTrue();
    }

    @Test
    void anEmptyGraphShowsNone() {
        assertThat(Communities.areShown(AdjacencyGraph.sorted(new EdgeBatch()), 0.0, new int[0], K))
                .isFalse();
    }
}
