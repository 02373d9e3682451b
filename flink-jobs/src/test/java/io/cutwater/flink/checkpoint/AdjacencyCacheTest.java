package io.cutwater.flink.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class AdjacencyCacheTest {
    private static final int MAX_BYTES = 1 << 12;

    private final AdjacencyCache cache = new AdjacencyCache(MAX_BYTES);
    private final RowChunkReader reader = new RowChunkReader();

    private void add(long vertex, long... neighbours) {
        RowChunkWriter writer = new RowChunkWriter();
        writer.start(vertex);
        for (long neighbour : neighbours) {
            writer.add(neighbour, true, 0, new byte[] {1}, 0, 1);
        }
        cache.add(vertex, writer.toBytes(), writer.lastNeighbour());
    }

    private List<Long> neighbours() {
        List<Long> neighbours = new ArrayList<>();
        while (reader.next()) {
            neighbours.add(reader.neighbour());
        }
        return neighbours;
    }

    @Test
    void usageExample() {
        assertThat(cache.read(5, reader)).isFalse();
        add(5, 7, -9);
        cache.append(5, Long.MIN_VALUE, false, 3, new byte[] {4, 5});
        assertThat(cache.read(5, reader)).isTrue();
        assertThat(neighbours()).containsExactly(7L, -9L, Long.MIN_VALUE);
        assertThat(reader.isOutgoing()).isFalse();
        assertThat(reader.number()).isEqualTo(3);
        assertThat(reader.row()).containsExactly(4, 5);
        cache.remove(5);
        assertThat(cache.read(5, reader)).isFalse();
    }

    @Test
    void rowsThatAreAppendedWhileOthersAreReadDoNotChangeThese() {
        add(5, 7, 8);
        assertThat(cache.read(5, reader)).isTrue();
        for (int i = 0; i < 20; i++) {
            cache.append(5, i, true, 0, new byte[] {1});
        }
        assertThat(neighbours()).containsExactly(7L, 8L);
    }

    @Test
    void aVertexThatIsReadAgainStaysLongerThanOthers() {
        add(-1, 1);
        for (int vertex = 0; vertex < MAX_BYTES; vertex++) {
            add(vertex, 2);
            assertThat(cache.read(-1, reader)).isTrue();
        }
        assertThat(cache.read(0, reader)).isFalse();
    }

    @Test
    void aVertexWithTooManyRowsStaysOutside() {
        add(5, 1);
        for (int i = 0; i < MAX_BYTES / 16; i++) {
            cache.append(5, i, true, 0, new byte[] {1});
        }
        assertThat(cache.read(5, reader)).isFalse();
    }

    @Test
    void hasTheRowsOfAMapOrNone() {
        SplittableRandom random = new SplittableRandom(8);
        Map<Long, List<Long>> expected = new HashMap<>();
        int hits = 0;
        for (int i = 0; i < 50_000; i++) {
            long vertex = random.nextInt(100);
            List<Long> rows = expected.computeIfAbsent(vertex, v -> new ArrayList<>());
            if (random.nextInt(100) == 0) {
                rows.clear();
                cache.remove(vertex);
            } else if (random.nextBoolean()) {
                rows.add((long) i);
                cache.append(vertex, i, true, 0, new byte[] {1});
            } else if (cache.read(vertex, reader)) {
                assertThat(neighbours()).isEqualTo(rows);
                hits++;
            } else {
                add(vertex, rows.stream().mapToLong(Long::longValue).toArray());
            }
        }
        assertThat(hits).isBetween(1000, 24_000);
    }
}
