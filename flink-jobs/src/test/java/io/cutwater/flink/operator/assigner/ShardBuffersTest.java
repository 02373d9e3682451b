package io.cutwater.flink.operator.assigner;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.placement.ShardChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardBuffersTest {
    private final List<String> released = new ArrayList<>();
    private final ShardBuffers buffers = new ShardBuffers(PartitioningKind.VERTEX, 3, this::release);

    private void release(ShardBatch batch) {
        EdgeBatch edges = batch.edges();
        for (int i = 0; i < edges.size(); i++) {
            released.add("%d: %d %d %s at %d"
                    .formatted(batch.shard(), edges.source(i), edges.target(i), edges.weight(i), edges.place(i)));
        }
    }

    @Test
    void sendsAnEdgeWithTwoOwnersToBoth() {
        buffers.placed(1, 2, 0.5, EdgeBatch.NO_TIMESTAMP, EdgeBatch.NO_KEY, Place.of(2, 0));
        buffers.placed(3, 4, Double.NaN, EdgeBatch.NO_TIMESTAMP, EdgeBatch.NO_KEY, Place.of(2, 2));
        buffers.flush();
        assertThat(released)
                .containsExactly(
                        "0: 1 2 0.5 at " + Place.of(2, 0),
                        "2: 1 2 0.5 at " + Place.of(2, 0),
                        "2: 3 4 NaN at " + Place.of(2, 2));
    }

    @Test
    void edgesOfAnEdgePartitioningLeaveInTheShortForm() {
        ShardBuffers buffers = new ShardBuffers(PartitioningKind.EDGE, 3, this::release);
        buffers.placed(1, 2, Double.NaN, EdgeBatch.NO_TIMESTAMP, EdgeBatch.NO_KEY, Place.of(1));
        buffers.changed(ShardChange.REMOVE, 1, 2, Double.NaN, EdgeBatch.NO_TIMESTAMP, EdgeBatch.NO_KEY, 1, Place.of(1));
        buffers.flush();
        assertThat(released)
                .containsExactly("1: 1 2 NaN at " + EdgeBatch.NO_PLACE, "1: 1 2 NaN at " + EdgeBatch.NO_PLACE);
    }

    @Test
    void releasesAdditionsBeforeRemovals() {
        List<String> changes = new ArrayList<>();
        ShardBuffers buffers = new ShardBuffers(
                PartitioningKind.EDGE,
                2,
                batch -> changes.add("%d %s %d of %d"
                        .formatted(batch.shard(), batch.change(), batch.edges().size(), batch.generation())));
        buffers.changed(ShardChange.REMOVE, 1, 2, Double.NaN, EdgeBatch.NO_TIMESTAMP, EdgeBatch.NO_KEY, 0, Place.of(0));
        buffers.changed(ShardChange.EVICT, 3, 4, Double.NaN, EdgeBatch.NO_TIMESTAMP, EdgeBatch.NO_KEY, 0, Place.of(0));
        buffers.changed(ShardChange.ADOPT, 3, 4, Double.NaN, EdgeBatch.NO_TIMESTAMP, EdgeBatch.NO_KEY, 1, Place.of(1));
        buffers.changed(ShardChange.ADOPT, 5, 6, Double.NaN, EdgeBatch.NO_TIMESTAMP, EdgeBatch.NO_KEY, 0, Place.of(0));
        buffers.placed(1, 2, Double.NaN, EdgeBatch.NO_TIMESTAMP, EdgeBatch.NO_KEY, Place.of(0));
        buffers.setGeneration(1);
        buffers.placed(1, 2, Double.NaN, EdgeBatch.NO_TIMESTAMP, EdgeBatch.NO_KEY, Place.of(0));
        buffers.flush();
        assertThat(changes)
                .containsExactly(
                        "0 ADD 1 of 0",
                        "0 ADOPT 1 of 0",
                        "0 REMOVE 1 of 0",
                        "0 EVICT 1 of 0",
                        "1 ADOPT 1 of 0",
                        "0 ADD 1 of 1");
    }

    /** A reader that applies the batches in order never removes a missing edge, and ends with the right edges. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void theBatchesOfAShardSumUpToTheShard(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Integer> expected = new HashMap<>();
        List<String> there = new ArrayList<>();
        Map<String, Integer> replayed = new HashMap<>();
        ShardBuffers buffers = new ShardBuffers(PartitioningKind.VERTEX, 3, batch -> replay(batch, replayed));
        for (int step = 0; step < 40_000; step++) {
            // Fills, then empties: full buffers of every change on the way.
            boolean enters = there.isEmpty() || random.nextInt(100) < (step < 20_000 ? 70 : 25);
            int at = enters ? 0 : random.nextInt(there.size());
            String edge = enters ? random.nextInt(3) + " " + random.nextInt(50) : there.get(at);
            if (enters) {
                there.add(edge);
            } else {
                there.set(at, there.get(there.size() - 1));
                there.remove(there.size() - 1);
            }
            expected.merge(edge, enters ? 1 : -1, Integer::sum);
            boolean isMove = random.nextBoolean();
            ShardChange change = enters
                    ? isMove ? ShardChange.ADOPT : ShardChange.ADD
                    : isMove ? ShardChange.EVICT : ShardChange.REMOVE;
            String[] words = edge.split(" ", -1);
            int shard = Integer.parseInt(words[0]);
            long source = Long.parseLong(words[1]);
            buffers.changed(
                    change, source, 7, Double.NaN, EdgeBatch.NO_TIMESTAMP, EdgeBatch.NO_KEY, shard, Place.of(shard, 1));
            if (random.nextInt(5000) == 0) {
                buffers.setGeneration(step);
            }
        }
        buffers.flush();
        expected.values().removeIf(copies -> copies == 0);
        assertThat(replayed).isEqualTo(expected);
    }

    private static void replay(ShardBatch batch, Map<String, Integer> shards) {
        for (int i = 0; i < batch.edges().size(); i++) {
            String edge = batch.shard() + " " + batch.edges().source(i);
            int copies = shards.merge(edge, batch.change().isEntering() ? 1 : -1, Integer::sum);
            assertThat(copies).as("copies of " + edge).isNotNegative();
            if (copies == 0) {
                shards.remove(edge);
            }
            assertThat(batch.edges().place(i)).isEqualTo(Place.of(batch.shard(), 1));
        }
    }
}
