package io.cutwater.trainer.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cutwater.format.VertexSplit;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.averaging.LocalWorkers;
import io.cutwater.trainer.fullgraph.TestShards;
import io.cutwater.trainer.linked.Address;
import io.cutwater.trainer.linked.LinkedShard;
import io.cutwater.trainer.linked.TestLinks;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.sampler.BatchQueue;
import io.cutwater.trainer.sampler.MiniBatch;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Synchronous mini-batches of shards are those of one model on the whole graph. */
@Timeout(120)
class SyncTrainingTest {
    private static final Duration WAIT = Duration.ofMinutes(1);
    private static final int BATCH = 24;
    private static final long SEED = 7;

    @TempDir
    private Path folder;

    private final RandomGraph graph = new RandomGraph(3, 150, 500, 40, 4, 0.1);

    private static TrainerOptions options(String model, List<Integer> fanouts, double dropout) {
        return new TrainerOptions(
                new ModelOptions(model, fanouts.size(), 12, 2, Aggregator.MEAN, dropout),
                new SamplingOptions(fanouts, BATCH, 2, 3),
                0.01,
                5e-4,
                SEED,
                "cpu");
    }

    private static List<Integer> all(int layers) {
        return Collections.nCopies(layers, SamplingOptions.ALL);
    }

    /** Sync training, one step at a time. */
    private final class Run implements AutoCloseable {
        private final LocalWorkers workforce;
        private final ShardCut cut;
        private ModelState state;

        Run(PartitioningKind kind, int k, TrainerOptions options, long cacheBytes)
                throws IOException, InterruptedException {
            ShardSource source = new TestShards(graph, kind, k, folder).source();
            workforce = new LocalWorkers(
                    new SyncTrainers(
                            source,
                            source.shape(),
                            options,
                            new SyncOptions(cacheBytes, 0),
                            Files.createTempDirectory(folder, "scratch")),
                    1,
                    true);
            cut = ShardCut.only(k);
            workforce.prepare(cut);
            state = ModelState.initial(network(options).initialWeights(SEED));
        }

        EpochReport step(int epoch, int batch) throws InterruptedException {
            return train(new Round(1, cut, epoch, 1, batch, 1, true));
        }

        EpochReport epoch(int epoch) throws InterruptedException {
            return train(Round.ofSharedSteps(1, cut, epoch));
        }

        private EpochReport train(Round round) throws InterruptedException {
            EpochReport report = EpochReport.nothing();
            for (LocalUpdate update : workforce.train(round, state, WAIT, this::refuse)) {
                state = Objects.requireNonNull(update).state();
                report = report.plus(update.report());
            }
            return report;
        }

        AccuracyCounts test() throws InterruptedException {
            AccuracyCounts counts = new AccuracyCounts();
            workforce
                    .test(Round.ofEpochs(1, cut, 0, 1, true), state, WAIT, this::refuse)
                    .forEach(each -> counts.add(Objects.requireNonNull(each)));
            return counts;
        }

        private void refuse(int shard, String sentence) {
            throw new AssertionError("shard %d: %s".formatted(shard, sentence));
        }

        @Override
        public void close() {
            workforce.close();
        }
    }

    private GnnNetwork network(TrainerOptions options) {
        return new GnnNetwork(options.model(), graph.columns, graph.classes);
    }

    @ParameterizedTest
    @CsvSource({"gcn, 2", "gat, 2", "graphsage, 3"})
    void theLossesAreThoseOfTheSameMiniBatchesOnTheWholeGraph(String model, int layers) throws Exception {
        TrainerOptions options = options(model, all(layers), 0);
        ShardStore whole = graph.whole(Files.createTempDirectory(folder, "whole"));
        for (PartitioningKind kind : PartitioningKind.values()) {
            for (int k : new int[] {1, 4}) {
                try (Run run = new Run(kind, k, options, 1 << 20)) {
                    ModelState central = run.state;
                    for (int epoch = 0; epoch < 2; epoch++) {
                        List<int[]> batches = unions(kind, k, options, epoch, whole);
                        for (int batch = 0; batch < batches.size(); batch++) {
                            LocalUpdate expected = centralStep(whole, options, batches.get(batch), central);
                            central = expected.state();
                            EpochReport step = run.step(epoch, batch);
                            assertThat(step.seeds()).isEqualTo(batches.get(batch).length);
                            double loss = expected.report().loss();
                            assertThat(step.loss())
                                    .as("%s, %d shards, step %d", kind, k, batch)
                                    .isCloseTo(loss, within(1e-5 * loss));
                        }
                    }
                    AccuracyCounts expected = test(whole, options, run.state);
                    AccuracyCounts found = run.test();
                    assertThat(found.total()).isEqualTo(expected.total());
                    assertThat(found.right()).isEqualTo(expected.right());
                    assertThat(found.loss(VertexSplit.VAL)).isCloseTo(expected.loss(VertexSplit.VAL), within(1e-5));
                }
            }
        }
    }

