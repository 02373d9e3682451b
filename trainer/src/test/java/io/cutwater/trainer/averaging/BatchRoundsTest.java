package io.cutwater.trainer.averaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.RoundsFile;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.ShardSize;
import io.cutwater.trainer.round.Traffic;
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
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Index;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests rounds that are shorter than an epoch. */
class BatchRoundsTest {
    private static final int CLASSES = 4;
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path temp;

    private final List<RoundReport> done = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    private final RoundListener listener = new RoundListener() {
        @Override
        public void roundDone(RoundReport report) {
            done.add(report);
        }

        @Override
        public void shardMissing(int round, int shard, String sentence) {
            missing.add("round %d, shard %d: %s".formatted(round, shard, sentence));
        }
    };

    private final RandomGraph graph = new RandomGraph(1, 400, 2500, 30, CLASSES, 0.3);

    private final TrainerOptions options = new TrainerOptions(
            new ModelOptions("graphsage", 2, 8, 2, Aggregator.MEAN, 0.2),
            new SamplingOptions(List.of(8, 8), 32, 2, 2),
            0.02,
            1e-4,
            5,
            "cpu");

    @Test
    void oneShardIsTrainedAsIfThereWereNoRounds() throws Exception {
        TrainingResult plain = run(AverageEvery.epochs(1), 1, 4, null);
        double[] losses = losses();
        for (AverageEvery every : List.of(AverageEvery.batches(1), AverageEvery.batches(3))) {
            TrainingResult averaged = run(every, 1, 4, null);
            int batches = (int) done.get(0).work().steps();
            assertThat(batches).isGreaterThan(3);
            assertThat(averaged.rounds()).isEqualTo(4 * ((batches + every.count() - 1) / every.count()));
            assertThat(averaged.weights()).as("every %s", every).isDeepEqualTo(plain.weights());
            assertThat(losses()).containsExactly(losses, within(1e-12)); // sums of sums
        }
    }

    @Test
    void goesOnFromACheckpointWithTheSameLosses() throws Exception {
        TrainingResult whole = run(AverageEvery.batches(2), 3, 6, null);
        double[] losses = losses();
        Path folder = Files.createDirectory(temp.resolve("out"));
        run(AverageEvery.batches(2), 3, 2, folder);
        TrainingResult resumed = run(AverageEvery.batches(2), 3, 6, folder);
        assertThat(done).extracting(RoundReport::epochs).containsExactly(3, 4, 5, 6);
        assertThat(losses()).containsExactly(Arrays.copyOfRange(losses, 2, 6));
        assertThat(resumed.weights()).isDeepEqualTo(whole.weights());
        assertThat(resumed.rounds()).isEqualTo(whole.rounds());
        List<String> lines = Files.readAllLines(folder.resolve("rounds.csv"));
        assertThat(lines).hasSize(1 + 6).first().asString().startsWith("round,epoch,loss,");
        for (int epoch = 0; epoch < 6; epoch++) {
            String[] fields = lines.get(1 + epoch).split(",");
            assertThat(Integer.parseInt(fields[1])).isEqualTo(1 + epoch);
            assertThat(Double.parseDouble(fields[2])).isEqualTo(losses[epoch]);
        }
        assertThatThrownBy(() -> run(AverageEvery.batches(1), 3, 6, folder))
                .hasMessageContaining("averaged every 2 mini-batches");
    }

