package io.cutwater.trainer.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.channel.FrameGroup.Purpose;
import io.cutwater.trainer.fullgraph.TestShards;
import io.cutwater.trainer.linked.TestLinks;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.sync.SyncOptions;
import io.cutwater.trainer.sync.SyncTrainers;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trainings whose mini-batches samplers make equal those whose trainers make them, bit for bit. */
@Timeout(60)
class SampledTrainingTest {
    private static final int SHARDS = 3;
    private static final long SEED = 7;
    private static final long MINI_BATCH_MILLIS = 20;

    @TempDir
    private Path folder;

    private static TrainerOptions options(String model, List<Integer> fanouts, int batch) {
        return new TrainerOptions(
                new ModelOptions(model, fanouts.size(), 12, 2, Aggregator.MEAN, 0.5),
                new SamplingOptions(fanouts, batch, 2, 3),
                0.01,
                5e-4,
                SEED,
                "cpu");
    }

    /** The shards of a training, each with a thread of its own, and with or without samplers. */
    private final class Run implements AutoCloseable {
        private final ShardCut cut = ShardCut.only(SHARDS);
        private final List<String> teams;
        private final List<ShardTrainer> trainers = new ArrayList<>();
        private final List<ShardTrainer> samplers = new ArrayList<>();
        private final Map<String, ExecutorService> slowSamplers = new HashMap<>();
        private ModelState state;

        Run(ShardSource source, TrainerOptions options, SyncOptions how) throws IOException, InterruptedException {
            this(source, options, how, List.of("a", "b", "a"));
        }

        /** @param teams name of the worker and the sampler of each shard */
        Run(ShardSource source, TrainerOptions options, SyncOptions how, List<String> teams)
                throws IOException, InterruptedException {
            this.teams = teams;
            DataShape shape = source.shape();
            Path scratch = Files.createTempDirectory(folder, "scratch");
            ShardTrainers own = how.samplers() == 0
                    ? new SyncTrainers(source, shape, options, how, scratch)
                    : new SampledTrainers(shape, options, how);
            for (int shard = 0; shard < SHARDS; shard++) {
                trainers.add(own.open(shard, cut));
                if (how.samplers() > 0) {
                    samplers.add(new SamplerTrainers(source, shape, options, how, scratch).open(shard, cut));
                }
            }
            state = ModelState.initial(
                    new GnnNetwork(options.model(), shape.features(), shape.classes()).initialWeights(SEED));
        }

        private <T> List<T> together(TestLinks.Task<T> task, FrameGroup group) throws Exception {
            return TestLinks.together(SHARDS + samplers.size(), group, end -> {
                if (end >= SHARDS) {
                    samplers.get(end - SHARDS).serve(group.samplerChannel(end - SHARDS));
                    return null;
                }
                return task.run(end);
            });
        }

        private FrameGroup group() {
            AtomicReference<FrameGroup> group = new AtomicReference<>();
            List<String> names = samplers.isEmpty() ? List.of() : teams;
            group.set(new FrameGroup(SHARDS, names, 1, (from, to, purpose, number, frame) -> {
                if (purpose != Purpose.QUESTION || to < SHARDS || from >= SHARDS || slowSamplers.isEmpty()) {
                    return false;
                }
                Objects.requireNonNull(slowSamplers.get(teams.get(to - SHARDS)))
                        .execute(() -> answerSlowly(group.get(), from, to, number, frame));
                return true;
            }));
            return group.get();
        }

        /** Answers as a sampler that needs longer for a mini-batch than a worker for a step. */
        private void answerSlowly(FrameGroup group, int from, int to, int number, ByteBuffer question) {
            try {
                ByteBuffer asked = question.duplicate().order(BatchFormat.ORDER);
                if (asked.get() == BatchFormat.GROUP) {
                    int miniBatches = asked.getInt(asked.position() + 2 * Long.BYTES + Integer.BYTES);
                    Thread.sleep(MINI_BATCH_MILLIS * miniBatches);
                }
                group.deliverAnswer(to, number, group.answer(from, to, question));
            } catch (InterruptedException | RuntimeException e) {
                group.fail(e.toString());
            }
        }

        /** Gives each sampler one thread. */
        void slowDown() {
            teams.forEach(name -> slowSamplers.computeIfAbsent(name, each -> Executors.newSingleThreadExecutor()));
        }

        EpochReport epoch(int epoch) throws Exception {
            FrameGroup group = group();
            EpochReport report = EpochReport.nothing();
            Round round = Round.ofSharedSteps(epoch + 1, cut, epoch);
            for (LocalUpdate update :
                    together(shard -> trainers.get(shard).train(round, state, group.channel(shard)), group)) {
                if (update != null) {
                    state = update.state();
                    report = report.plus(update.report());
                }
            }
            return report;
        }

        AccuracyCounts test() throws Exception {
            FrameGroup group = group();
            AccuracyCounts counts = new AccuracyCounts();
            Round round = Round.ofEpochs(1, cut, 0, 1, true);
            together(shard -> trainers.get(shard).evaluate(round, state, group.channel(shard)), group).stream()
                    .filter(Objects::nonNull)
                    .forEach(counts::add);
            return counts;
        }