    /** Returns the training vertices of each step: the mini-batches of all shards. */
    private List<int[]> unions(PartitioningKind kind, int k, TrainerOptions options, int epoch, ShardStore whole)
            throws Exception {
        ShardSource source = new TestShards(graph, kind, k, folder).source();
        List<ShardStore> stores = new ArrayList<>();
        for (int shard = 0; shard < k; shard++) {
            stores.add(source.make(shard, ShardCut.only(k), Files.createTempDirectory(folder, "store")));
        }
        List<LinkedShard> shards = TestLinks.link(stores, kind);
        List<List<Integer>> unions = new ArrayList<>();
        for (int shard = 0; shard < k; shard++) {
            long[] slice = shards.get(shard).slice().vertices();
            SamplingOptions sampling = options.sharedBy(k).sampling();
            try (BatchQueue queue = new BatchQueue(
                    shard,
                    0,
                    sampling,
                    IntStream.range(0, slice.length).toArray(),
                    buffers -> (seeds, from, to, random) ->
                            new MiniBatch(random, List.of(), null, Arrays.copyOfRange(seeds, from, to)))) {
                queue.begin(Hashing.mix64(SEED, epoch), 0);
                for (int step = 0; step < queue.epochBatches(); step++) {
                    if (unions.size() == step) {
                        unions.add(new ArrayList<>());
                    }
                    for (int position : Objects.requireNonNull(queue.next()).labels()) {
                        long vertex = slice[position];
                        // Vertex v of the whole graph has local number v.
                        unions.get(step)
                                .add((int) stores.get(Address.shard(vertex)).vertex(Address.local(vertex)));
                    }
                }
            }
        }
        assertThat(unions.stream().mapToInt(List::size).sum()).isEqualTo(whole.verticesOf(VertexSplit.TRAIN).length);
        return unions.stream()
                .map(union -> union.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    private LocalUpdate centralStep(ShardStore whole, TrainerOptions options, int[] seeds, ModelState from)
            throws Exception {
        SamplingOptions sampling = new SamplingOptions(options.sampling().fanouts(), SamplingOptions.ALL, 1, 1);
        try (LocalTrainer trainer = new LocalTrainer(
                whole,
                network(options),
                options,
                0,
                new BatchQueue(whole, sampling, seeds),
                tensors -> (w, c) -> {},
                null)) {
            return trainer.train(new Round(1, ShardCut.only(1), 0, 1), from);
        }
    }

    private AccuracyCounts test(ShardStore whole, TrainerOptions options, ModelState state) throws Exception {
        Path scratch = Files.createTempDirectory(folder, "between");
        try (LocalTrainer trainer = new LocalTrainer(whole, network(options), options, scratch)) {
            return trainer.evaluate(state.weights());
        }
    }

    @Test
    void theResultDependsNeitherOnThreadsNorOnTheCache() throws Exception {
        TrainerOptions options = options("graphsage", List.of(4, 3), 0.5);
        TrainerOptions slow = new TrainerOptions(
                options.model(), new SamplingOptions(List.of(4, 3), BATCH, 1, 1), 0.01, 5e-4, SEED, "cpu");
        try (Run some = new Run(PartitioningKind.EDGE, 3, options, 1 << 20);
                Run other = new Run(PartitioningKind.EDGE, 3, slow, 0)) {
            EpochReport cached = EpochReport.nothing();
            EpochReport all = EpochReport.nothing();
            for (int epoch = 0; epoch < 3; epoch++) {
                cached = cached.plus(some.epoch(epoch));
                all = all.plus(other.epoch(epoch));
                assertThat(some.state.isEqual(other.state)).isTrue();
            }
            Traffic withCache = cached.traffic();
            assertThat(all.traffic().forwardAvoided()).isZero();
            assertThat(withCache.forwardAvoided()).isPositive();
            // A cached row saves the vertex in the question, too, and sometimes the whole question.
            assertThat(all.traffic().forwardSent() - withCache.forwardSent())
                    .isBetween(withCache.forwardAvoided(), withCache.forwardAvoided() + 100_000);
            Locality locality = cached.locality();
            assertThat(locality).isEqualTo(all.locality());
            assertThat(locality.seedShare()).isBetween(0.3, 0.99);
            assertThat(locality.rowShare()).isBetween(0.1, 0.99);
        }
    }

    @Test
    void oneShardReadsNothingFromOthers() throws Exception {
        try (Run run = new Run(PartitioningKind.VERTEX, 1, options("gcn", List.of(4, 3), 0.5), 0)) {
            run.epoch(0);
            run.test();
            EpochReport report = run.epoch(1);
            assertThat(report.traffic()).isEqualTo(Traffic.NONE);
            Locality locality = report.locality();
            assertThat(locality.localSeeds()).isEqualTo(locality.seeds()).isPositive();
            assertThat(locality.localRows()).isEqualTo(locality.rows()).isPositive();
        }
    }
}
