package io.cutwater.trainer.linked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cutwater.format.VertexSplit;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.fullgraph.TestShards;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class LinkedShardTest {
    @TempDir
    private Path folder;

    private final RandomGraph graph = new RandomGraph(3, 150, 500, 40, 4, 0.1);

    private List<LinkedShard> linked(RandomGraph of, PartitioningKind kind, int k) throws Exception {
        ShardSource source = new TestShards(of, kind, k, folder).source();
        List<ShardStore> stores = new ArrayList<>();
        for (int shard = 0; shard < k; shard++) {
            stores.add(source.make(shard, ShardCut.only(k), Files.createTempDirectory(folder, "store")));
        }
        return TestLinks.link(stores, kind);
    }

    private static long id(List<LinkedShard> shards, long vertex) {
        return shards.get(Address.shard(vertex)).store().vertex(Address.local(vertex));
    }

    /** Returns the ids of a sample of one vertex that a shard asks for. */
    private static List<Long> sample(
            List<LinkedShard> shards, int asker, long vertex, int degree, int fanout, long draw) throws Exception {
        GraphSampler sampler = new GraphSampler(new GraphReader(shards.get(asker)));
        sampler.begin();
        sampler.target(vertex, degree);
        int[] sources = sampler.hop(fanout, draw).sources();
        long[] numbers = sampler.vertices();
        return Arrays.stream(sources)
                .mapToObj(source -> id(shards, numbers[source]))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(PartitioningKind.class)
    void everyShardReadsTheWholeGraph(PartitioningKind kind) throws Exception {
        int k = 4;
        List<LinkedShard> shards = linked(graph, kind, k);
        Map<Long, List<Long>> neighbours = new TreeMap<>();
        for (long[] edge : graph.edges) {
            if (edge[0] != edge[1]) {
                neighbours.computeIfAbsent(edge[0], v -> new ArrayList<>()).add(edge[1]);
                neighbours.computeIfAbsent(edge[1], v -> new ArrayList<>()).add(edge[0]);
            }
        }
        for (LinkedShard shard : shards) {
            GraphReader reader = new GraphReader(shards.get((shard.rank() + 1) % k));
            for (int local = 0; local < shard.store().vertexCount(); local++) {
                long vertex = shard.address(local);
                long id = shard.store().vertex(local);
                assertThat(id(shards, vertex)).isEqualTo(id);
                List<Long> expected = neighbours.getOrDefault(id, List.of());
                assertThat(shard.degree(local)).isEqualTo(expected.size());
                assertThat(sample(shards, (shard.rank() + 1) % k, vertex, shard.degree(local), SamplingOptions.ALL, 0))
                        .containsExactlyInAnyOrderElementsOf(expected);
                RemoteRow row = reader.features(new long[] {vertex}, 1)[0];
                float[] dense = new float[graph.columns];
                for (int i = 0; i < row.values().length; i++) {
                    dense[row.isDense() ? i : row.columns()[i]] = row.values()[i];
                }
                assertThat(dense).isEqualTo(graph.features[(int) id]);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(PartitioningKind.class)
    void theSampleOfAVertexDoesNotDependOnWhoAsks(PartitioningKind kind) throws Exception {
        int k = 4;
        int fanout = 3;
        List<LinkedShard> shards = linked(graph, kind, k);
        TrainingSlice slice = shards.get(0).slice();
        int most = 0;
        for (int i = 0; i < slice.vertices().length; i++) {
            most = slice.degrees()[i] > slice.degrees()[most] ? i : most;
        }
        long hub = slice.vertices()[most];
        int degree = slice.degrees()[most];
        List<Long> all = sample(shards, 0, hub, degree, SamplingOptions.ALL, 0);
        assertThat(all).hasSize(degree).hasSizeGreaterThan(8);
        long[] drawn = new long[all.size()];
        int draws = 2000;
        for (int draw = 0; draw < draws; draw++) {
            List<Long> first = null;
            for (int asker = 0; asker < (draw < 20 ? k : 1); asker++) {
                List<Long> sample = sample(shards, asker, hub, degree, fanout, draw);
                assertThat(sample).hasSize(fanout);
                first = first == null ? sample : first;
                assertThat(sample).isEqualTo(first);
            }
            for (long neighbour : Objects.requireNonNull(first)) {
                drawn[all.indexOf(neighbour)]++;
            }
        }
        for (long neighbour : all) { // duplicate edges count at the first
            double expected = (double) draws * fanout / all.size() * Collections.frequency(all, neighbour);
            assertThat((double) drawn[all.indexOf(neighbour)]).isCloseTo(expected, within(6 * Math.sqrt(expected)));
        }
    }

    @ParameterizedTest
    @EnumSource(PartitioningKind.class)
    void everyShardHasAnEqualSlice(PartitioningKind kind) throws Exception {
        for (int k : new int[] {1, 7, 30}) {
            RandomGraph of = k == 30 ? new RandomGraph(1, 40, 60, 4, 2, 0.5) : graph;
            List<LinkedShard> shards = linked(of, kind, k);
            List<Long> all = new ArrayList<>();
            int least = Integer.MAX_VALUE;
            int most = 0;
            for (LinkedShard shard : shards) {
                TrainingSlice slice = shard.slice();
                int size = slice.vertices().length;
                int local = 0;
                for (int i = 0; i < size; i++) {
                    long id = id(shards, slice.vertices()[i]);
                    all.add(id);
                    assertThat(slice.labels()[i]).isEqualTo(of.labels[(int) id]);
                    local += Address.shard(slice.vertices()[i]) == shard.rank() ? 1 : 0;
                }
                assertThat(local).isEqualTo(Math.min(size, shard.store().verticesOf(VertexSplit.TRAIN).length));
                least = Math.min(least, size);
                most = Math.max(most, size);
            }
            assertThat(most - least).isLessThanOrEqualTo(1);
            assertThat(all).doesNotHaveDuplicates();
            assertThat(all).hasSize((int)
                    Arrays.stream(of.splits).filter(VertexSplit.TRAIN::equals).count());
        }
    }

    @Test
    void contradictingShardsAreRefused() throws Exception {
        ShardStore[] stores = new RandomGraph(1, 20, 40, 4, 2, 0.5).shards(folder, 2);
        assertThatThrownBy(() -> TestLinks.link(List.of(stores[0], stores[0]), PartitioningKind.VERTEX))
                .hasMessageContaining("both own vertex ");
        FrameGroup group = FrameGroup.ofThisProcess(2);
        assertThatThrownBy(() -> TestLinks.together(
                        2,
                        group,
                        shard -> LinkedShard.link(
                                group.channel(shard), stores[shard], PartitioningKind.VERTEX, shard, null)))
                .hasMessageContaining("is linked for another cut or training");
    }

    @Test
    void questionsThatMakeNoSenseAreRefused() throws Exception {
        LinkedShard shard = linked(graph, PartitioningKind.VERTEX, 2).get(0);
        GraphAnswers answers = new GraphAnswers(shard);
        for (byte[] wrong : new byte[][] {
            {9, 0, 0, 0, 0},
            {2, 1, 0, 0, 0},
            {2, -1, -1, -1, -1},
            {2, 1, 0, 0, 0, -1, -1, -1, 127},
            {3, 7, 0, 0, 0, 0, 0, 0, 0}
        }) {
            assertThatThrownBy(() -> answers.answer(ByteBuffer.wrap(wrong)))
                    .as(Arrays.toString(wrong))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            if (bytes.length > 0) {
                bytes[0] = (byte) random.nextInt(4);
            }
            try {
                answers.answer(ByteBuffer.wrap(bytes));
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }
}
