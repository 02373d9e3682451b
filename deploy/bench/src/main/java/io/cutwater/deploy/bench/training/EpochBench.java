package io.cutwater.deploy.bench.training;

import io.cutwater.deploy.bench.speed.EpochTimes;
import io.cutwater.deploy.bench.speed.PeerEpochs;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures the CPU time of an epoch of training on the whole graph, and of a test, for each model; beside PyTorch with
 * one thread if setting {@code python} names a Python that has it.
 */
public final class EpochBench {
    private static final List<String> USUAL = List.of("epochs=100", "model=gcn,graphsage,gat");
    private static final Duration LIMIT = Duration.ofHours(1);

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
        String python = common.text("python");
        out.printf("%s, %s%n%n", name, common);
        String peer = "";
        if (!python.isEmpty()) {
            peer = " PyTorch: epoch, CPU ms | ratio | test, CPU ms | ratio | last loss |";
        }
        out.println("| model | epoch, CPU ms | test, CPU ms | epoch, wall ms | test, wall ms | last loss |" + peer);
        out.println("|---|---|---|---|---|---|" + (python.isEmpty() ? "" : "---|---|---|---|---|"));
        EpochBench bench = new EpochBench(out);
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (TemporaryFolder scratch = TemporaryFolder.forMappedFiles(temporary, "epochs")) {
            DatasetFolder graph = new DatasetFolder(folder, common, scratch.path());
            VertexData data = graph.data(1);
            ShardStore store = GraphShards.whole(graph.edges(), graph.vertexCount())
                    .stores(data, scratch.path())
                    .get(0);
            PeerEpochs peers = python.isEmpty() ? null : new PeerEpochs(python, store, scratch.folder("peer"));
            for (String model : common.list("model")) {
                List<String> one = new ArrayList<>(all);
                one.add("model=" + model);
                AccuracySettings settings = new AccuracySettings(name, one);
                bench.row(settings, store, data, peers, scratch.folder("between-" + model));
            }
        }
    }

    private void row(
            AccuracySettings settings, ShardStore store, VertexData data, @Nullable PeerEpochs peers, Path between)
            throws IOException, InterruptedException {
        TrainerOptions options = settings.training(1);
        EpochTimes.Plan plan = new EpochTimes.Plan(settings.number("epochs"), 1, settings.number("test-every"));
        GnnNetwork network = new GnnNetwork(options.model(), data.columns(), data.classCount());
        EpochTimes own = EpochTimes.measure(store, network, options, plan, between);
        String model = settings.text("model");
        out.printf(
                "| %s | %.2f | %.2f | %.2f | %.2f | %.6f |",
                model, own.cpuMillis(), own.testCpuMillis(), own.wallMillis(), own.testWallMillis(), own.loss());
        if (peers != null) {
            EpochTimes other = peers.measure(PeerEpochs.PLAIN, model, options, plan, LIMIT);
            out.printf(
                    " %.2f | %.2f | %.2f | %.2f | %.6f |",
                    other.cpuMillis(),
                    own.cpuMillis() / other.cpuMillis(),
                    other.testCpuMillis(),
                    own.testCpuMillis() / other.testCpuMillis(),
                    other.loss());
        }
        out.println();
        out.flush();
    }
}
