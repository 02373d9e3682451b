package io.cutwater.deploy.bench.speed;

import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.bridge.TorchBridge;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.torch.Torch;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tests and times training on a GPU; {@code deploy/bench/run gpu}, or {@code run} of the archive that it packs. */
@Command(
        name = "gpu-bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Builds the bridge to an installed PyTorch, runs the numerical tests on the GPU, and times epochs"
                + " of each model beside PyTorch Geometric. Exit code 0 if all tests passed and all epochs ran.")
public final class GpuBench implements Callable<Integer> {
    private static final int LAYERS = 2;
    private static final int HEADS = 8;
    /** Number of epochs between two readings of the weights. */
    private static final int ROUND = 5;

    /** The trainer's tests of models, gradients, optimiser and inference, on a GPU if PyTorch sees one. */
    private static final List<String> NUMERICAL_TESTS = List.of(
            "io.cutwater.trainer.model.GnnNetworkTest",
            "io.cutwater.trainer.model.GradientTapeTest",
            "io.cutwater.trainer.torch.EdgeWeightsTest",
            "io.cutwater.trainer.training.AdamTest",
            "io.cutwater.trainer.training.HeldFeaturesTest",
            "io.cutwater.trainer.training.KeptInferenceTest");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--device",
            defaultValue = "gpu",
            description = "gpu, gpu:N, or cpu to do the same without one. Default: ${DEFAULT-VALUE}")
    private String device = "gpu";

    @Option(
            names = "--python",
            defaultValue = "python3",
            paramLabel = "PROGRAM",
            description = "Python with PyTorch, and with PyTorch Geometric if there is one. Default: ${DEFAULT-VALUE}")
    private String python = "python3";

    @Option(names = "--no-bridge", description = "Use the PyTorch of the class path or of PYTORCH_LIBRARY_PATH.")
    private boolean noBridge;

    @Option(names = "--no-peer", description = "Time no other library.")
    private boolean noPeer;

    @Option(
            names = "--graphs",
            split = ",",
            defaultValue = "computers:1,rmat:16:1000000:128",
            paramLabel = "GRAPH",
            description = "rmat:SCALE:EDGES:COLUMNS, or computers:SHARE, which is like a share of amazon-computers."
                    + " Default: ${DEFAULT-VALUE}")
    private List<String> graphs = new ArrayList<>();

    @Option(
            names = "--models",
            split = ",",
            defaultValue = "gcn,graphsage,gat,sampled",
            paramLabel = "MODEL",
            description = "gcn, graphsage and gat with all neighbours, one step per epoch; sampled is graphsage with"
                    + " mini-batches. Default: ${DEFAULT-VALUE}")
    private List<String> models = new ArrayList<>();

    @Option(
            names = "--hidden",
            defaultValue = "64",
            description = "Width of the hidden layer. Default: ${DEFAULT-VALUE}")
    private int hidden;

    @Option(
            names = "--rounds",
            defaultValue = "10",
            description = "Rounds of 5 epochs (1 if sampled) of each model, at least 2; a tenth is a warm-up."
                    + " Default: ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
            names = "--batch",
            defaultValue = "1024",
            description = "Vertices of a mini-batch, with 10 neighbours of each vertex. Default: ${DEFAULT-VALUE}")
    private int batch;

    @Option(
            names = "--limit",
            defaultValue = "450",
            paramLabel = "SECONDS",
            description = "Time after which nothing more is begun, and programs are ended. Default: ${DEFAULT-VALUE}")
    private long limit;

    @Option(
            names = "--tests",
            paramLabel = "PATH",
            description = "Class path of the numerical tests. Default: that of the archive, else none")
    private @Nullable String tests = System.getProperty("cutwater.gpu.tests");

    private boolean hasFailed;
    private long deadline;

    public static void main(String[] arguments) {
        System.exit(run(new PrintWriter(System.out, true, StandardCharsets.UTF_8), arguments));
    }

    /** Runs the command line to its exit code: 0, 1 if a test or a training failed, 2 if something is missing. */
    static int run(PrintWriter out, String... arguments) {
        return new CommandLine(new GpuBench())
                .setOut(out)
                .setErr(out)
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    if (failure instanceof IllegalArgumentException || failure instanceof IllegalStateException) {
                        line.getErr().println("gpu-bench: " + failure.getMessage());
                        return CommandLine.ExitCode.USAGE;
                    }
                    throw failure;
                })
                .execute(arguments);
    }

    @Override
    public Integer call() throws Exception {
        deadline = System.nanoTime() + Duration.ofSeconds(limit).toNanos();
        if (rounds < 2) {
            throw new IllegalArgumentException("--rounds must be at least 2, but was " + rounds);
        }
        PrintWriter out = spec.commandLine().getOut();
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (TemporaryFolder bridgeFolder = TemporaryFolder.in(temporary, "gpu-bridge");
                TemporaryFolder folder = TemporaryFolder.forMappedFiles(temporary, "gpu-bench")) {
            PeerEpochs.Installed installed = noBridge && noPeer ? null : PeerEpochs.installed(python, folder.path());
            if (installed != null) {
                describe(installed, out);
            }
            Map<String, String> variables = noBridge ? Map.of() : bridge(bridgeFolder.path(), out);
            variables.forEach(System::setProperty);
            Torch.device(device); // refuses one that is not there
            testNumbers(variables, out);
            List<String> rows = new ArrayList<>();
            for (String graph : graphs) {
                measure(graph, folder, installed, rows, out);
            }
            table(installed, rows, out);
        }
        return hasFailed ? 1 : 0;
    }

    private void describe(PeerEpochs.Installed installed, PrintWriter out) {
        out.printf(
                "Python has PyTorch %s, %s; %s%n",
                installed.torch(),
                installed.geometric().isEmpty() ? "no PyTorch Geometric" : "PyTorch Geometric " + installed.geometric(),
                installed.gpu().isEmpty() ? "it sees no GPU" : "its first GPU is " + installed.gpu());
        if (installed.gpu().isEmpty() && !device.equals("cpu")) {
            throw new IllegalStateException(
                    "--device %s: PyTorch sees no GPU here; check with nvidia-smi, or use --device cpu"
                            .formatted(device));
        }
    }

    private Map<String, String> bridge(Path folder, PrintWriter out) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        try {
            TorchBridge bridge = TorchBridge.build(python, folder, out::println);
            out.printf("%s (%d s)%n", bridge.check(), seconds(begun));
            return bridge.variables();
        } catch (IllegalStateException e) {
            printLogs(folder, out);
            throw e;
        }
    }

    /** The folder, and the logs that an error names, are deleted at the end. */
    private static void printLogs(Path folder, PrintWriter out) throws IOException {
        for (String name : List.of("compiler.log", "check.log")) {
            Path log = folder.resolve(name);
            if (Files.exists(log)) {
                Files.readAllLines(log).forEach(out::println);
            }
        }
        out.flush();
    }

    private static long seconds(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun).toSeconds();
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    private void testNumbers(Map<String, String> variables, PrintWriter out) throws IOException, InterruptedException {
        if (tests == null) {
            out.println("no numerical tests: --tests is not given");
            return;
        }
        long begun = System.nanoTime();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                tests + File.pathSeparator + System.getProperty("java.class.path"),
                NumericsRun.class.getName()));
        command.addAll(NUMERICAL_TESTS);
        Program run = Program.run(command, variables, left());
        if (run.exitCode() != 0) {
            hasFailed = true;
            run.lines().forEach(out::println);
        }
        out.printf("numerical tests: %s (%d s)%n", run.lastLine(), seconds(begun));
    }

    private void measure(
            String name,
            TemporaryFolder folder,
            PeerEpochs.@Nullable Installed installed,
            List<String> rows,
            PrintWriter out)
            throws IOException, InterruptedException {
        GeneratedGraph graph = GeneratedGraph.of(name);
        String safe = name.replace(':', '-');
        ShardStore store = graph.store(folder.folder(safe));
        PeerEpochs peers = noPeer ? null : new PeerEpochs(python, store, folder.folder("peer-" + safe));
        String library = installed == null || installed.geometric().isEmpty() ? PeerEpochs.PLAIN : PeerEpochs.GEOMETRIC;
        for (String model : models) {
            if (left().isZero()) {
                hasFailed = true;
                out.printf("%s of %s and what follows was not begun: --limit of %d s is over%n", model, name, limit);
                return;
            }
            boolean isSampled = model.equals("sampled");
            String network = isSampled ? "graphsage" : model;
            TrainerOptions options = options(network, isSampled);
            EpochTimes.Plan plan = new EpochTimes.Plan(rounds, isSampled ? 1 : ROUND, 0);
            EpochTimes own;
            try {
                own = EpochTimes.measure(
                        store,
                        new GnnNetwork(options.model(), graph.columns(), graph.classes()),
                        options,
                        plan,
                        folder.folder("between-" + safe + "-" + model));
            } catch (RuntimeException e) { // of PyTorch, for example without memory: the other models may work
                hasFailed = true;
                out.printf("%s of %s failed: %s%n", model, name, e);
                out.flush();
                continue;
            }
            EpochTimes other = peers == null ? null : peer(peers, library, network, options, plan, out);
            rows.add(row(name, graph, model, own, other));
            out.println(rows.get(rows.size() - 1));
            out.flush();
        }
    }

    private @Nullable EpochTimes peer(
            PeerEpochs peers,
            String library,
            String network,
            TrainerOptions options,
            EpochTimes.Plan plan,
            PrintWriter out)
            throws IOException, InterruptedException {
        try {
            return peers.measure(library, network, options, plan, left());
        } catch (IllegalStateException e) {
            hasFailed = true;
            out.println(e.getMessage());
            return null;
        }
    }

    private TrainerOptions options(String network, boolean isSampled) {
        int threads = Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors() - 1));
        SamplingOptions sampling = isSampled
                ? new SamplingOptions(Collections.nCopies(LAYERS, 10), batch, threads, 2 * threads)
                : new SamplingOptions(Collections.nCopies(LAYERS, SamplingOptions.ALL), SamplingOptions.ALL, 1, 1);
        return new TrainerOptions(
                new ModelOptions(network, LAYERS, hidden, HEADS, Aggregator.MEAN, 0.5), sampling, 0.01, 0, 1, device);
    }

    private static String row(
            String name, GeneratedGraph graph, String model, EpochTimes own, @Nullable EpochTimes other) {
        String both = other == null
                ? "| | |"
                : "| %.2f | %.2f | %.4f |"
                        .formatted(other.wallMillis(), own.wallMillis() / other.wallMillis(), other.loss());
        return "| %s, %,d vertices, %,d edges, %d features | %s | %.2f | %.2f | %.4f %s"
                .formatted(
                        name,
                        graph.vertexCount(),
                        graph.edgeCount(),
                        graph.columns(),
                        model,
                        own.wallMillis(),
                        own.cpuMillis(),
                        own.loss(),
                        both);
    }

    private void table(PeerEpochs.@Nullable Installed installed, List<String> rows, PrintWriter out) {
        Map<String, String> settings = new TreeMap<>(
                Map.of("hidden", "" + hidden, "heads", "" + HEADS, "rounds", "" + rounds, "batch", "" + batch));
        String where = installed == null || device.equals("cpu") ? device : device + ", " + installed.gpu();
        String peer = installed == null || installed.geometric().isEmpty() ? "PyTorch" : "PyTorch Geometric";
        out.printf("%n%s; %s; dropout 0.5%n%n", where, settings);
        out.printf("| graph | model | ms | CPU ms | last loss | %s, ms | ratio | its last loss |%n", peer);
        out.println("|---|---|---|---|---|---|---|---|");
        rows.forEach(out::println);
        out.flush();
    }
}
