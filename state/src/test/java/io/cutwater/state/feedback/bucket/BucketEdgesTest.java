package io.cutwater.state.feedback.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.store.MapAdjacencyStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BucketEdgesTest {
    private static final int BUCKETS = 4;

    private static List<String> ends(BucketEdges edges, long vertex) {
        List<String> found = new ArrayList<>();
        EdgeBatch ends = new EdgeBatch();
        Runnable take = () -> {
            assertThat(ends.size()).isLessThanOrEqualTo(EdgeBatch.DEFAULT_CAPACITY);
            for (int i = 0; i < ends.size(); i++) {
                String key = ends.key(i) == EdgeBatch.NO_KEY ? "" : " #" + ends.key(i);
                found.add(ends.source(i) + " " + ends.target(i) + key);
            }
            ends.clear();
        };
        edges.endsFrom(vertex, ends, take);
        take.run();
        return found;
    }

    @Test
    void showsTheEdgesThatLeadFromAVertexOfEitherKind() {
        for (boolean hasPlaces : new boolean[] {true, false}) {
            MapAdjacencyStore rows = new MapAdjacencyStore();
            StoredEdges ofOneTask =
                    hasPlaces ? StoredEdges.ofEdgesByBothEnds(rows, 0) : StoredEdges.ofVertices(rows, 0);
            long[][] all = {{1, 2}, {1, 2}, {3, 1}, {1, 1}, {2, 3}};
            for (long[] edge : all) {
                int place = hasPlaces ? 3 : EdgeBatch.NO_PLACE;
                ofOneTask.add(edge[0], edge[1], place, 0.5, 7, EdgeBatch.NO_KEY, false);
            }
            BucketEdges edges = new BucketEdges(rows, hasPlaces, 0, BUCKETS);
            assertThat(ends(edges, 1)).containsExactlyInAnyOrder("1 2", "1 2", "1 1");
            assertThat(ends(edges, 2)).containsExactly("2 3");
            assertThat(ends(edges, 3)).containsExactly("3 1");
            assertThat(ends(edges, 4)).isEmpty();
        }
    }

    /** More of them than a row, and a batch, has. */
    @Test
    void showsCopiesWithKeysInTheirOrder() {
        MapAdjacencyStore store = new MapAdjacencyStore();
        StoredEdges ofOneTask = StoredEdges.ofEdgesByBothEnds(store, StoredEdges.COUNTS);
        Map<Long, List<String>> expected = new HashMap<>();
        for (int i = 0; i < 3 * EdgeBatch.DEFAULT_CAPACITY; i++) {
            long target = i % 5 == 0 ? i % 20 : i;
            long key = target % 7 == 0 ? EdgeBatch.NO_KEY : 1_000_000 - i;
            ofOneTask.add(9, target, 1, Double.NaN, i, key, false);
            expected.computeIfAbsent(target, ignored -> new ArrayList<>())
                    .add("9 " + target + (key == EdgeBatch.NO_KEY ? "" : " #" + key));
        }
        Map<Long, List<String>> found = new HashMap<>();
        for (String end : ends(new BucketEdges(store, true, 0, BUCKETS), 9)) {
            found.computeIfAbsent(Long.parseLong(end.split(" ", -1)[1]), ignored -> new ArrayList<>())
                    .add(end);
        }
        assertThat(found).isEqualTo(expected);
    }
}
