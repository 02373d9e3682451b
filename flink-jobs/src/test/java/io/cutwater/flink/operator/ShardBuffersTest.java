package io.cutwater.flink.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.OwnerPair;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardBuffersTest {
    private final List<String> released = new ArrayList<>();
    private final ShardBuffers buffers = new ShardBuffers(3, batch -> {
        EdgeBatch edges = batch.edges();
        for (int i = 0; i < edges.size(); i++) {
            released.add("%d: %d %d %s at %d"
                    .formatted(batch.shard(), edges.source(i), edges.target(i), edges.weight(i), edges.place(i)));
        }
    });

    @Test
    void anEdgeWithTwoOwnersGoesToBothWithTheirNames() {
        buffers.placed(1, 2, .5, EdgeBatch.NO_TIMESTAMP, 2, 0);
        buffers.placed(3, 4, Double.NaN, EdgeBatch.NO_TIMESTAMP, 2, 2);
        buffers.flush();
        assertThat(released)
                .containsExactly(
                        "0: 1 2 0.5 at " + OwnerPair.of(2, 0),
                        "2: 1 2 0.5 at " + OwnerPair.of(2, 0),
                        "2: 3 4 NaN at " + OwnerPair.of(2, 2));
    }

    @Test
    void anEdgeOnOnePartitionHasNoPlaceEvenIfItCameWithOne() {
        EdgeBatch batch = new EdgeBatch();
        batch.add(1, 2);
        batch.setPlace(0, 1);
        buffers.placed(batch, new int[] {1});
        buffers.flush();
        assertThat(released).containsExactly("1: 1 2 NaN at " + EdgeBatch.NO_PLACE);
    }
}
