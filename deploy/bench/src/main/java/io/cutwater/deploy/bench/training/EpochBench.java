package io.cutwater.deploy.bench.training;

import com.sun.management.OperatingSystemMXBean;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the CPU time of an epoch of training on the whole graph, and of a test, for each model. CPU time is that of
 * the process, with sampling and garbage collection; the first tenth of the epochs is not counted.
 */
public final class EpochBench {
    private static final List<String> USUAL = List.of("epochs=100", "model=gcn,graphsage,gat");

    private final PrintStream out;

    private EpochBench(PrintStream out) {
        this.out = out;
    }

    /**
     * Prints a row for each model of setting {@code model}.
     *
     * @param folder see {@link DatasetFolder}
     * @param changes see {@link AccuracySettings}
     */
    public static void run(Path folder, List<String> changes, PrintStream out) throws Exception {
        String name = String.valueOf(folder.getFileName());
        List<String> all = new ArrayList<>(USUAL);
        all.addAll(changes);
        AccuracySettings common = new AccuracySettings(name, all);
        out.printf("%s, %s%n%n", name, common);
        out.println("| model | epoch, CPU ms | test, CPU ms | epoch, wall ms | test, wall ms | last loss |");
        out.println("|---|---|---|---|---|---|");
        EpochBench bench = new EpochBench(out);
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (TemporaryFolder scratch = TemporaryFolder.forMappedFiles(temporary, "epochs")) {
            DatasetFolder graph = new DatasetFolder(folder, common, scratch.path());
            VertexData data = graph.data(1);
            ShardStore store = GraphShards.whole(graph.edges(), graph.vertexCount())
                    .stores(data, scratch.path())
                    .get(0);
            for (String model : common.list("model")) {
                List<String> one = new ArrayList<>(all);
                one.add("model=" + model);
                AccuracySettings settings = new AccuracySettings(name, one);
                bench.row(settings, store, data, scratch.folder("between-" + model));
            }
        }
    }

    private void row(AccuracySettings settings, ShardStore store, VertexData data, Path between)
            throws IOException, InterruptedException {
        TrainerOptions options = settings.training(1);
        GnnNetwork network = new GnnNetwork(options.model(), data.columns(), data.classCount());
        int epochs = settings.number("epochs");
        int warmUps = epochs / 10;
        ModelState state = ModelState.initial(network.initialWeights(1));
        Times training = new Times();
        Times testing = new Times();
        double loss = 0;
        try (LocalTrainer trainer = new LocalTrainer(store, network, options, between)) {
            for (int epoch = 0; epoch < epochs; epoch++) {
                Times counted = epoch < warmUps ? new Times() : training;
                counted.begin();
                LocalUpdate update = trainer.train(new Round(epoch + 1, ShardCut.only(1), epoch, 1), state);
                counted.end();
                state = update.state();
                loss = update.report().loss();
                if (epoch % settings.number("test-every") == 0) {
                    Times test = epoch < warmUps ? new Times() : testing;
                    test.begin();
                    trainer.evaluate(state.weights());
                    test.end();
                }
            }
        }
        out.printf(
                "| %s | %.2f | %.2f | %.2f | %.2f | %.6f |%n",
                settings.text("model"),
                training.cpuMillis(),
                testing.cpuMillis(),
                training.wallMillis(),
                testing.wallMillis(),
                loss);
        out.flush();
    }

    /** Sums of intervals. */
    private static final class Times {
        private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        private long cpuNanos;
        private long wallNanos;
        private int count;

        void begin() {
            cpuNanos -= system.getProcessCpuTime();
            wallNanos -= System.nanoTime();
        }

        void end() {
            cpuNanos += system.getProcessCpuTime();
            wallNanos += System.nanoTime();
            count++;
        }

        double cpuMillis() {
            return cpuNanos / 1e6 / Math.max(1, count);
        }

        double wallMillis() {
            return wallNanos / 1e6 / Math.max(1, count);
        }
    }
}
