package io.cutwater.trainer.averaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.reduce.AllReduce;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests gradients that are averaged in each step, by threads of one process. */
@Timeout(120)
class SharedStepsTest {
    private static final int CLASSES = 4;
    private static final TrainerOptions SAMPLED = new TrainerOptions(
            new ModelOptions("graphsage", 2, 8, 2, Aggregator.MEAN, 0.2),
            new SamplingOptions(List.of(6, 6), 32, 1, 2),
            0.02,
            1e-4,
            5,
            "cpu");
    /** With one layer, all neighbours and no dropout, a shard has all inputs of its own vertices. */
    private static final TrainerOptions EXACT = new TrainerOptions(
            new ModelOptions("graphsage", 1, 8, 2, Aggregator.MEAN, 0),
            new SamplingOptions(List.of(SamplingOptions.ALL), SamplingOptions.ALL, 1, 2),
            0.02,
            1e-3,
            5,
            "cpu");

    @TempDir
    Path temp;

    private final List<RoundReport> done = new ArrayList<>();
    private final RandomGraph graph = new RandomGraph(1, 300, 1800, 30, CLASSES, 0.3);

    @Test
    void oneShardIsTrainedAsWithoutAveraging() throws Exception {
        TrainingResult plain = run(SAMPLED, AverageEvery.epochs(1), 1, 1, 3, null);
        TrainingResult shared = run(SAMPLED, AverageEvery.gradients(), 1, 1, 3, null);
        assertThat(shared.weights()).isDeepEqualTo(plain.weights());
    }

    @Test
    void aShardWithoutTrainingVerticesChangesNothing() throws Exception {
        GnnNetwork network = network(SAMPLED);
        ModelState start = ModelState.initial(network.initialWeights(5));
        FrameGroup group = FrameGroup.ofThisProcess(2);
        CompletableFuture<Void> idle = CompletableFuture.runAsync(() -> {
            AllReduce other = new AllReduce(group.channel(1));
            try {
                while (other.mean(new float[size(start)], 0, false).hasMore()) {
                    assertThat(other.bytes()).isPositive();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        try (ShardTrainer shard = trainers(SAMPLED, 1).get(0)) {
            Round round = Round.ofSharedSteps(1, ShardCut.only(2), 0);
            LocalUpdate shared = shard.train(round, start, group.channel(0));
            idle.join();
            LocalUpdate alone = shard.train(round, start);
            assertThat(shared.state().isEqual(alone.state())).isTrue();
            assertThat(shared.report().steps())
                    .isEqualTo(alone.report().steps())
                    .isGreaterThan(2);
        }
    }

    private static int size(ModelState state) {
        return Math.toIntExact(state.bytes() / (3 * Float.BYTES));
    }

    /** Model averaging differs after the first step, because each shard has Adam memory of its own. */
    @Test
    void stepsOfShardsAreThoseOfTheWholeBatch() throws Exception {
        float[][] whole = run(EXACT, AverageEvery.gradients(), 1, 1, 20, null).weights();
        List<RoundReport> wholeReports = List.copyOf(done);
        for (int shards : new int[] {2, 3, 8}) {
            float[][] shared =
                    run(EXACT, AverageEvery.gradients(), shards, 2, 20, null).weights();
            for (int i = 0; i < whole.length; i++) {
                assertThat(shared[i]).as("%d shards", shards).containsExactly(whole[i], within(2e-5f));
            }
            for (int epoch = 0; epoch < 20; epoch++) {
                double loss = wholeReports.get(epoch).work().loss();
                assertThat(done.get(epoch).work().loss()).isCloseTo(loss, within(1e-5 * loss));
            }
        }
    }

    @Test
    void theResultDependsNeitherOnThreadsNorOnAStop() throws Exception {
        TrainingResult whole = run(SAMPLED, AverageEvery.gradients(), 3, 1, 4, null);
        Path folder = Files.createDirectory(temp.resolve("out"));
        run(SAMPLED, AverageEvery.gradients(), 3, 3, 2, folder);
        TrainingResult resumed = run(SAMPLED, AverageEvery.gradients(), 3, 2, 4, folder);
        assertThat(resumed.weights()).isDeepEqualTo(whole.weights());
        assertThat(resumed.bytesAveraged()).isEqualTo(whole.bytesAveraged()).isPositive();
        assertThatThrownBy(() -> run(SAMPLED, AverageEvery.epochs(1), 3, 2, 4, folder))
                .hasMessageContaining("averaged every step, by gradients");
    }

    @Test
    void theFailureOfOneShardEndsTheRound() throws Exception {
        List<ShardTrainer> trainers = trainers(SAMPLED, 3);
        ShardTrainer failing = new ShardTrainer() {
            @Override
            public LocalUpdate train(Round round, ModelState from, FrameChannel others) throws InterruptedException {
                new AllReduce(others).mean(new float[size(from)], 1, true);
                throw new IllegalStateException("out of luck");
            }

            @Override
            public AccuracyCounts evaluate(float[][] weights) {
                return new AccuracyCounts();
            }

            @Override
            public void close() {}
        };
        try (AveragedTraining training = training(
                SAMPLED, AverageEvery.gradients(), List.of(trainers.get(0), failing, trainers.get(2)), 1, 2, null)) {
            assertThatThrownBy(training::run)
                    .hasMessageContaining("round 1 needs all shards at the same time, but shard ")
                    .hasMessageContaining("out of luck");
        }
        trainers.get(1).close();
    }

    private GnnNetwork network(TrainerOptions with) {
        return new GnnNetwork(with.model(), graph.columns, CLASSES);
    }

    private TrainingResult run(
            TrainerOptions with, AverageEvery every, int shards, int threads, int epochs, Path folder)
            throws Exception {
        done.clear();
        List<ShardTrainer> trainers = trainers(with.sharedBy(shards), shards);
        try (AveragedTraining training = training(with, every, trainers, threads, epochs, folder)) {
            training.resume();
            return training.run();
        }
    }

    private AveragedTraining training(
            TrainerOptions with,
            AverageEvery every,
            List<ShardTrainer> trainers,
            int threads,
            int epochs,
            Path folder) {
        return new AveragedTraining(
                with.words(),
                new AveragingOptions(epochs, every, threads, Duration.ofMinutes(5), 0),
                CutSource.fixed(trainers.size()),
                (shard, cut) -> trainers.get(shard),
                network(with).initialWeights(5),
                folder == null ? null : new CheckpointFile(folder),
                new RoundListener() {
                    @Override
                    public void roundDone(RoundReport report) {
                        done.add(report);
                    }

                    @Override
                    public void shardMissing(int round, int shard, String sentence) {}
                });
    }

    private List<ShardTrainer> trainers(TrainerOptions with, int shards) throws IOException {
        List<ShardTrainer> trainers = new ArrayList<>();
        Path data = Files.createTempDirectory(temp, "data");
        for (ShardStore store : graph.shards(data, shards)) {
            Path scratch = Files.createDirectory(data.resolve("between-" + store.shard()));
            trainers.add(new LocalTrainer(store, network(with), with, scratch));
        }
        return trainers;
    }
}