    /**
     * A request in the middle of an epoch does not depend on earlier requests, which the shard may have missed or
     * another worker may have served.
     */
    @Test
    void aShardComesBackInTheMiddleOfAnEpoch() throws Exception {
        GnnNetwork network = new GnnNetwork(options.model(), graph.columns, CLASSES);
        ModelState start = ModelState.initial(network.initialWeights(5));
        ShardCut cut = ShardCut.only(2);
        Round second = Round.ofBatches(2, cut, 3, 1, 1);
        List<ShardTrainer> shards = trainers(network, options, 2);
        try (ShardTrainer present = shards.get(0);
                ShardTrainer absent = trainers(network, options, 2).get(0)) {
            present.train(Round.ofBatches(1, cut, 3, 0, 1), start);
            LocalUpdate expected = present.train(second, start);
            assertThat(expected.report().steps()).isOne();
            LocalUpdate update = absent.train(second, start);
            assertThat(update.state().weights()).isDeepEqualTo(expected.state().weights());
            LocalUpdate again = absent.train(second, start);
            assertThat(again.state().weights()).isDeepEqualTo(expected.state().weights());
            assertThat(absent.train(Round.ofBatches(9, cut, 3, 99, 1), start).examples())
                    .isZero();
        }
        shards.get(1).close();
    }

    /**
     * With one layer, all neighbours and no dropout, a shard has all inputs of its own vertices. The mean of the
     * shards' gradients, which is Adam's first moment after one step, is then that of the whole batch. Weights differ a
     * little, because each shard stepped with its own second moment.
     */
    @Test
    void theMeanGradientOfShardsIsThatOfTheWholeBatch() throws Exception {
        TrainerOptions exact = new TrainerOptions(
                new ModelOptions("graphsage", 1, 8, 2, Aggregator.MEAN, 0),
                new SamplingOptions(List.of(SamplingOptions.ALL), SamplingOptions.ALL, 1, 2),
                0.01,
                1e-3,
                5,
                "cpu");
        float[][] whole = gradientAfterOneStep(exact, 1);
        float[][] shards = gradientAfterOneStep(exact, 3);
        for (int i = 0; i < whole.length; i++) {
            assertThat(shards[i]).containsExactly(whole[i], within(1e-7f));
        }
        float largest = 0;
        for (float value : whole[0]) {
            largest = Math.max(largest, Math.abs(value));
        }
        assertThat(largest).isGreaterThan(1e-3f);
    }

    private float[][] gradientAfterOneStep(TrainerOptions exact, int shards) throws Exception {
        GnnNetwork network = new GnnNetwork(exact.model(), graph.columns, CLASSES);
        ModelState start = ModelState.initial(network.initialWeights(5));
        ModelAverage average = new ModelAverage();
        for (ShardTrainer shard : trainers(network, exact, shards)) {
            try (shard) {
                average.add(shard.train(Round.ofBatches(1, ShardCut.only(shards), 0, 0, 1), start));
            }
        }
        return average.mean().optimiser().means();
    }

