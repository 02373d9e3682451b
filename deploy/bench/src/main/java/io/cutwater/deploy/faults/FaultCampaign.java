package io.cutwater.deploy.faults;

import io.cutwater.deploy.faults.RunResult.Outcome;
import io.cutwater.deploy.faults.plan.FaultChoice;
import io.cutwater.deploy.faults.plan.FaultKind;
import io.cutwater.deploy.faults.plan.RunPlan;
import io.cutwater.deploy.faults.process.CampaignCluster;
import io.cutwater.deploy.faults.process.Clock;
import io.cutwater.deploy.faults.process.Disk;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs real processes under seeded faults; {@code deploy/bench/run faults}. */
@Command(
        name = "deploy/bench/run faults",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Runs the live job on processes of its own while faults happen to them, and counts the committed"
                + " edges again after each run. Exit code 0 if every run is exact, or stopped with an error that names"
                + " the loss.")
public final class FaultCampaign implements Callable<Integer> {
    private static final String RESULTS = "results.csv";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--runs", defaultValue = "100", description = "Number of runs. Default: ${DEFAULT-VALUE}")
    private int runs;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed of the first run; those that follow count up. Default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "FAULT",
            description = "Kinds of faults to draw from, such as kill or cut. Default: all that this machine can do")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--longest-pause",
            defaultValue = "15",
            paramLabel = "SECONDS",
            description = "Longest pause or cut, 1 to 60. Default: ${DEFAULT-VALUE}")
    private int longestPause;

    @Option(
            names = "--trainings",
            defaultValue = "3",
            paramLabel = "TENTHS",
            description = "Runs out of ten, 0 to 10, in which a coordinator and a worker train meanwhile."
                    + " Default: ${DEFAULT-VALUE}")
    private int trainings;

    @Option(
            names = "--runs-per-cluster",
            defaultValue = "8",
            description = "Runs after which a new cluster is started; one that failed also ends its cluster."
                    + " Default: ${DEFAULT-VALUE}")
    private int runsPerCluster;

    @Option(
            names = "--keep-logs",
            defaultValue = "deploy/target/faults",
            paramLabel = "DIR",
            description = "Folder for results.csv, and for the logs of runs that failed. Default: ${DEFAULT-VALUE}")
    private Path folder = Path.of("deploy/target/faults");

    @Option(names = "--dry-run", description = "Only prints what each run would do.")
    private boolean dryRun;

    private @Nullable CampaignCluster cluster;
    private int runsOfCluster;
    private boolean hasDisks;
    private boolean hasClock;

    /** Runs the command line of a campaign to its exit code. */
    public static int run(PrintWriter out, String... arguments) {
        return new CommandLine(new FaultCampaign())
                .setOut(out)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments);
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        hasDisks = Disk.isPossible();
        hasClock = Clock.isPossible();
        FaultChoice choice =
                new FaultChoice(possible(kinds(), out), Math.max(1, Math.min(60, longestPause)), trainings);
        if (dryRun) {
            for (int i = 0; i < runs; i++) {
                out.println(RunPlan.of(seed + i, choice));
            }
            return 0;
        }
        Files.createDirectories(folder);
        Path results = folder.resolve(RESULTS);
        if (!Files.exists(results)) {
            Files.writeString(results, RunResult.HEADER + "\n");
        }
        int failed = 0;
        Thread onCtrlC = new Thread(this::endQuietly);
        Runtime.getRuntime().addShutdownHook(onCtrlC);
        try {
            for (int i = 0; i < runs; i++) {
                RunResult result = run(RunPlan.of(seed + i, choice));
                Files.writeString(results, result.csv() + "\n", StandardOpenOption.APPEND);
                out.println(result);
                out.flush();
                failed += result.outcome() == Outcome.FAILED ? 1 : 0;
            }
        } finally {
            endCluster(null);
        }
        out.printf("%d runs, %d failed; the table is in %s%n", runs, failed, results);
        out.flush();
        return failed == 0 ? 0 : 1;
    }

    private List<FaultKind> possible(List<FaultKind> kinds, PrintWriter out) {
        List<FaultKind> possible = kinds;
        if (!hasDisks) {
            possible = without(possible, FaultKind::needsDisks, "this user cannot mount file systems", out);
        }
        return hasClock
                ? possible
                : without(possible, kind -> kind == FaultKind.CLOCK, "libfaketime is not installed", out);
    }

    private static List<FaultKind> without(
            List<FaultKind> kinds, Predicate<FaultKind> impossible, String reason, PrintWriter out) {
        List<String> skipped = kinds.stream()
                .filter(impossible)
                .map(FaultKind::label)
                .distinct()
                .toList();
        if (!skipped.isEmpty()) {
            out.println("skipped, since %s: %s".formatted(reason, String.join(", ", skipped)));
        }
        return kinds.stream().filter(impossible.negate()).toList();
    }

    private List<FaultKind> kinds() {
        if (only.isEmpty()) {
            return FaultChoice.DEFAULT;
        }
        return only.stream()
                .map(name -> Arrays.stream(FaultKind.values())
                        .filter(kind -> kind.label().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new CommandLine.ParameterException(
                                spec.commandLine(),
                                "--only names no fault '%s'; there are %s"
                                        .formatted(
                                                name,
                                                Arrays.stream(FaultKind.values())
                                                        .map(FaultKind::label)
                                                        .toList()))))
                .toList();
    }

    private RunResult run(RunPlan plan) throws IOException, InterruptedException {
        if (cluster == null) {
            Path place = Files.createTempDirectory("cutwater-faults-");
            CampaignCluster started = new CampaignCluster(place, hasDisks, hasClock);
            cluster = started;
            runsOfCluster = 0;
            started.start();
        }
        RunResult result = new FaultRun(cluster, plan).run();
        runsOfCluster++;
        if (result.outcome() != Outcome.EXACT || runsOfCluster == runsPerCluster) {
            endCluster(result);
        }
        return result;
    }

    /** Nothing that was started or mounted may outlive the campaign. */
    private void endQuietly() {
        try {
            endCluster(null);
        } catch (IOException | InterruptedException e) {
            spec.commandLine().getErr().println("cannot end the campaign's cluster: " + e);
        }
    }

    /** @param last run on it; null if the campaign is over */
    private synchronized void endCluster(@Nullable RunResult last) throws IOException, InterruptedException {
        CampaignCluster ended = cluster;
        cluster = null;
        if (ended == null) {
            return;
        }
        ended.close();
        if (last != null && last.outcome() != Outcome.EXACT) {
            keepLogs(ended, last.plan().seed());
        }
        TemporaryFolder.delete(ended.folder());
    }

    private void keepLogs(CampaignCluster ended, long failedSeed) throws IOException {
        Path kept = Files.createDirectories(folder.resolve("seed-" + failedSeed));
        try (Stream<Path> logs = Files.walk(ended.folder(), 2)) {
            for (Path log : logs.filter(Files::isRegularFile).toList()) {
                String name = log.getFileName().toString();
                if (name.endsWith(".log") || name.endsWith(".out") || name.endsWith(".json")) {
                    Files.copy(log, kept.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }
}
