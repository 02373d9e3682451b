package io.cutwater.trainer.averaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.ShardSize;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
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
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AveragedTrainingTest {
    private static final int CLASSES = 4;
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path temp;

    private final Rounds rounds = new Rounds();
    private final RandomGraph graph = new RandomGraph(1, 400, 2500, 30, CLASSES, 0.3);

    /** Records all events. */
    private static final class Rounds implements RoundListener {
        private final List<RoundReport> done = new ArrayList<>();
        private final List<String> missing = new ArrayList<>();

        @Override
        public void roundDone(RoundReport report) {
            done.add(report);
        }

        @Override
        public void shardMissing(int round, int shard, String sentence) {
            missing.add("round %d, shard %d: %s".formatted(round, shard, sentence));
        }

        private List<Double> losses() {
            return done.stream().map(report -> report.work().loss()).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gcn", "graphsage", "gat"})
    void learnsWhatNeighboursTell(String model) throws Exception {
        try (AveragedTraining training = training(1, 1, 1, 30, model, null)) {
            TrainingResult result = training.run();
            assertThat(result.counts().accuracy(VertexSplit.TEST)).isGreaterThan(0.85);
            assertThat(result.counts().total(VertexSplit.TEST)).isEqualTo(count(VertexSplit.TEST));
            assertThat(rounds.losses().get(29)).isLessThan(rounds.losses().get(0) / 2);
            assertThat(result.bytesAveraged()).isZero();
        }
    }

    @Test
    void threeShardsTestEveryVertexOnceAndLearnAsWell() throws Exception {
        try (AveragedTraining training = training(3, 2, 2, 30, "graphsage", null)) {
            TrainingResult result = training.run();
            assertThat(result.rounds()).isEqualTo(15);
            for (VertexSplit split : List.of(VertexSplit.TRAIN, VertexSplit.VAL, VertexSplit.TEST)) {
                assertThat(result.counts().total(split)).isEqualTo(count(split));
            }
            assertThat(result.counts().accuracy(VertexSplit.TEST)).isGreaterThan(0.85);
            // 15 rounds of 3 models there and back: 30 x 8 x 2 + 8 + 8 x 4 x 2 + 4 numbers of 4 bytes, and two of the
            // optimiser with each
            assertThat(result.bytesAveraged()).isEqualTo(15L * 3 * 2 * 3 * 4 * (480 + 8 + 64 + 4));
        }
    }

    @Test
    void howManyWorkersThereAreChangesNoNumber() throws Exception {
        run(3, 1, 6, null);
        List<Double> alone = rounds.losses();
        rounds.done.clear();
        run(3, 3, 6, null);
        assertThat(rounds.losses()).isEqualTo(alone);
    }

    @Test
    void goesOnFromACheckpointWithTheSameLosses() throws Exception {
        TrainingResult whole = run(3, 2, 10, null);
        List<Double> expected = rounds.losses();
        rounds.done.clear();
        Path folder = Files.createDirectory(temp.resolve("out"));
        run(3, 2, 4, folder);
        try (AveragedTraining again = training(3, 1, 1, 10, "graphsage", folder)) {
            assertThat(again.resume()).isEqualTo(4);
            TrainingResult resumed = again.run();
            assertThat(rounds.losses()).isEqualTo(expected);
            assertThat(resumed.weights()).isDeepEqualTo(whole.weights());
            assertThat(resumed.bestEpoch()).isEqualTo(whole.bestEpoch());
            assertThat(resumed.bytesAveraged()).isEqualTo(whole.bytesAveraged());
        }
    }

    @Test
    void theCheckpointOfAnotherTrainingIsRefused() throws Exception {
        Path folder = Files.createDirectory(temp.resolve("out"));
        run(3, 1, 2, folder);
        try (AveragedTraining other = training(3, 1, 1, 10, "gcn", folder)) {
            assertThatThrownBy(other::resume)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the checkpoint belongs to another training: it was made with 'graphsage");
        }
        byte[] bytes = Files.readAllBytes(folder.resolve(CheckpointFile.NAME));
        Files.write(folder.resolve(CheckpointFile.NAME), Arrays.copyOf(bytes, bytes.length - 9));
        try (AveragedTraining same = training(3, 1, 1, 10, "graphsage", folder)) {
            assertThatThrownBy(same::resume).hasMessageContaining("is truncated; delete it to start over");
        }
    }

    @Test
    void stopsWhenValidationGetsNoBetter() throws Exception {
        ShardTrainer shard = new Fake(10);
        try (AveragedTraining training = training(options(100, 1, 1, LONG, 7), List.of(shard))) {
            TrainingResult result = training.run();
            assertThat(result.epochs()).isEqualTo(8); // the fake is as good from the first epoch on
            assertThat(result.bestEpoch()).isEqualTo(1);
        }
    }

    @Test
    void aShardWithoutTrainingVerticesCountsForNothing() throws Exception {
        try (AveragedTraining training = training(options(3, 1, 2, LONG, 0), List.of(new Fake(10), new Fake(0) {
            @Override
            float value() {
                return 1000;
            }
        }))) {
            assertThat(training.run().weights()).isDeepEqualTo(new float[][] {{1}});
            assertThat(rounds.missing).isEmpty();
        }
    }

    @Test
    void goesOnWithoutAWorkerThatFailsAndSaysSo() throws Exception {
        Fake failing = new Fake(10) {
            @Override
            public LocalUpdate train(Round round, ModelState from, FrameChannel others) throws InterruptedException {
                if (round.firstEpoch() == 1) {
                    throw new IllegalStateException("out of luck");
                }
                return super.train(round, from, others);
            }
        };
        try (AveragedTraining training = training(options(3, 1, 2, LONG, 0), List.of(new Fake(10), failing))) {
            training.run();
        }
        assertThat(rounds.missing).containsExactly("round 2, shard 1: its worker failed: out of luck");
        assertThat(rounds.done).extracting(RoundReport::missing).containsExactly(0, 1, 0);
    }

    @Test
    void goesOnWithoutAWorkerThatIsLateAndTakesItBackLater() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        Fake late = new Fake(10) {
            @Override
            public LocalUpdate train(Round round, ModelState from, FrameChannel others) throws InterruptedException {
                if (round.firstEpoch() == 1) {
                    stuck.await(); // until it is interrupted
                }
                return super.train(round, from, others);
            }
        };
        try (AveragedTraining training =
                training(options(3, 1, 2, Duration.ofSeconds(2), 0), List.of(new Fake(10), late))) {
            assertThat(training.run().rounds()).isEqualTo(3);
        }
        assertThat(rounds.missing).containsExactly("round 2, shard 1: its worker did not finish in time");
        assertThat(rounds.done).extracting(RoundReport::missing).containsExactly(0, 1, 0);
    }

    @Test
    void failsWhenNoWorkerIsLeft() throws Exception {
        Fake failing = new Fake(10) {
            @Override
            public LocalUpdate train(Round round, ModelState from, FrameChannel others) {
                throw new IllegalStateException("gone");
            }
        };
        try (AveragedTraining training = training(options(3, 1, 1, LONG, 0), List.of(failing))) {
            assertThatThrownBy(training::run)
                    .hasMessageStartingWith("round 1: no worker with training vertices finished it within 300 s");
        }
    }

    private TrainingResult run(int shards, int workers, int epochs, Path folder) throws Exception {
        try (AveragedTraining training = training(shards, workers, 1, epochs, "graphsage", folder)) {
            return training.run();
        }
    }

    private static AveragingOptions options(int epochs, int every, int workers, Duration wait, int patience) {
        return new AveragingOptions(epochs, every, workers, wait, patience);
    }

    private AveragedTraining training(AveragingOptions options, List<ShardTrainer> shards) {
        return new AveragedTraining(
                "fake",
                options,
                CutSource.fixed(shards.size()),
                (shard, cut) -> shards.get(shard),
                new float[][] {{0}},
                null,
                rounds);
    }

    private AveragedTraining training(int shards, int workers, int every, int epochs, String model, Path folder)
            throws IOException {
        TrainerOptions options = new TrainerOptions(
                new ModelOptions(model, 2, 8, 2, Aggregator.MEAN, 0.2),
                new SamplingOptions(List.of(8, 8), 32, 2, 2),
                0.02,
                1e-4,
                5,
                "cpu");
        GnnNetwork network = new GnnNetwork(options.model(), graph.columns, CLASSES);
        List<ShardTrainer> trainers = new ArrayList<>();
        Path data = Files.createTempDirectory(temp, "data");
        for (ShardStore store : graph.shards(data, shards)) {
            Path scratch = Files.createDirectory(data.resolve("between-" + store.shard()));
            trainers.add(new LocalTrainer(store, network, options, scratch));
        }
        return new AveragedTraining(
                model + " " + options,
                options(epochs, every, workers, LONG, 0),
                CutSource.fixed(shards),
                (shard, cut) -> trainers.get(shard),
                network.initialWeights(5),
                folder == null ? null : new CheckpointFile(folder),
                rounds);
    }

    private long count(VertexSplit split) {
        return Arrays.stream(graph.splits).filter(split::equals).count();
    }

    /** A fake that adds one to its only weight in each epoch and classifies one of two vertices correctly. */
    private static class Fake implements ShardTrainer {
        private final long examples;

        Fake(long examples) {
            this.examples = examples;
        }

        float value() {
            return 1;
        }

        @Override
        public LocalUpdate train(Round round, ModelState from, FrameChannel others) throws InterruptedException {
            float[][] trained = {{from.weights()[0][0] + value() * round.epochs()}};
            return new LocalUpdate(ModelState.initial(trained), examples, 1, EpochReport.nothing(), ShardSize.NOTHING);
        }

        @Override
        public AccuracyCounts evaluate(float[][] weights) {
            AccuracyCounts counts = new AccuracyCounts();
            counts.total()[VertexSplit.VAL.ordinal()] = 2;
            counts.right()[VertexSplit.VAL.ordinal()] = 1;
            counts.lossSums()[VertexSplit.VAL.ordinal()] = 1;
            return counts;
        }

        @Override
        public void close() {}
    }
}