    @Test
    void shardsWithFewerMiniBatchesHaveNoPartInTheRestOfTheEpoch() throws Exception {
        try (AveragedTraining training =
                training(everyBatch(), new CountingTrainer(4, 10, 1), new CountingTrainer(2, 100, 3))) {
            TrainingResult result = training.run();
            assertThat(result.rounds()).isEqualTo(2 * 4);
            assertThat(done).extracting(RoundReport::epochs).containsExactly(1, 2);
            // Each epoch: twice (10 x 1 + 100 x 3) / 110, and twice 1.
            assertThat(result.weights()[0][0]).isCloseTo(2 * (2 * 310f / 110 + 2), within(1e-4f));
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void anEpochEndsWithoutTheShardThatHasTheMostMiniBatches() throws Exception {
        CountingTrainer failing = new CountingTrainer(4, 10, 1) {
            @Override
            public LocalUpdate train(Round round, ModelState from, FrameChannel others) {
                if (round.firstBatch() == 3) {
                    throw new IllegalStateException("out of luck");
                }
                return super.train(round, from, others);
            }
        };
        try (AveragedTraining training = training(everyBatch(), failing, new CountingTrainer(2, 100, 1))) {
            assertThat(training.run().weights()).isDeepEqualTo(new float[][] {{2 * 3}});
        }
        assertThat(missing)
                .containsExactly(
                        "round 4, shard 0: its worker failed: out of luck",
                        "round 8, shard 0: its worker failed: out of luck");
        assertThat(done).extracting(RoundReport::missing).containsExactly(1, 1);
    }

    @Test
    void roundsBehindTheCheckpointAreTakenBack() throws Exception {
        Path file = Files.writeString(temp.resolve("rounds.csv"), """
                round,epoch,loss,c,d,e,f,seconds,bytesAveraged,shardsMissing,shards,vertices,edges
                1,1,0.5,,0.1,,0.2,1.5,10,0,3,4,5
                2,2,0.4,,0.1,,0.2,1.5,20,0,3,4,5
                3,3,0.3,,0.1,,0.2,1.5,30,0,3,4,5
                2,2,0.""");
        RoundsFile rounds = new RoundsFile(file);
        rounds.keepUntil(2);
        rounds.add(new RoundReport(
                3,
                3,
                EpochReport.nothing(),
                new AccuracyCounts(),
                1,
                1,
                40,
                new Traffic(1, 2, 3, 4, 5, 6, 7, 8),
                new Locality(20, 19, 400, 300),
                2.5,
                ShardCut.only(3),
                ShardSize.NOTHING));
        assertThat(Files.readAllLines(file))
                .hasSize(4)
                .contains("2,2,0.4,,0.1,,0.2,1.5,20,0,3,4,5,,,,,,,,,,,,", Index.atIndex(2))
                .contains("3,3,,,,,,2.5,40,1,3,0,0,1,2,3,4,5,20,19,400,300,6,7,8", Index.atIndex(3));
    }

    @Test
    void readsHowOftenToAverage() {
        assertThat(AverageEvery.of("3")).isEqualTo(AverageEvery.epochs(3));
        assertThat(AverageEvery.of("batch")).isEqualTo(AverageEvery.batches(1));
        assertThat(AverageEvery.of("gradients")).isEqualTo(AverageEvery.gradients());
        assertThat(AverageEvery.of("12batches")).isEqualTo(AverageEvery.batches(12));
        for (String wrong :
                List.of("", "0", "-1", "0batches", "1 batch", "1.5", "epoch", "2gradients", "12345678901")) {
            assertThatThrownBy(() -> AverageEvery.of(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "number of epochs, such as 2, or of mini-batches, such as batch or 4batches, or gradients");
        }
    }

    private static AveragingOptions everyBatch() {
        return new AveragingOptions(2, AverageEvery.batches(1), 2, LONG, 0);
    }

    private AveragedTraining training(AveragingOptions averaging, ShardTrainer... shards) {
        return new AveragedTraining(
                "fake",
                averaging,
                CutSource.fixed(shards.length),
                (shard, cut) -> shards[shard],
                new float[][] {{0}},
                null,
                listener);
    }

    private double[] losses() {
        return done.stream().mapToDouble(report -> report.work().loss()).toArray();
    }

    private TrainingResult run(AverageEvery every, int shards, int epochs, Path folder) throws Exception {
        done.clear();
        GnnNetwork network = new GnnNetwork(options.model(), graph.columns, CLASSES);
        List<ShardTrainer> trainers = trainers(network, options, shards);
        try (AveragedTraining training = new AveragedTraining(
                options.words(),
                new AveragingOptions(epochs, every, 2, LONG, 0),
                CutSource.fixed(shards),
                (shard, cut) -> trainers.get(shard),
                network.initialWeights(5),
                folder == null ? null : new CheckpointFile(folder),
                listener)) {
            training.resume();
            return training.run();
        }
    }

    private List<ShardTrainer> trainers(GnnNetwork network, TrainerOptions with, int shards) throws IOException {
        List<ShardTrainer> trainers = new ArrayList<>();
        Path data = Files.createTempDirectory(temp, "data");
        for (ShardStore store : graph.shards(data, shards)) {
            Path scratch = Files.createDirectory(data.resolve("between-" + store.shard()));
            trainers.add(new LocalTrainer(store, network, with, scratch));
        }
        return trainers;
    }
}
