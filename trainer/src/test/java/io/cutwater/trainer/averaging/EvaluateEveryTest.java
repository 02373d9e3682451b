package io.cutwater.trainer.averaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluateEveryTest {
    private static final int CLASSES = 3;

    @TempDir
    Path temp;

    private final RandomGraph graph = new RandomGraph(2, 90, 400, 10, CLASSES, 0.5);
    private final List<RoundReport> done = new ArrayList<>();
    private final TrainerOptions options = new TrainerOptions(
            new ModelOptions("gcn", 2, 6, 2, Aggregator.MEAN, 0.2),
            new SamplingOptions(List.of(4, 4), 16, 1, 2),
            0.02,
            1e-4,
            5,
            "cpu");

    @Test
    void testsAfterEveryThirdEpochAndTheLastAndChangesNoOtherNumber() throws Exception {
        run(AverageEvery.epochs(1), 7, 1, null);
        List<RoundReport> always = List.copyOf(done);
        run(AverageEvery.epochs(1), 7, 3, null);
        assertThat(done).extracting(RoundReport::epochs).containsExactly(3, 6, 7);
        assertThat(done).extracting(RoundReport::round).containsExactly(3, 6, 7);
        for (RoundReport report : done) {
            RoundReport same = always.get(report.epochs() - 1);
            assertThat(report.counts().lossSums()).isEqualTo(same.counts().lossSums());
            assertThat(report.bytesAveraged()).isEqualTo(same.bytesAveraged());
            assertThat(report.missing()).isZero();
        }
        for (int report = 0, epoch = 0; report < done.size(); report++) {
            long steps = 0;
            double loss = 0;
            for (; epoch < done.get(report).epochs(); epoch++) {
                steps += always.get(epoch).work().steps();
                loss += always.get(epoch).work().lossSum();
            }
            assertThat(done.get(report).work().steps()).isEqualTo(steps);
            assertThat(done.get(report).work().lossSum()).isEqualTo(loss);
        }
    }

    @Test
    void aRoundIsNeverDividedByATest() throws Exception {
        run(AverageEvery.epochs(2), 7, 3, null);
        assertThat(done).extracting(RoundReport::epochs).containsExactly(4, 7);
        assertThat(done).extracting(RoundReport::round).containsExactly(2, 4);
        run(AverageEvery.batches(1), 3, 2, null);
        assertThat(done).extracting(RoundReport::epochs).containsExactly(2, 3);
    }

    @Test
    void resumesWithTheSameNumbersAndRefusesOtherTests() throws Exception {
        TrainingResult whole = run(AverageEvery.epochs(1), 8, 2, null);
        Path folder = Files.createDirectory(temp.resolve("out"));
        run(AverageEvery.epochs(1), 4, 2, folder);
        TrainingResult resumed = run(AverageEvery.epochs(1), 8, 2, folder);
        assertThat(done).extracting(RoundReport::epochs).containsExactly(6, 8);
        assertThat(resumed.weights()).isDeepEqualTo(whole.weights());
        assertThatThrownBy(() -> run(AverageEvery.epochs(1), 8, 1, folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tested every 2 epochs");
    }

    @Test
    void refusesNoEpochsBetweenTests() {
        assertThatThrownBy(() -> averaging(AverageEvery.epochs(1), 7, 0))
                .hasMessage("--evaluate-every must be at least 1, but was 0");
    }

    private static AveragingOptions averaging(AverageEvery every, int epochs, int evaluateEvery) {
        return new AveragingOptions(epochs, every, 1, Duration.ofMinutes(5), 0).evaluatedEvery(evaluateEvery);
    }

    private TrainingResult run(AverageEvery every, int epochs, int evaluateEvery, Path folder) throws Exception {
        done.clear();
        GnnNetwork network = new GnnNetwork(options.model(), graph.columns, CLASSES);
        List<ShardTrainer> trainers = new ArrayList<>();
        Path data = Files.createTempDirectory(temp, "data");
        for (ShardStore store : graph.shards(data, 2)) {
            Path scratch = Files.createDirectory(data.resolve("between-" + store.shard()));
            trainers.add(new LocalTrainer(store, network, options, scratch));
        }
        try (AveragedTraining training = new AveragedTraining(
                options.words(),
                averaging(every, epochs, evaluateEvery),
                CutSource.fixed(trainers.size()),
                (shard, cut) -> trainers.get(shard),
                network.initialWeights(5),
                folder == null ? null : new CheckpointFile(folder),
                new Listener())) {
            training.resume();
            return training.run();
        }
    }

    private final class Listener implements RoundListener {
        @Override
        public void roundDone(RoundReport report) {
            done.add(report);
        }

        @Override
        public void shardMissing(int round, int shard, String sentence) {
            throw new IllegalStateException(sentence);
        }
    }
}
