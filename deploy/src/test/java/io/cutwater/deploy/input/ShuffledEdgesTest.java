package io.cutwater.deploy.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.ingest.EdgeSupplier;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ShuffledEdgesTest {
    private static final int EDGES = 10_000;

    @Test
    void theSeedDecidesTheOrderAndNoEdgeIsLostOrDoubled() throws IOException {
        List<Long> first = sources(new ShuffledEdges(inOrder(), 1));
        assertThat(first).hasSize(EDGES).doesNotHaveDuplicates().isNotEqualTo(sources(inOrder()));
        assertThat(sources(new ShuffledEdges(inOrder(), 1))).isEqualTo(first);
        assertThat(sources(new ShuffledEdges(inOrder(), 2))).isNotEqualTo(first);
    }

    @Test
    void anEdgeKeepsItsWeightAndWhatIsNoEdgeIsPassedOn() throws IOException {
        EdgeBatch batch = new EdgeBatch();
        ShuffledEdges shuffled = new ShuffledEdges(inOrder(), 3);
        assertThat(shuffled.next(batch)).isTrue();
        assertThat(batch.rejected()).hasSize(1);
        for (int i = 0; i < batch.size(); i++) {
            assertThat(batch.weight(i)).isEqualTo(batch.source(i) / 2.0);
        }
    }

    @Test
    void nothingStaysNothing() throws IOException {
        assertThat(new ShuffledEdges(into -> false, 1).next(new EdgeBatch())).isFalse();
    }

    /** Edges 0, 1, 2 … with a weight each, and one record that is none. */
    private static EdgeSupplier inOrder() {
        int[] next = {0};
        return into -> {
            if (next[0] == 0) {
                into.reject(new RejectedRecord("no edge", "file", -1, 1, null, new byte[0]));
            }
            for (int i = 0; i < 3_000 && next[0] < EDGES; i++) {
                into.add(next[0], -next[0], next[0] / 2.0, EdgeBatch.NO_TIMESTAMP);
                next[0]++;
            }
            return !into.isEmpty();
        };
    }

    private static List<Long> sources(EdgeSupplier supplier) throws IOException {
        List<Long> sources = new ArrayList<>();
        EdgeBatch batch = new EdgeBatch();
        while (supplier.next(batch)) {
            for (int i = 0; i < batch.size(); i++) {
                sources.add(batch.source(i));
            }
            batch.clear();
        }
        return sources;
    }
}
