package io.cutwater.state.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdjacencyGraphTest {
    @Test
    void listsVerticesInTheOrderInWhichTheEdgesNameThem() {
        EdgeBatch edges = new EdgeBatch();
        edges.add(7, -3);
        edges.add(-3, 5);
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        assertThat(List.of(graph.vertex(0), graph.vertex(1), graph.vertex(2))).containsExactly(7L, -3L, 5L);
        assertThat(neighbours(graph, 1)).containsExactly(7L, 5L);
        assertThat(graph.source(1)).isEqualTo(1);
        assertThat(graph.target(1)).isEqualTo(2);
    }

    @Test
    void givenVerticesComeFirstAndMayBeWithoutAnEdge() {
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, 2);
        AdjacencyGraph graph = AdjacencyGraph.of(new long[] {9, 2}, edges);
        assertThat(graph.vertexCount()).isEqualTo(3);
        assertThat(List.of(graph.vertex(0), graph.vertex(1), graph.vertex(2))).containsExactly(9L, 2L, 1L);
        assertThat(graph.degree(0)).isZero();
        assertThat(graph.edgeCount()).isEqualTo(1);
    }

    @Test
    void aSelfLoopStandsTwiceAndADuplicateOnceMore() {
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, 1);
        edges.add(1, 2);
        edges.add(2, 1);
        AdjacencyGraph graph = AdjacencyGraph.of(edges);
        assertThat(neighbours(graph, 0)).containsExactly(1L, 1L, 2L, 2L);
        assertThat(neighbours(graph, 1)).containsExactly(1L, 1L);
    }

    @Test
    void hasTheSameNeighboursAsAMapOfLists() {
        for (long seed = 0; seed < 200; seed++) {
            EdgeBatch edges = RandomGraphs.graph(seed);
            Map<Long, List<Long>> expected = new HashMap<>();
            for (int i = 0; i < edges.size(); i++) {
                expected.computeIfAbsent(edges.source(i), v -> new ArrayList<>())
                        .add(edges.target(i));
                expected.computeIfAbsent(edges.target(i), v -> new ArrayList<>())
                        .add(edges.source(i));
            }
            AdjacencyGraph graph = AdjacencyGraph.of(edges);
            Map<Long, List<Long>> actual = new HashMap<>();
            for (int v = 0; v < graph.vertexCount(); v++) {
                actual.put(graph.vertex(v), neighbours(graph, v));
            }
            assertThat(actual).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private static List<Long> neighbours(AdjacencyGraph graph, int slot) {
        List<Long> neighbours = new ArrayList<>();
        for (int i = graph.offset(slot); i < graph.offset(slot + 1); i++) {
            neighbours.add(graph.vertex(graph.neighbours()[i]));
        }
        return neighbours;
    }
}
