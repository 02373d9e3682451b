package io.cutwater.kafka.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.replay.RandomShards.ShardChangeRecord;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitioningKind;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardReplayTest {
    /** After any number of records, and back to nothing at the end. */
    @ParameterizedTest(name = "{0}, seed {1}")
    @CsvSource({"EDGE, 1", "EDGE, 2", "EDGE, 3", "VERTEX, 4", "VERTEX, 5", "VERTEX, 6"})
    void aReplayHoldsExactlyTheShard(PartitioningKind kind, long seed) {
        int k = 3;
        RandomShards graph = new RandomShards(seed, kind, k);
        ShardReplay[] replays = IntStream.range(0, k).mapToObj(ShardReplay::new).toArray(ShardReplay[]::new);
        for (int step = 0; step < 3_000 || !graph.isEmpty(); step++) {
            graph.step(step < 2_000);
            for (ShardChangeRecord record : graph.drain()) {
                replays[record.shard()].apply(record.header(), record.edges());
            }
            if (step % 100 == 0) {
                for (ShardReplay replay : replays) {
                    assertThat(RandomShards.text(replay.edges())).isEqualTo(graph.shard(replay.shard()));
                    assertThat(replay.generation()).isLessThanOrEqualTo(graph.generation());
                }
            }
        }
        for (ShardReplay replay : replays) {
            assertThat(replay.edges().isEmpty()).isTrue();
            assertThat(replay.kind()).contains(kind);
        }
    }

    @Test
    void refusesAnEdgeThatLeavesAndIsNotThere() {
        ShardReplay replay = new ShardReplay(3);
        replay.apply(new Header(Kind.ADD, 0), edges(1, 2, 0.5, EdgeBatch.NO_PLACE));
        assertThatThrownBy(() -> replay.apply(new Header(Kind.EVICT, 1), edges(1, 2, 0.25, EdgeBatch.NO_PLACE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("edge (1, 2) leaves shard 3 (EVICT) but is not in it: records of the topic are missing,"
                        + " or two jobs have written it");
        assertThat(replay.generation()).isEqualTo(1);
    }

    @Test
    void refusesEdgesOfAnotherKindAndThoseOfOtherShards() {
        ShardReplay replay = new ShardReplay(3);
        replay.apply(new Header(Kind.ADD_OWNED, 0), edges(1, 2, 0.5, Place.of(3, 7)));
        assertThatThrownBy(() -> replay.apply(new Header(Kind.ADD, 0), edges(1, 2, 0.5, EdgeBatch.NO_PLACE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of kind edge after some of kind vertex: two jobs");
        assertThatThrownBy(() -> replay.apply(new Header(Kind.ADOPT_OWNED, 0), edges(1, 2, 0.5, Place.of(1, 7))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("edge (1, 2) is not of shard 3, which owns neither end: 1, 7");
    }

    private static EdgeBatch edges(long source, long target, double weight, int place) {
        EdgeBatch edges = new EdgeBatch(1);
        edges.add(source, target, weight, EdgeBatch.NO_TIMESTAMP);
        if (place != EdgeBatch.NO_PLACE) {
            edges.setPlace(0, place);
        }
        return edges;
    }
}
