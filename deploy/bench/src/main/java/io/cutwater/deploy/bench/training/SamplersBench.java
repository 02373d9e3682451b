package io.cutwater.deploy.bench.training;

import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.remote.SampledTrainers;
import io.cutwater.trainer.remote.SamplerTrainers;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.sync.SyncOptions;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of mini-batches that samplers send to workers: with a worker for each shard or one for all, which
 * gets each row of a group once, and without or with rows kept at the worker. All are threads of this process.
 */
public final class SamplersBench {
    private static final long ROW_CACHE = 64L << 20;

    private final ModesBench.Source source;
    private final TrainerOptions options;
    private final int epochs;
    private final int shards;

    private SamplersBench(ModesBench.Source source, TrainerOptions options, int epochs) {
        this.source = source;
        this.options = options;
        this.epochs = epochs;
        shards = source.stores().size();
    }

    /**
     * Prints a row for each combination.
     *
     * @param folder see {@link DatasetFolder}
     * @param changes see {@link AccuracySettings}
     */
    public static void run(Path folder, List<String> changes, PrintStream out) throws Exception {
        List<String> usual = List.of("model=graphsage", "batch=512", "fanout=10", "epochs=5", "patience=0", "seeds=1");
        Experiment.run(folder, usual, changes, out, SamplersBench::rows);
    }

    private static void rows(Experiment experiment) throws Exception {
        AccuracySettings settings = experiment.settings();
        PrintStream out = experiment.out();
        try (TemporaryFolder mapped = TemporaryFolder.forMappedFiles(experiment.scratch(), "samplers")) {
            long seed = Long.parseLong(settings.list("seeds").get(0));
            VertexData data = experiment.graph().data(seed);
            ModesBench.Source source = new ModesBench.Source(experiment.shards().stores(data, mapped.path()), data);
            SamplersBench bench = new SamplersBench(source, settings.training(seed), settings.number("epochs"));
            out.println("| shards of a worker | --row-cache | KB per mini-batch | avoided | loss of the last epoch |");
            out.println("|---|---|---|---|---|");
            for (boolean isGrouped : new boolean[] {false, true}) {
                for (long cache : new long[] {0, ROW_CACHE}) {
                    Outcome outcome = bench.train(isGrouped, cache, mapped);
                    Traffic traffic = outcome.all.traffic();
                    out.printf(
                            "| %d | %d MiB | %.1f | %.1f %% | %s |%n",
                            isGrouped ? source.stores().size() : 1,
                            cache >> 20,
                            traffic.batchSent() / 1e3 / outcome.all.steps(),
                            100.0 * traffic.batchAvoided() / (traffic.batchSent() + traffic.batchAvoided()),
                            outcome.last.loss());
                }
            }
        }
    }

    private record Outcome(EpochReport all, EpochReport last) {}

    private Outcome train(boolean isGrouped, long cache, TemporaryFolder scratch) throws Exception {
        ShardCut cut = ShardCut.only(shards);
        DataShape shape = source.shape();
        SyncOptions how = new SyncOptions(cache, 0, 1);
        SampledTrainers ofWorkers = new SampledTrainers(shape, options, how);
        SamplerTrainers ofSamplers = new SamplerTrainers(source, shape, options, how, scratch.path());
        List<String> teams = isGrouped
                ? Collections.nCopies(shards, "one")
                : IntStream.range(0, shards).mapToObj(Integer::toString).toList();
        List<ShardTrainer> trainers = new ArrayList<>();
        List<ShardTrainer> samplers = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            trainers.add(ofWorkers.open(shard, cut));
            samplers.add(ofSamplers.open(shard, cut));
        }
        GnnNetwork network = new GnnNetwork(options.model(), shape.features(), shape.classes());
        ModelState state = ModelState.initial(network.initialWeights(options.randomSeed()));
        EpochReport all = EpochReport.nothing();
        EpochReport last = all;
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            for (int epoch = 0; epoch < epochs; epoch++) {
                FrameGroup group = new FrameGroup(shards, teams, 1, (from, to, purpose, number, frame) -> false);
                Round round = Round.ofSharedSteps(epoch + 1, cut, epoch);
                List<Future<@Nullable LocalUpdate>> running = new ArrayList<>();
                for (int each = 0; each < shards; each++) {
                    int shard = each;
                    ModelState from = state;
                    running.add(submit(threads, group, () -> {
                        samplers.get(shard).serve(group.samplerChannel(shard));
                        return null;
                    }));
                    running.add(
                            submit(threads, group, () -> trainers.get(shard).train(round, from, group.channel(shard))));
                }
                EpochReport ofEpoch = EpochReport.nothing();
                for (Future<@Nullable LocalUpdate> each : running) {
                    LocalUpdate update = each.get();
                    if (update != null) {
                        state = update.state();
                        ofEpoch = ofEpoch.plus(update.report());
                    }
                }
                all = all.plus(ofEpoch);
                last = ofEpoch;
            }
        } finally {
            threads.shutdownNow();
            trainers.forEach(ShardTrainer::close);
            samplers.forEach(ShardTrainer::close);
        }
        return new Outcome(all, last);
    }

    /** Runs a task; its failure makes the others fail, which wait for it. */
    private static Future<@Nullable LocalUpdate> submit(
            ExecutorService threads, FrameGroup group, Callable<@Nullable LocalUpdate> task) {
        return threads.submit(() -> {
            try {
                return task.call();
            } catch (Exception e) {
                group.fail(Objects.requireNonNullElse(e.getMessage(), e.toString()));
                throw e;
            }
        });
    }
}
