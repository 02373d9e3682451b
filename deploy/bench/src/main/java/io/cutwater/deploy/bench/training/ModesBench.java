package io.cutwater.deploy.bench.training;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.CutSource;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.fullgraph.FullGraphOptions;
import io.cutwater.trainer.fullgraph.FullGraphTrainers;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.sync.SyncOptions;
import io.cutwater.trainer.sync.SyncTrainers;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures what the modes of a training reach and cost on the same shards: local training with averages, the full graph
 * and synchronous mini-batches, beside local training on the graph as one shard.
 */
public final class ModesBench {
    private static final int ROW_CACHE = 64 << 20;

    private final Experiment experiment;

    /** The modes, named in setting {@code modes} in lower case with hyphens. */
    private enum Mode {
        ONE_SHARD,
        LOCAL,
        FULL_GRAPH,
        SYNC;

        static Mode of(String name) {
            return Arrays.stream(values())
                    .filter(mode -> mode.words().replace(' ', '-').equals(name))
                    .findAny()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "there is no mode %s, only one-shard, local, full-graph and sync".formatted(name)));
        }

        String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    private ModesBench(Experiment experiment) {
        this.experiment = experiment;
    }

    /**
     * Prints a row for each mode.
     *
     * @param folder see {@link DatasetFolder}
     * @param changes see {@link AccuracySettings}; {@code every} is of the full graph, and {@code test-every} of the
     *     other modes
     */
    public static void run(Path folder, List<String> changes, PrintStream out) throws Exception {
        List<String> usual = List.of("every=10", "test-every=10", "batch=128", "fanout=10");
        Experiment.run(folder, usual, changes, out, experiment -> {
            ModesBench bench = new ModesBench(experiment);
            List<Mode> modes =
                    experiment.settings().list("modes").stream().map(Mode::of).toList();
            out.println("| mode | test accuracy of each seed | mean ± deviation | epochs | MB per epoch |"
                    + " CPU s per epoch |");
            out.println("|---|---|---|---|---|---|");
            for (Mode mode : modes) {
                bench.row(mode);
            }
        });
    }

    private void row(Mode mode) throws IOException, InterruptedException {
        AtomicLong cpu = new AtomicLong();
        experiment.out().printf("| %s |", mode.words());
        GraphShards shards = mode == Mode.ONE_SHARD ? experiment.whole() : experiment.shards();
        Experiment.Outcome outcome = experiment.train((data, options, folder) -> {
            Source source = new Source(shards.stores(data, folder.path()), data);
            long began = Experiment.cpuNanos();
            TrainingResult result = train(mode, source, options, folder);
            cpu.addAndGet(Experiment.cpuNanos() - began);
            return result;
        });
        long bytes = 0;
        long epochs = 0;
        for (TrainingResult result : outcome.results()) {
            bytes += result.bytesAveraged() + result.traffic().sent();
            epochs += result.epochs();
        }
        experiment
                .out()
                .printf(
                        " | %.2f ± %.2f | %d | %.2f | %.3f |%n",
                        outcome.mean(),
                        outcome.deviation(),
                        epochs / outcome.results().size(),
                        bytes / 1e6 / epochs,
                        cpu.get() / 1e9 / epochs);
    }

    private TrainingResult train(Mode mode, Source source, TrainerOptions options, TemporaryFolder folder)
            throws IOException, InterruptedException {
        DataShape shape = source.shape();
        GnnNetwork network = new GnnNetwork(options.model(), shape.features(), shape.classes());
        int shards = source.stores().size();
        ShardTrainers trainers = switch (mode) {
            case ONE_SHARD, LOCAL ->
                (shard, cut) -> new LocalTrainer(
                        source.stores().get(shard),
                        network,
                        options.sharedBy(shards),
                        folder.folder("between-" + shard));
            case FULL_GRAPH ->
                new FullGraphTrainers(source, shape.features(), network, options, FullGraphOptions.EXACT);
            case SYNC -> new SyncTrainers(source, shape, options, new SyncOptions(ROW_CACHE, 0), folder.path());
        };
        AccuracySettings settings = experiment.settings();
        AverageEvery every = switch (mode) {
            case ONE_SHARD, LOCAL -> AverageEvery.epochs(1);
            case FULL_GRAPH -> AverageEvery.epochs(settings.number("every"));
            case SYNC -> AverageEvery.gradients();
        };
        AveragingOptions averaging = new AveragingOptions(
                        settings.number("epochs"),
                        every,
                        settings.number("workers"),
                        Experiment.WAIT,
                        settings.number("patience"))
                .evaluatedEvery(mode == Mode.FULL_GRAPH ? 1 : settings.number("test-every"));
        try (AveragedTraining training = new AveragedTraining(
                options.words(),
                averaging,
                CutSource.fixed(shards),
                trainers,
                network.initialWeights(options.randomSeed()),
                null,
                experiment)) {
            return training.run();
        }
    }

    /** Shards that have been built. */
    record Source(List<ShardStore> stores, VertexData data) implements ShardSource, FullGraphTrainers.Stores {
        @Override
        public DataShape shape() {
            return new DataShape(data.columns(), data.classCount());
        }

        @Override
        public PartitioningKind kind() {
            return PartitioningKind.VERTEX;
        }

        @Override
        public ShardCut latest() {
            return ShardCut.only(stores.size());
        }

        @Override
        public void expect(ShardCut cut, Collection<Integer> shards) {}

        @Override
        public ShardStore make(int shard, ShardCut cut, Path folder) {
            return stores.get(shard);
        }

        @Override
        public void open(int shard, ShardCut cut, StoreConsumer consumer) throws IOException, InterruptedException {
            consumer.accept(stores.get(shard));
        }

        @Override
        public void close() {}
    }
}
