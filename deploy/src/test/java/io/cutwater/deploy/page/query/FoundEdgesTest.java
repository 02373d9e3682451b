package io.cutwater.deploy.page.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.placement.ShardChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The edges that are found, against the edges that are in the shards. */
class FoundEdgesTest {
    private record Change(int shard, ShardChange change, int target) {}

    @Test
    void theOrderBetweenShardsDoesNotMatter() {
        int shards = 4;
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            List<int[]> present = new ArrayList<>(); // target and shard of each parallel edge
            List<Deque<Change>> logs = new ArrayList<>();
            for (int shard = 0; shard < shards; shard++) {
                logs.add(new ArrayDeque<>());
            }
            for (int step = 0; step < 60; step++) {
                int shard = random.nextInt(shards);
                if (present.isEmpty() || random.nextInt(3) == 0) {
                    int target = random.nextInt(5);
                    present.add(new int[] {target, shard});
                    logs.get(shard).add(new Change(shard, ShardChange.ADD, target));
                    continue;
                }
                int[] edge = present.remove(random.nextInt(present.size()));
                boolean isMoved = random.nextBoolean();
                logs.get(edge[1]).add(new Change(edge[1], isMoved ? ShardChange.EVICT : ShardChange.REMOVE, edge[0]));
                if (isMoved) {
                    present.add(new int[] {edge[0], shard});
                    logs.get(shard).add(new Change(shard, ShardChange.ADOPT, edge[0]));
                }
            }
            Map<FoundEdges.Edge, TreeSet<Integer>> expected = new HashMap<>();
            for (int[] edge : present) {
                expected.computeIfAbsent(new FoundEdges.Edge(9, edge[0]), none -> new TreeSet<>())
                        .add(edge[1]);
            }
            FoundEdges found = new FoundEdges(1_000);
            while (!logs.isEmpty()) {
                Deque<Change> log = logs.get(random.nextInt(logs.size()));
                if (log.isEmpty()) {
                    logs.remove(log);
                } else {
                    Change next = log.remove();
                    found.accept(next.shard(), next.change(), 9, next.target());
                }
            }
            Map<FoundEdges.Edge, TreeSet<Integer>> read = new HashMap<>();
            found.shards()
                    .forEach((edge, of) -> of.forEach(shard ->
                            read.computeIfAbsent(edge, none -> new TreeSet<>()).add(shard)));
            assertThat(read).as("seed %d", seed).isEqualTo(expected);
            assertThat(found.isFull()).isFalse();
        }
    }

    @Test
    void memoryIsBounded() {
        FoundEdges found = new FoundEdges(3);
        found.accept(0, ShardChange.ADD, 1, 2);
        found.accept(1, ShardChange.ADD, 1, 2);
        found.accept(0, ShardChange.ADD, 1, 3);
        found.accept(0, ShardChange.ADD, 1, 3);
        assertThat(found.isFull()).isFalse();
        found.accept(0, ShardChange.ADD, 1, 4);
        assertThat(found.isFull()).isTrue();
        found.accept(1, ShardChange.REMOVE, 1, 2);
        found.accept(0, ShardChange.REMOVE, 1, 3);
        found.accept(0, ShardChange.REMOVE, 1, 4); // was left out
        found.accept(2, ShardChange.REMOVE, 5, 6); // entered before
        found.accept(2, ShardChange.ADD, 1, 5);
        assertThat(found.shards().keySet())
                .containsExactly(new FoundEdges.Edge(1, 2), new FoundEdges.Edge(1, 3), new FoundEdges.Edge(1, 5));
        assertThat(found.shards().get(new FoundEdges.Edge(1, 2))).containsExactly(0);
    }
}
