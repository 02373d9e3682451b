package io.cutwater.deploy.bench.training;

import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.CutSource;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the test accuracy of a model that is trained on the whole graph, and on shards whose models are averaged:
 * with the whole neighbourhood of each vertex, or alone, without the edges between shards.
 */
public final class AccuracyBench {
    private static final String CENTRALISED = "centralised";
    private static final String ALONE = "-alone";

    private final Experiment experiment;

    private AccuracyBench(Experiment experiment) {
        this.experiment = experiment;
    }

    /**
     * Prints a row for each way to train.
     *
     * @param folder see {@link DatasetFolder}
     * @param changes see {@link AccuracySettings}
     */
    public static void run(Path folder, List<String> changes, PrintStream out) throws Exception {
        Experiment.run(folder, List.of(), changes, out, experiment -> {
            out.println("| trained on | edges cut | test accuracy of each seed | mean ± deviation | best epoch |"
                    + " s per epoch |");
            out.println("|---|---|---|---|---|---|");
            AccuracyBench bench = new AccuracyBench(experiment);
            for (String row : experiment.settings().list("rows")) {
                bench.row(row);
            }
        });
    }

    private void row(String row) throws IOException, InterruptedException {
        GraphShards shards = shards(row);
        experiment.out().printf("| %s | %.3f |", row, shards.cut());
        Experiment.Outcome outcome = experiment.train(
                (data, options, folder) -> train(shards.stores(data, folder.path()), data, options, folder));
        List<TrainingResult> results = outcome.results();
        experiment
                .out()
                .printf(
                        " | %.2f ± %.2f | %d | %.3f |%n",
                        outcome.mean(),
                        outcome.deviation(),
                        results.stream().mapToLong(TrainingResult::bestEpoch).sum() / results.size(),
                        results.stream()
                                        .mapToDouble(TrainingResult::secondsPerEpoch)
                                        .sum()
                                / results.size());
    }

    private GraphShards shards(String row) {
        if (row.equals(CENTRALISED)) {
            return experiment.whole();
        }
        boolean isAlone = row.endsWith(ALONE);
        String algorithm = isAlone ? row.substring(0, row.length() - ALONE.length()) : row;
        DatasetFolder graph = experiment.graph();
        int partitions = experiment.settings().number("partitions");
        return GraphShards.by(algorithm, partitions, graph.edges(), graph.vertexCount(), isAlone);
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
        AccuracySettings settings = experiment.settings();
        AveragingOptions averaging = new AveragingOptions(
                        settings.number("epochs"),
                        AverageEvery.epochs(settings.number("every")),
                        settings.number("workers"),
                        Experiment.WAIT,
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
                experiment)) {
            return training.run();
        }
    }
}
