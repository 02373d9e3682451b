package io.cutwater.deploy.bench.training;

import io.cutwater.format.VertexSplit;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.CutSource;
import io.cutwater.trainer.distributed.TopicWorker;
import io.cutwater.trainer.distributed.TopicWorkforce;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures the cost and benefit of averaging more often, in one process and over the topics of a broker: bytes sent,
 * seconds and test accuracy; medians of all epochs except the first. Over topics there are two workers, threads of this
 * process with a shard at a time; the broker is in the process, too, and its work in the CPU time.
 */
public final class AveragingBench implements RoundListener {
    private static final Duration LONG = Duration.ofHours(1);
    private static final int WORKERS = 2;
    private static final List<String> USUAL = List.of(
            "like=planetoid-cora", // whatever the graph, since the settings below replace it
            "model=graphsage",
            "split=60-20-20",
            "vertices=all",
            "features=none",
            "batch=1024",
            "fanout=10",
            "hidden=64",
            "dropout=0.5",
            "learning-rate=0.003",
            "weight-decay=0,0",
            "epochs=15",
            "patience=0",
            "every=5,1,3batches,batch",
            "rows=spring",
            "seeds=1,2,3");

    private final AccuracySettings settings;
    private final List<ShardStore> stores;
    private final VertexData data;
    private final Path scratch;
    private final EmbeddedBroker broker;
    private final PrintStream out;
    private final List<Double> seconds = new ArrayList<>();
    private final List<Double> cpuSeconds = new ArrayList<>();
    private int folders;
    private int epochsBefore;
    private long cpuNanosBefore;

    private AveragingBench(
            AccuracySettings settings,
            List<ShardStore> stores,
            VertexData data,
            Path scratch,
            EmbeddedBroker broker,
            PrintStream out) {
        this.settings = settings;
        this.stores = stores;
        this.data = data;
        this.scratch = scratch;
        this.broker = broker;
        this.out = out;
    }

    /**
     * Prints the table, as {@link AccuracyBench#run} does; there is one row, and {@code every} may have several values.
     */
    public static void run(Path folder, List<String> changes, PrintStream out) throws Exception {
        List<String> all = new ArrayList<>(USUAL);
        all.addAll(changes);
        AccuracySettings settings = new AccuracySettings(String.valueOf(folder.getFileName()), all);
        try (TemporaryFolder temporary = TemporaryFolder.create();
                EmbeddedBroker broker = EmbeddedBroker.start(temporary.path().resolve("broker"))) {
            DatasetFolder graph = new DatasetFolder(folder, settings, temporary.path());
            VertexData data = graph.data(1);
            GraphShards shards = GraphShards.by(
                    settings.text("rows"), settings.number("partitions"), graph.edges(), graph.vertexCount(), false);
            List<ShardStore> stores =
                    shards.stores(data, Files.createDirectory(temporary.path().resolve("stores")));
            out.printf("%s, %s%n%n", folder.getFileName(), settings);
            out.println("| averaged every | averages per epoch | where | bytes per epoch | s per epoch | CPU s |"
                    + " test accuracy of each seed |");
            out.println("|---|---|---|---|---|---|---|");
            AveragingBench bench = new AveragingBench(settings, stores, data, temporary.path(), broker, out);
            for (String every : settings.list("every")) {
                bench.row(AverageEvery.of(every), false);
                if (settings.text("topics").equals("yes")) {
                    bench.row(AverageEvery.of(every), true);
                }
            }
        }
    }

    private void row(AverageEvery every, boolean isOverTopics) throws IOException, InterruptedException {
        seconds.clear();
        cpuSeconds.clear();
        StringBuilder accuracies = new StringBuilder();
        TrainingResult last = null;
        List<String> seeds = settings.list("seeds");
        for (String seed : isOverTopics ? seeds.subList(0, 1) : seeds) { // the others would be the same again
            last = train(every, settings.training(Long.parseLong(seed)), isOverTopics);
            accuracies.append(" %.2f".formatted(100 * last.counts().accuracy(VertexSplit.TEST)));
        }
        if (last == null) {
            throw new IllegalArgumentException("there must be a seed");
        }
        out.printf(
                "| %s | %.1f | %s | %,d | %.2f | %.2f |%s |%n",
                every,
                (double) last.rounds() / last.epochs(),
                isOverTopics ? "over topics" : "in one process",
                last.bytesAveraged() / last.epochs(),
                median(seconds),
                median(cpuSeconds),
                accuracies);
        out.flush();
    }

    private TrainingResult train(AverageEvery every, TrainerOptions options, boolean isOverTopics)
            throws IOException, InterruptedException {
        GnnNetwork network = new GnnNetwork(options.model(), data.columns(), data.classCount());
        ShardTrainers trainers =
                (shard, cut) -> new LocalTrainer(stores.get(shard), network, options.sharedBy(stores.size()), folder());
        AveragingOptions averaging =
                new AveragingOptions(settings.number("epochs"), every, WORKERS, LONG, settings.number("patience"));
        float[][] weights = network.initialWeights(options.randomSeed());
        CutSource cuts = CutSource.fixed(stores.size());
        epochsBefore = 0;
        if (!isOverTopics) {
            try (AveragedTraining training =
                    new AveragedTraining(options.words(), averaging, cuts, trainers, weights, null, this)) {
                return training.run();
            }
        }
        Topics topics = new Topics("b%d-".formatted(folders));
        List<Thread> workers = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            workers.add(worker("w" + worker, topics, options.words(), trainers));
        }
        TopicWorkforce workforce = new TopicWorkforce(
                ModelChannel.ofCoordinator(broker.bootstrapServers(), Map.of(), topics, TopicWorkforce.SENDER),
                options.words(),
                Duration.ofMinutes(1),
                false,
                0,
                sentence -> {},
                null);
        try (AveragedTraining training = new AveragedTraining(
                options.words(), averaging, cuts, workforce, ModelState.initial(weights), null, this)) {
            workforce.awaitWorkers(WORKERS, LONG);
            TrainingResult result = training.run();
            workforce.end();
            return result;
        } finally {
            for (Thread worker : workers) {
                worker.join();
            }
        }
    }

    private Thread worker(String name, Topics topics, String words, ShardTrainers trainers) {
        ModelChannel channel = ModelChannel.ofWorker(broker.bootstrapServers(), Map.of(), topics);
        Thread thread = new Thread(
                () -> {
                    try {
                        new TopicWorker(channel, name, words, trainers, 1, null).run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private synchronized Path folder() throws IOException {
        return Files.createDirectory(scratch.resolve("between-" + folders++));
    }

    private static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** The first one prepares shards and warms up. */
    @Override
    public void roundDone(RoundReport report) {
        int epochs = report.epochs() - epochsBefore;
        if (report.epochs() > epochs) {
            seconds.add(report.seconds() / epochs);
            cpuSeconds.add((Experiment.cpuNanos() - cpuNanosBefore) / 1e9 / epochs);
        }
        cpuNanosBefore = Experiment.cpuNanos();
        epochsBefore = report.epochs();
    }

    @Override
    public void shardMissing(int round, int shard, String sentence) {
        throw new IllegalStateException("shard %d: %s".formatted(shard, sentence));
    }
}
