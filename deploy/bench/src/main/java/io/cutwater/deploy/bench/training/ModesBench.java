package io.cutwater.deploy.bench.training;

import com.sun.management.OperatingSystemMXBean;
import io.cutwater.format.VertexSplit;
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
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
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
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Measures what the modes of a training reach and cost on the same shards: local training with averages, the full graph
 * and synchronous mini-batches, beside local training on the graph as one shard.
 */
public final class ModesBench implements RoundListener {
    private static final Duration WAIT = Duration.ofHours(1);
    private static final int ROW_CACHE = 64 << 20;

    private final AccuracySettings settings;
    private final DatasetFolder graph;
    private final Path scratch;
    private final PrintStream out;

    private enum Mode {
        ONE_SHARD,
        LOCAL,
        FULL_GRAPH,
        SYNC
    }

    private ModesBench(AccuracySettings settings, DatasetFolder graph, Path scratch, PrintStream out) {
        this.settings = settings;
        this.graph = graph;
        this.scratch = scratch;
        this.out = out;
    }

    /**
     * Prints a row for each mode.
     *
     * @param folder see {@link DatasetFolder}
     * @param changes see {@link AccuracySettings}; {@code every} is of the full graph, and {@code test-every} of the
     *     other modes
     */
    public static void run(Path folder, List<String> changes, PrintStream out) throws Exception {
        String name = String.valueOf(folder.getFileName());
        List<String> all = new ArrayList<>(List.of("every=10", "test-every=10", "batch=128", "fanout=10"));
        all.addAll(changes);
        AccuracySettings settings = new AccuracySettings(name, all);
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            DatasetFolder graph = new DatasetFolder(folder, settings, temporary.path());
            ModesBench bench = new ModesBench(settings, graph, temporary.path(), out);
            out.printf("%s, %s%n%n", name, settings);
            out.println("| mode | test accuracy of each seed | mean ± deviation | epochs | MB per epoch |"
                    + " CPU s per epoch |");
            out.println("|---|---|---|---|---|---|");
            for (Mode mode : Mode.values()) {
                bench.row(mode);
            }
        }
    }

    private void row(Mode mode) throws IOException, InterruptedException {
        List<Double> accuracies = new ArrayList<>();
        long bytes = 0;
        long epochs = 0;
        long cpu = 0;
        out.printf("| %s |", mode.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        GraphShards shards = mode == Mode.ONE_SHARD
                ? GraphShards.whole(graph.edges(), graph.vertexCount())
                : GraphShards.by(
                        settings.text("algorithm"),
                        settings.number("partitions"),
                        graph.edges(),
                        graph.vertexCount(),
                        false);
        for (String text : settings.list("seeds")) {
            long seed = Long.parseLong(text);
            VertexData data = graph.data(seed);
            try (TemporaryFolder folder = TemporaryFolder.forMappedFiles(scratch, "modes")) {
                Source source = new Source(shards.stores(data, folder.path()), data);
                long began = cpuNanos();
                TrainingResult result = train(mode, source, settings.training(seed), folder);
                cpu += cpuNanos() - began;
                bytes += result.bytesAveraged() + result.traffic().sent();
                epochs += result.epochs();
                accuracies.add(100 * result.counts().accuracy(VertexSplit.TEST));
            }
            out.printf(" %.2f", accuracies.get(accuracies.size() - 1));
            out.flush();
        }
        double mean =
                accuracies.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        double squares = accuracies.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .sum();
        out.printf(
                " | %.2f ± %.2f | %d | %.2f | %.3f |%n",
                mean,
                Math.sqrt(squares / Math.max(1, accuracies.size() - 1)),
                epochs / accuracies.size(),
                bytes / 1e6 / epochs,
                cpu / 1e9 / epochs);
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
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
        AverageEvery every = switch (mode) {
            case ONE_SHARD, LOCAL -> AverageEvery.epochs(1);
            case FULL_GRAPH -> AverageEvery.epochs(settings.number("every"));
            case SYNC -> AverageEvery.gradients();
        };
        AveragingOptions averaging = new AveragingOptions(
                        settings.number("epochs"), every, settings.number("workers"), WAIT, settings.number("patience"))
                .evaluatedEvery(mode == Mode.FULL_GRAPH ? 1 : settings.number("test-every"));
        try (AveragedTraining training = new AveragedTraining(
                options.words(),
                averaging,
                CutSource.fixed(shards),
                trainers,
                network.initialWeights(options.randomSeed()),
                null,
                this)) {
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

    @Override
    public void roundDone(RoundReport report) {}

    @Override
    public void shardMissing(int round, int shard, String sentence) {
        throw new IllegalStateException("shard %d: %s".formatted(shard, sentence));
    }
}
