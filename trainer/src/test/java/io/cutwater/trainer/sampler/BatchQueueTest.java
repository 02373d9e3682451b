package io.cutwater.trainer.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchQueueTest {
    private static final int COLUMNS = 80;

    @TempDir
    Path temp;

    @Test
    void everySeedComesOnceAndIsNeverAVertexOfAnotherOwner() throws Exception {
        RandomGraph graph = new RandomGraph(1, 300, 2000, COLUMNS, 4, 0.9);
        for (ShardStore store : graph.shards(temp, 3)) {
            int[] seeds = store.verticesOf(VertexSplit.TRAIN);
            assertThat(Arrays.stream(seeds)).allMatch(seed -> store.vertex(seed) % 3 == store.shard());
            List<Integer> labels = new ArrayList<>();
            for (MiniBatch batch : epoch(store, List.of(5, 5), 7, 2, 11)) {
                Arrays.stream(batch.labels()).forEach(labels::add);
            }
            assertThat(labels)
                    .containsExactlyInAnyOrderElementsOf(
                            Arrays.stream(seeds).mapToObj(store::label).toList());
        }
    }

    @Test
    void howManyThreadsThereAreChangesNothing() throws Exception {
        ShardStore store = new RandomGraph(2, 300, 2000, COLUMNS, 4, 0.9).whole(temp);
        assertThat(texts(epoch(store, List.of(3, 2), 20, 4, 5)))
                .isEqualTo(texts(epoch(store, List.of(3, 2), 20, 1, 5)))
                .isNotEqualTo(texts(epoch(store, List.of(3, 2), 20, 1, 6)));
    }

    @Test
    void withoutFanoutEveryNeighbourIsThere() throws Exception {
        ShardStore store = new RandomGraph(3, 100, 500, COLUMNS, 4, 0.01).whole(temp);
        MiniBatch batch = epoch(store, List.of(SamplingOptions.ALL, SamplingOptions.ALL), SamplingOptions.ALL, 1, 5)
                .get(0);
        for (Hop hop : batch.hops()) {
            for (int target = 0; target < hop.targetCount(); target++) {
                assertThat(hop.size(target)).isEqualTo(hop.degrees()[target]);
            }
        }
        assertThat(batch.hops().get(1).sourceCount())
                .isEqualTo(batch.hops().get(0).targetCount());
        assertThat(batch.inputs().rows()).isEqualTo(batch.hops().get(0).sourceCount());
    }

    /** In a star of 50 leaves, each leaf is drawn equally often, and none twice in one sample. */
    @Test
    void drawsNeighboursEvenlyAndWithoutReplacement() throws Exception {
        RandomGraph graph = new RandomGraph(4, 51, 0, 2, 2, 0.9);
        for (int leaf = 1; leaf <= 50; leaf++) {
            graph.edges.add(new long[] {0, leaf});
        }
        ShardStore store = graph.whole(temp);
        NeighbourSampler sampler = new NeighbourSampler(store);
        Map<Integer, Integer> drawn = new HashMap<>();
        SplittableRandom random = new SplittableRandom(9);
        for (int round = 0; round < 5000; round++) {
            sampler.begin(new int[] {0}, 0, 1);
            Hop hop = sampler.hop(10, random);
            assertThat(hop.sources()).hasSize(10).doesNotHaveDuplicates();
            assertThat(hop.degrees()[0]).isEqualTo(50);
            assertThat(hop.listed()).containsExactly(50);
            for (int source : hop.sources()) {
                drawn.merge(sampler.vertex(source), 1, Integer::sum);
            }
        }
        // 1000 expected of each, with a standard deviation of 28
        assertThat(drawn)
                .hasSize(50)
                .allSatisfy((leaf, times) -> assertThat(times).isBetween(860, 1140));
    }

    @Test
    void holdsNoMoreBatchesThanItMay() throws Exception {
        ShardStore store = new RandomGraph(5, 300, 2000, COLUMNS, 4, 0.9).whole(temp);
        SamplingOptions options = new SamplingOptions(List.of(5), 4, 2, 3);
        try (BatchQueue queue = new BatchQueue(store, options, store.verticesOf(VertexSplit.TRAIN))) {
            for (int epoch = 0; epoch < 5; epoch++) {
                queue.begin(epoch, 0);
                for (MiniBatch batch; (batch = queue.next()) != null; ) {
                    queue.giveBack(batch);
                }
            }
            assertThat(queue.buffersMade()).isLessThanOrEqualTo(5);
        }
    }

    @Test
    void theMiddleOfAnEpochIsThatOfTheWholeEpoch() throws Exception {
        ShardStore store = new RandomGraph(6, 300, 2000, COLUMNS, 4, 0.9).whole(temp);
        List<String> whole = texts(epoch(store, List.of(3, 2), 9, 1, 5));
        SamplingOptions options = new SamplingOptions(List.of(3, 2), 9, 2, 3);
        try (BatchQueue queue = new BatchQueue(store, options, store.verticesOf(VertexSplit.TRAIN))) {
            assertThat(queue.epochBatches()).isEqualTo(whole.size()).isGreaterThan(5);
            queue.begin(4, 0);
            queue.next();
            queue.begin(5, 4);
            List<MiniBatch> rest = new ArrayList<>();
            for (MiniBatch batch; (batch = queue.next()) != null; ) {
                rest.add(batch);
            }
            assertThat(texts(rest)).isEqualTo(whole.subList(4, whole.size()));
            queue.begin(5, whole.size());
            assertThat(queue.next()).isNull();
        }
    }

    /** A resumed training draws the same samples as an uninterrupted one. */
    @ParameterizedTest(name = "density {0}")
    @ValueSource(doubles = {0.9, 0.02})
    void aBatchOfEverythingThatIsUsedAgainIsThatOfANewQueue(double density) throws Exception {
        ShardStore store = new RandomGraph(7, 100, 500, COLUMNS, 4, density).whole(temp);
        List<Integer> all = List.of(SamplingOptions.ALL, SamplingOptions.ALL);
        List<String> fifth = texts(epoch(store, all, SamplingOptions.ALL, 1, 5));
        SamplingOptions options = new SamplingOptions(all, SamplingOptions.ALL, 1, 3);
        try (BatchQueue queue = new BatchQueue(store, options, store.verticesOf(VertexSplit.TRAIN))) {
            queue.begin(4, 0);
            MiniBatch fourth = Objects.requireNonNull(queue.next());
            queue.giveBack(fourth);
            queue.begin(5, 0);
            MiniBatch again = Objects.requireNonNull(queue.next());
            assertThat(texts(List.of(again))).isEqualTo(fifth).isNotEqualTo(texts(List.of(fourth)));
            assertThat(again.inputs()).isSameAs(fourth.inputs());
            assertThat(queue.next()).isNull();
        }
    }

    private static List<String> texts(List<MiniBatch> batches) {
        return batches.stream()
                .map(batch -> batch.randomSeed()
                        + Arrays.toString(batch.labels())
                        + batch.hops().stream()
                                .map(hop -> Arrays.toString(hop.offsets()) + Arrays.toString(hop.sources()))
                                .toList())
                .toList();
    }

    private static List<MiniBatch> epoch(ShardStore store, List<Integer> fanouts, int size, int threads, long seed)
            throws IOException, InterruptedException {
        List<MiniBatch> batches = new ArrayList<>();
        SamplingOptions options = new SamplingOptions(fanouts, size, threads, 3);
        try (BatchQueue queue = new BatchQueue(store, options, store.verticesOf(VertexSplit.TRAIN))) {
            queue.begin(seed, 0);
            for (MiniBatch batch; (batch = queue.next()) != null; ) {
                batches.add(batch);
            }
        }
        return batches;
    }
}
