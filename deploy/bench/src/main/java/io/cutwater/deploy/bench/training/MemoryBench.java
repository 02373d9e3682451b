package io.cutwater.deploy.bench.training;

import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.VertexData;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures the memory of the processes of a training in each mode: a coordinator, a worker with all shards, and with
 * samplers one that holds them. Needs {@code /proc} of Linux.
 */
public final class MemoryBench {
    private static final List<String> WITH_SAMPLERS = List.of("--sampler-processes", "1");
    private static final List<String> SYNC = List.of("--mode", "sync", "--transport", "mesh");

    private static final Map<String, List<String>> MODES = new LinkedHashMap<>();

    static {
        MODES.put("local", List.of());
        MODES.put("full-graph", List.of("--mode", "full-graph", "--transport", "mesh"));
        MODES.put("sync", SYNC);
        MODES.put("sync, samplers", SYNC);
    }

    private static final Pattern RESIDENT = Pattern.compile("(VmHWM|RssFile):\\s+(\\d+) kB");
    private static final Pattern COLLECTED = Pattern.compile("Pause.* \\d+M->(\\d+)M\\(");
    private static final double KIB_PER_MB = 1e6 / 1024;
    /** The default of --row-cache. */
    private static final long ROW_CACHE = 64L << 20;

    private final Experiment experiment;
    private final Path folder;
    private final Path shards;

    private MemoryBench(Experiment experiment, Path folder) {
        this.experiment = experiment;
        this.folder = folder;
        shards = experiment.scratch().resolve("shards");
    }

    /** A process and the largest values of its memory. */
    private static final class Watched {
        private final String role;
        private final Process process;
        private final Path log;
        private long resident; // KiB
        private long mapped; // KiB

        Watched(String role, Process process, Path log) {
            this.role = role;
            this.process = process;
            this.log = log;
        }

        void look() throws IOException {
            Path status = Path.of("/proc/%d/status".formatted(process.pid()));
            String text = Files.exists(status) ? Files.readString(status) : "";
            for (Matcher matcher = RESIDENT.matcher(text); matcher.find(); ) {
                long found = Long.parseLong(matcher.group(2));
                if (matcher.group(1).equals("VmHWM")) {
                    resident = Math.max(resident, found);
                } else {
                    mapped = Math.max(mapped, found);
                }
            }
        }

        /** Returns the largest heap that a collection left, in MiB. */
        long heap() throws IOException {
            return Files.readAllLines(log.resolveSibling(log.getFileName() + ".gc")).stream()
                    .map(COLLECTED::matcher)
                    .filter(Matcher::find)
                    .mapToLong(matcher -> Long.parseLong(matcher.group(1)))
                    .max()
                    .orElse(0);
        }
    }

