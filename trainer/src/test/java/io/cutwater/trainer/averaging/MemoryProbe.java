package io.cutwater.trainer.averaging;

import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process that trains two shards for 200 epochs and prints its resident memory in KiB after each. */
final class MemoryProbe implements RoundListener {
    private MemoryProbe() {}

    /** @param args a folder, and the density of the features */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        RandomGraph graph = new RandomGraph(1, 700, 3500, 100, 4, Double.parseDouble(args[1]));
        TrainerOptions options = new TrainerOptions(
                new ModelOptions(args[2], 2, 32, 4, Aggregator.MEAN, 0.5),
                new SamplingOptions(List.of(5, 5), 128, 1, 2),
                0.01,
                0,
                1,
                "cpu");
        GnnNetwork network = new GnnNetwork(options.model(), graph.columns, graph.classes);
        List<ShardTrainer> trainers = new ArrayList<>();
        for (ShardStore store : graph.shards(folder, 2)) {
            trainers.add(new LocalTrainer(
                    store, network, options, Files.createDirectory(folder.resolve("between-" + store.shard()))));
        }
        try (AveragedTraining training = new AveragedTraining(
                "probe",
                new AveragingOptions(200, 1, 2, Duration.ofMinutes(5), 0),
                CutSource.fixed(2),
                (shard, cut) -> trainers.get(shard),
                network.initialWeights(1),
                null,
                new MemoryProbe())) {
            training.run();
        }
    }

    @Override
    public void roundDone(RoundReport report) {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            lines.filter(line -> line.startsWith("VmRSS")).forEach(System.out::println);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void shardMissing(int round, int shard, String sentence) {
        throw new IllegalStateException(sentence);
    }
}