        @Override
        public void close() {
            slowSamplers.values().forEach(ExecutorService::shutdownNow);
            trainers.forEach(ShardTrainer::close);
            samplers.forEach(ShardTrainer::close);
        }
    }

    private ShardSource source(PartitioningKind kind, double density) {
        return new TestShards(new RandomGraph(3, 150, 500, 40, 4, density), kind, SHARDS, folder).source();
    }

    @ParameterizedTest
    @CsvSource({"EDGE, graphsage, 4, 24, 0.9", "VERTEX, gat, 3, 24, 0.1", "VERTEX, gcn, -1, -1, 0.1"})
    void lossesWeightsAndTestsAreThoseWithoutSamplers(
            PartitioningKind kind, String model, int fanout, int batch, double density) throws Exception {
        ShardSource source = source(kind, density);
        TrainerOptions options = options(model, List.of(fanout, fanout), batch);
        try (Run plain = new Run(source, options, new SyncOptions(2000, 0));
                Run sampled = new Run(source, options, new SyncOptions(2000, 0, 1))) {
            for (int epoch = 0; epoch < 3; epoch++) {
                EpochReport expected = plain.epoch(epoch);
                EpochReport report = sampled.epoch(epoch);
                assertThat(report.lossSum()).isEqualTo(expected.lossSum());
                assertThat(report.steps()).isEqualTo(expected.steps());
                assertThat(report.edges()).isEqualTo(expected.edges());
                assertThat(report.locality()).isEqualTo(expected.locality());
                assertThat(report.traffic().forwardSent() > 0)
                        .as("samplers ask each other")
                        .isEqualTo(expected.traffic().forwardSent() > 0);
                assertThat(report.traffic().batchSent() > 0)
                        .as("mini-batches that are always the same are sent once")
                        .isEqualTo(epoch == 0 || batch > 0);
                assertThat(sampled.state.isEqual(plain.state)).isTrue();
                AccuracyCounts right = plain.test();
                AccuracyCounts found = sampled.test();
                assertThat(found.right()).isEqualTo(right.right());
                assertThat(found.total()).isEqualTo(right.total());
            }
        }
    }

    @Test
    void groupsAndTheCacheOfTheWorkerSendFewerBytes() throws Exception {
        List<String> apart = List.of("a", "b", "c");
        List<String> together = List.of("a", "a", "a");
        ShardSource source = source(PartitioningKind.VERTEX, 0.9);
        Traffic plain = traffic(source, 0, apart);
        Traffic grouped = traffic(source, 0, together);
        Traffic cached = traffic(source, 1 << 20, apart);
        Traffic both = traffic(source, 1 << 20, together);
        assertThat(plain.batchAvoided()).isZero();
        assertThat(grouped.batchSent()).isLessThan(plain.batchSent());
        assertThat(cached.batchSent()).isLessThan(plain.batchSent());
        assertThat(both.batchSent()).isLessThan(Math.min(grouped.batchSent(), cached.batchSent()));
        for (Traffic each : List.of(grouped, cached, both)) {
            // Questions are shorter, too, because a group has one.
            assertThat(plain.batchSent() - each.batchSent())
                    .isBetween(each.batchAvoided(), each.batchAvoided() + 50_000);
        }
    }

    private Traffic traffic(ShardSource source, long cacheBytes, List<String> teams) throws Exception {
        TrainerOptions options = options("graphsage", List.of(4, 4), 24);
        try (Run run = new Run(source, options, new SyncOptions(cacheBytes, 0, 1), teams)) {
            return run.epoch(0).plus(run.epoch(1)).traffic();
        }
    }

    /** Compares the times of waiting, which are far apart because mini-batches take as long as they are told to. */
    @Test
    @Tag("campaign")
    void workersWaitLessWithMoreSamplers() throws Exception {
        ShardSource source = source(PartitioningKind.VERTEX, 0.9);
        double one = waitingPerStep(source, List.of("a", "a", "a"));
        double two = waitingPerStep(source, List.of("a", "b", "a"));
        double three = waitingPerStep(source, List.of("a", "b", "c"));
        assertThat(List.of(three, two, one)).isSorted();
    }

    private double waitingPerStep(ShardSource source, List<String> teams) throws Exception {
        TrainerOptions options = options("gcn", List.of(4, 4), 24);
        try (Run run = new Run(source, options, new SyncOptions(1 << 20, 0, 1), teams)) {
            run.epoch(0); // links the shards
            run.slowDown();
            EpochReport report = run.epoch(1).plus(run.epoch(2));
            assertThat(report.batchNanos()).isPositive();
            return (double) report.batchNanos() / report.steps();
        }
    }

    @Test
    void aWorkerWithoutSamplersSaysSo() throws Exception {
        TrainerOptions options = options("gcn", List.of(2, 2), 24);
        try (Run run = new Run(source(PartitioningKind.VERTEX, 0.1), options, new SyncOptions(0, 0, 1))) {
            run.samplers.forEach(ShardTrainer::close);
            run.samplers.clear();
            assertThatThrownBy(() -> run.epoch(0))
                    .hasMessage("no sampler has the shard; give the coordinator --sampler-processes, too");
        }
    }
}