    /**
     * Prints a row for each process of each mode.
     *
     * @param graph a folder, see {@link DatasetFolder}, or {@code rmat:SCALE:EDGES:COLUMNS}
     * @param changes see {@link AccuracySettings}; {@code heap} is the largest heap of a process
     */
    public static void run(String graph, List<String> changes, PrintStream out) throws Exception {
        if (!GeneratedFolder.isName(graph)) {
            run(Path.of(graph), changes, out);
            return;
        }
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            List<String> settings = new ArrayList<>(List.of("like=planetoid-cora", "features=none"));
            settings.addAll(changes);
            run(GeneratedFolder.write(graph, temporary.path()), settings, out);
        }
    }

    private static void run(Path folder, List<String> changes, PrintStream out) throws Exception {
        List<String> usual =
                List.of("model=graphsage", "batch=512", "fanout=10", "hidden=64", "epochs=3", "split=60-20-20");
        Experiment.run(folder, usual, changes, out, experiment -> {
            MemoryBench bench = new MemoryBench(experiment, folder);
            bench.partition();
            MemoryFormula formula = bench.formula();
            out.println("| mode | process | peak resident, MB | of it files, MB | heap, MB | files by formula, MB"
                    + " | heap by formula, MB |");
            out.println("|---|---|---|---|---|---|---|");
            for (Map.Entry<String, List<String>> mode : MODES.entrySet()) {
                bench.row(mode.getKey(), mode.getValue(), formula);
            }
        });
    }

    private MemoryFormula formula() throws IOException {
        AccuracySettings settings = experiment.settings();
        VertexData data = VertexData.of(
                new VertexFiles(
                        Path.of(file("features.svm")),
                        Path.of(file("labels.txt")),
                        Path.of(file("split.%s.txt".formatted(settings.text("split"))))),
                FeatureScaling.NONE,
                ShapeOptions.FOUND);
        Path stores = experiment.scratch().resolve("stores");
        long perSeed = (1L + settings.number("fanout")) * (1L + settings.number("fanout"));
        return new MemoryFormula(
                experiment.shards().stores(data, stores),
                settings.number("hidden"),
                data.classCount(),
                settings.number("batch") * perSeed,
                ROW_CACHE);
    }

    private static String byFormula(String mode, String role, MemoryFormula formula) {
        boolean hasShards = role.equals("sampler") || role.equals("worker") && !mode.endsWith("samplers");
        long heap = switch (role + " " + mode) {
            case "worker local" -> formula.local();
            case "worker full-graph" -> formula.fullGraph();
            case "worker sync" -> formula.sync();
            case "worker sync, samplers" -> formula.sampled();
            case "sampler sync, samplers" -> formula.sampler();
            default -> 0;
        };
        return "%s | %s"
                .formatted(
                        hasShards && !mode.equals("full-graph") ? "%.0f".formatted(formula.files() / 1e6) : "–",
                        heap == 0 ? "–" : "%.0f".formatted(heap / 1e6));
    }

    private String file(String name) {
        return folder.resolve(name + ".gz").toString();
    }

    private void partition() {
        AccuracySettings settings = experiment.settings();
        StringWriter said = new StringWriter();
        int code = Cutwater.run(
                new PrintWriter(said),
                new PrintWriter(said),
                "partition",
                "--edges",
                file("edges.txt"),
                "--algorithm",
                settings.text("algorithm"),
                "--kind",
                "vertex",
                "--partitions",
                settings.text("partitions"),
                "--features",
                file("features.svm"),
                "--labels",
                file("labels.txt"),
                "--split",
                file("split.%s.txt".formatted(settings.text("split"))),
                "--out",
                shards.toString());
        if (code != 0) {
            throw new IllegalArgumentException("the graph cannot be partitioned: " + said);
        }
    }

    private void row(String mode, List<String> words, MemoryFormula formula) throws IOException, InterruptedException {
        boolean hasSampler = mode.endsWith("samplers");
        List<Watched> processes = new ArrayList<>();
        try (TemporaryFolder temporary = TemporaryFolder.forMappedFiles(experiment.scratch(), "memory");
                EmbeddedBroker broker = EmbeddedBroker.start(temporary.folder("broker"))) {
            try {
                for (String role :
                        hasSampler ? List.of("coordinator", "worker", "sampler") : List.of("coordinator", "worker")) {
                    List<String> command = train(words, role, broker.bootstrapServers(), temporary.path());
                    if (hasSampler && !role.equals("sampler")) {
                        command.addAll(WITH_SAMPLERS);
                    }
                    processes.add(start(role, command, temporary.path().resolve(role + ".log")));
                }
                watch(processes);
                for (Watched each : processes) {
                    experiment
                            .out()
                            .printf(
                                    "| %s | %s | %.0f | %.0f | %.0f | %s |%n",
                                    mode,
                                    each.role,
                                    each.resident / KIB_PER_MB,
                                    each.mapped / KIB_PER_MB,
                                    each.heap() * 1024 / KIB_PER_MB,
                                    byFormula(mode, each.role, formula));
                }
            } finally {
                for (Watched each : processes) {
                    each.process.destroyForcibly().waitFor();
                }
            }
        }
    }

    private static void watch(List<Watched> processes) throws IOException, InterruptedException {
        for (Watched last : processes) {
            while (!last.process.waitFor(50, TimeUnit.MILLISECONDS)) {
                for (Watched each : processes) {
                    each.look();
                    if (!each.process.isAlive() && each.process.exitValue() != 0) {
                        throw new IllegalStateException(
                                "the %s failed: %s".formatted(each.role, Files.readString(each.log)));
                    }
                }
            }
        }
    }

    private List<String> train(List<String> words, String role, String servers, Path temporary) {
        AccuracySettings settings = experiment.settings();
        String fanout = settings.text("fanout");
        List<String> command = new ArrayList<>(List.of("train", "--shards", shards.toString()));
        command.addAll(List.of("--role", role, "--bootstrap-servers", servers));
        command.addAll(List.of("--model", settings.text("model"), "--hidden", settings.text("hidden")));
        command.addAll(List.of("--epochs", settings.text("epochs"), "--scratch", temporary.toString()));
        if (!words.contains("full-graph")) {
            command.addAll(List.of("--batch-size", settings.text("batch"), "--fanouts", fanout + "," + fanout));
        }
        if (role.equals("coordinator")) {
            command.addAll(List.of(
                    "--workers", "1", "--out", temporary.resolve("model").toString()));
        } else if (role.equals("worker")) {
            command.addAll(List.of("--workers", settings.text("partitions")));
        }
        command.addAll(words);
        return command;
    }

    private Watched start(String role, List<String> words, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-Xmx" + experiment.settings().text("heap"));
        command.add("-Xlog:gc:file=%s.gc".formatted(log));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Cutwater.class.getName()));
        command.addAll(words);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Watched(role, process, log);
    }
}
