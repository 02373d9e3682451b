package io.cutwater.deploy.bench.training;

import io.cutwater.format.VertexSplit;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.CutSource;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the test accuracy of a model that is trained on the whole graph, and on shards whose models are averaged:
 * with the whole neighbourhood of each vertex, or alone, without the edges between shards.
 */
public final class AccuracyBench implements RoundListener {
    private static final String CENTRALISED = "centralised";
    private static final String ALONE = "-alone";

    private final AccuracySettings settings;
    private final DatasetFolder graph;
    private final Path scratch;
    private final PrintStream out;

    private AccuracyBench(AccuracySettings settings, DatasetFolder graph, Path scratch, PrintStream out) {
        this.settings = settings;
        this.graph = graph;
        this.scratch = scratch;
        this.out = out;
    }

    /**
     * Prints a row for each way to train.
     *
     * @param folder see {@link DatasetFolder}
     * @param changes see {@link AccuracySettings}
     */
    public static void run(Path folder, List<String> changes, PrintStream out) throws Exception {
        String name = String.valueOf(folder.getFileName());
        AccuracySettings settings = new AccuracySettings(name, changes);
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            DatasetFolder graph = new DatasetFolder(folder, settings, temporary.path());
            out.printf("%s, %s%n%n", name, settings);
            out.println("| trained on | edges cut | test accuracy of each seed | mean ± deviation | best epoch |"
                    + " s per epoch |");
            out.println("|---|---|---|---|---|---|");
            AccuracyBench bench = new AccuracyBench(settings, graph, temporary.path(), out);
            for (String row : settings.list("rows")) {
                bench.row(row);
            }
        }
    }

    private void row(String row) throws IOException, InterruptedException {
        GraphShards shards = shards(row);
        List<Double> accuracies = new ArrayList<>();
        long bestEpochs = 0;
        double seconds = 0;
        out.printf("| %s | %.3f |", row, shards.cut());
        for (String text : settings.list("seeds")) {
            long seed = Long.parseLong(text);
            VertexData data = graph.data(seed);
            TrainingResult result;
            try (TemporaryFolder folder = TemporaryFolder.forMappedFiles(scratch, "seed")) {
                result = train(shards.stores(data, folder.path()), data, settings.training(seed), folder);
            }
            System.gc(); // unmaps the stores of this seed, which otherwise add up to gigabytes
            accuracies.add(100 * result.counts().accuracy(VertexSplit.TEST));
            bestEpochs += result.bestEpoch();
            seconds += result.secondsPerEpoch();
            out.printf(" %.2f", accuracies.get(accuracies.size() - 1));
            out.flush();
        }
        out.printf(
                " | %.2f ± %.2f | %d | %.3f |%n",
                mean(accuracies), deviation(accuracies), bestEpochs / accuracies.size(), seconds / accuracies.size());
    }

    private GraphShards shards(String row) {
        if (row.equals(CENTRALISED)) {
            return GraphShards.whole(graph.edges(), graph.vertexCount());
        }
        boolean isAlone = row.endsWith(ALONE);
        String algorithm = isAlone ? row.substring(0, row.length() - ALONE.length()) : row;
        return GraphShards.by(algorithm, settings.number("partitions"), graph.edges(), graph.vertexCount(), isAlone);
    }

    private TrainingResult train(
            List<ShardStore> stores, VertexData data, TrainerOptions options, TemporaryFolder folder)
            throws IOException, InterruptedException {
        GnnNetwork network = new GnnNetwork(options.model(), data.columns(), data.classCount());
        List<ShardTrainer> trainers = new ArrayList<>();
        for (ShardStore store : stores) {
            Path between = folder.folder("between-" + store.shard());
            trainers.add(new LocalTrainer(store, network, options.sharedBy(stores.size()), between));
        }
        AveragingOptions averaging = new AveragingOptions(
                        settings.number("epochs"),
                        AverageEvery.epochs(settings.number("every")),
                        settings.number("workers"),
                        Duration.ofHours(1),
                        settings.number("patience"))
                .evaluatedEvery(settings.number("test-every"));
        float[][] weights = network.initialWeights(options.randomSeed());
        try (AveragedTraining training = new AveragedTraining(
                options.words(),
                averaging,
                CutSource.fixed(stores.size()),
                (shard, cut) -> trainers.get(shard),
                weights,
                null,
                this)) {
            return training.run();
        }
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    /** Returns the deviation of a sample: divided by one less than its size. */
    private static double deviation(List<Double> values) {
        double mean = mean(values);
        double squares = values.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .sum();
        return values.size() < 2 ? 0 : Math.sqrt(squares / (values.size() - 1));
    }

    @Override
    public void roundDone(RoundReport report) {}

    @Override
    public void shardMissing(int round, int shard, String sentence) {
        throw new IllegalStateException("shard %d: %s".formatted(shard, sentence));
    }
}
