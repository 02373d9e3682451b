package io.cutwater.state.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.store.MapAdjacencyStore;
import io.cutwater.state.table.MapVertexStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EdgesByKeyTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final long NO_TIMESTAMP = EdgeBatch.NO_TIMESTAMP;
    /** 5 keys; the tests have more, so the filter is often wrong. */
    private static final long FILTER_BYTES = 64;

    private final MapVertexStore store = new MapVertexStore();
    private final MapAdjacencyStore byVertex = new MapAdjacencyStore();
    private EdgesByKey edges = new EdgesByKey(store, 0, 0, FILTER_BYTES, byVertex);
    private final EdgeBatch rows = new EdgeBatch();
    private final EdgeBatch changes = new EdgeBatch();

    private void put(long key, long source, long target, double weight, long timestamp) {
        rows.add(source, target, weight, timestamp);
        rows.setKey(rows.size() - 1, key);
    }

    private void put(long key, long source, long target) {
        put(key, source, target, Double.NaN, NO_TIMESTAMP);
    }

    private void remove(long key) {
        rows.add(0, 0);
        rows.setRemoval(rows.size() - 1);
        rows.setKey(rows.size() - 1, key);
    }

    private List<String> apply() {
        changes.clear();
        edges.apply(rows, changes);
        rows.clear();
        List<String> all = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            assertThat(changes.key(i)).isNotEqualTo(EdgeBatch.NO_KEY);
            all.add("%s%d-%d".formatted(changes.isRemoval(i) ? "-" : "+", changes.source(i), changes.target(i)));
        }
        return all;
    }

    @Test
    void anEdgeReplacesTheOneOfItsKeyAndAnEqualOneChangesNothing() {
        put(7, 1, 2);
        put(8, 1, 2);
        put(7, 1, 2);
        put(7, 1, 3);
        remove(8);
        remove(9);
        assertThat(apply()).containsExactly("+1-2", "+1-2", "-1-2", "+1-3", "-1-2");
        assertThat(IntStream.range(0, changes.size()).mapToLong(changes::key)).containsExactly(7L, 8L, 7L, 7L, 8L);
        assertThat(edges.repeated()).isEqualTo(1);
        assertThat(edges.unknownRemovals()).isEqualTo(1);
        put(7, 1, 3);
        put(7, 1, 3, 0.5, NO_TIMESTAMP);
        put(7, 1, 3, 0.5, -4);
        assertThat(apply()).containsExactly("-1-3", "+1-3", "-1-3", "+1-3");
        assertThat(changes.weight(1)).isEqualTo(0.5);
        assertThat(changes.timestamp(3)).isEqualTo(-4);
        put(7, 1, 3, 0.5, -4);
        assertThat(apply()).isEmpty();
        assertThat(edges.repeated()).isEqualTo(3);
        remove(7);
        put(7, 1, 3, 0.5, -4);
        remove(7);
        assertThat(apply()).containsExactly("-1-3", "+1-3", "-1-3");
        assertThat(store.size()).isZero();
    }

    /** The graph that the changes make is that of a map from keys to edges, whatever the batches and restarts. */
    @Test
    void theGraphIsThatOfAMapWhateverTheBatchesAndRestarts() {
        long[] told = {30};
        SplittableRandom random = new SplittableRandom(5);
        Map<Long, String> expected = new HashMap<>();
        Map<String, Integer> graph = new HashMap<>();
        for (int i = 0; i < 4_000; i++) {
            long key = random.nextInt(60) - 30;
            if (random.nextInt(3) == 0) {
                remove(key);
                expected.remove(key);
            } else {
                long source = random.nextInt(4);
                put(key, source, -source);
                expected.put(key, source + "-" + -source);
            }
            if (random.nextInt(100) == 0) {
                count(apply(), graph);
                long vertex = random.nextInt(7) - 3;
                changes.clear();
                edges.removeVertex(vertex, changes);
                assertThat(changes.isVertexRemoval(0)).isTrue();
                assertThat(changes.source(0)).isEqualTo(vertex);
                assertThat(changes.size()).isEqualTo(1);
                String gone = Math.abs(vertex) + "-" + -Math.abs(vertex);
                graph.remove(gone);
                expected.values().removeIf(gone::equals);
            }
            if (random.nextInt(50) == 0) {
                count(apply(), graph);
                assertThat(graph).isEqualTo(copies(expected));
                // After a restart the filter hears of a few keys before each batch.
                if (random.nextInt(12) == 0) {
                    edges = new EdgesByKey(store, edges.repeated(), edges.unknownRemovals(), FILTER_BYTES, byVertex);
                    told[0] = -30;
                    edges.restoring(unread -> unread >= told[0]);
                }
                for (int left = 10; left > 0 && told[0] < 30; left--, told[0]++) {
                    if (store.read(told[0]) != null) {
                        edges.restored(told[0]);
                    }
                }
                if (told[0] == 30) {
                    edges.restoredAll();
                }
            }
        }
        assertThat(edges.repeated()).isGreaterThan(100);
        for (long vertex = -3; vertex <= 3; vertex++) {
            edges.removeVertex(vertex, changes);
        }
        assertThat(store.size()).isZero();
        assertThat(byVertex.rows()).isZero();
    }

    @Test
    void aRemovedVertexTakesTheEdgesOfManyKeys() {
        for (int key = 0; key < 3 * EdgeBatch.DEFAULT_CAPACITY; key++) {
            put(key, key % 2 == 0 ? -1 : key, key % 2 == 0 ? key : -1);
        }
        put(-2, 5, 6);
        apply();
        changes.clear();
        edges.removeVertex(-1, changes);
        assertThat(store.size()).isEqualTo(1);
        put(3, 3, -1);
        put(-2, 5, 6);
        assertThat(apply()).containsExactly("+3--1");
    }

    private static void count(List<String> changes, Map<String, Integer> graph) {
        for (String change : changes) {
            int copies = graph.merge(change.substring(1), change.charAt(0) == '+' ? 1 : -1, Integer::sum);
            assertThat(copies).isNotNegative();
            graph.values().remove(0);
        }
    }

    private static Map<String, Integer> copies(Map<Long, String> edges) {
        Map<String, Integer> copies = new HashMap<>();
        edges.values().forEach(edge -> copies.merge(edge, 1, Integer::sum));
        return copies;
    }

    @Test
    void newKeysAreNotLookedForInTheStore() {
        edges = new EdgesByKey(store, 0, 0, 1 << 12, null);
        for (int key = 0; key < 1_000; key++) {
            put(key, key, 1);
        }
        apply();
        assertThat(store.reads()).isZero();
        put(3, 3, 2);
        put(-3, 3, 2);
        assertThat(apply()).containsExactly("-3-1", "+3-2", "+3-2");
        assertThat(store.reads()).isEqualTo(1);
    }

    /** Bytes in checkpoints: a build must read those of earlier ones. */
    @ParameterizedTest
    @CsvSource({
        "1, 300, NaN, , 0101ac02",
        "1, 2, 1.5, , 210102bff003",
        "-1, 2, 1.5, 1000, 61ffffffffffffffffff0102bff003d00f",
        "1, 2, NaN, -1, 41010201"
    })
    void storedBytesStayAsTheyAre(long source, long target, double weight, Long timestamp, String bytes) {
        long time = timestamp == null ? NO_TIMESTAMP : timestamp;
        put(5, source, target, weight, time);
        apply();
        assertThat(HEX.formatHex(store.read(5))).isEqualTo(bytes);
        edges.restoring(key -> true);
        store.putAll(Map.of(6L, HEX.parseHex(bytes)));
        put(6, source, target, weight, time);
        assertThat(apply()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "02, has version 2; this build reads version 1",
        "0101, is truncated after 2 bytes",
        "01010203, ends after 3"
    })
    void otherBytesAreRefused(String bytes, String reason) {
        edges.restoring(key -> true);
        store.putAll(Map.of(1L, HEX.parseHex(bytes)));
        put(1, 1, 2);
        assertThatIllegalStateException().isThrownBy(this::apply).withMessageContaining(reason);
    }
}
