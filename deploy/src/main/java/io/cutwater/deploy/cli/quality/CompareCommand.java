package io.cutwater.deploy.cli.quality;

import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.EdgeFileOptions;
import io.cutwater.deploy.cli.option.PlotFile;
import io.cutwater.deploy.compare.Candidate;
import io.cutwater.deploy.compare.CompareRequest;
import io.cutwater.deploy.compare.Comparison;
import io.cutwater.deploy.compare.QualityPlot;
import io.cutwater.deploy.local.EdgesInMemory;
import io.cutwater.deploy.local.InputRequest;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.table.VertexLayout;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Several algorithms on the same edges. */
@Command(
        name = "compare",
        sortOptions = false,
        description = "Runs several algorithms on the same edges, in memory, and shows quality and speed side by side.",
        footer = {
            "",
            "The vertex algorithms, and cutwater with --passes bulk as an edge algorithm, run here only: the job"
                    + " does not run them yet.",
            "Memory: about 50 bytes an edge and 60 a vertex, with those algorithms 70 and 110; 20 an edge more with"
                    + " --shuffle-seed, and a vertex 1 bit more for each partition above 64. Each algorithm runs"
                    + " once, and its seconds leave out reading. All run in this one process, so the memory of each is"
                    + " not told; partition tells it.",
            "",
            "Example: cutwater compare --edges graph.txt.gz --partitions 8,32 --plot quality.svg"
        })
@SuppressWarnings("NullAway.Init") // picocli sets mixins
public final class CompareCommand implements Callable<Integer> {
    enum Kinds {
        EDGE(EnumSet.of(PartitioningKind.EDGE)),
        VERTEX(EnumSet.of(PartitioningKind.VERTEX)),
        BOTH(EnumSet.allOf(PartitioningKind.class));

        private final Set<PartitioningKind> kinds;

        Kinds(Set<PartitioningKind> kinds) {
            this.kinds = kinds;
        }
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private EdgeFileOptions edges;

    @Option(
            names = "--kind",
            paramLabel = "edge|vertex|both",
            defaultValue = "edge",
            description = "What the algorithms place. Default: ${DEFAULT-VALUE}")
    private Kinds kind = Kinds.EDGE;

    @Option(
            names = "--algorithms",
            split = ",",
            paramLabel = "NAME",
            description = "Their names with commas between. Default: all of the kind")
    private List<String> algorithms = List.of();

    @Option(
            names = "--partitions",
            split = ",",
            paramLabel = "K",
            required = true,
            description = "How many partitions, 1 to 4096; several numbers with commas between.")
    private List<Integer> partitions = List.of();

    @Option(
            names = "--passes",
            paramLabel = "live|bulk",
            description =
                    "live: one pass, by what is known when an edge or a vertex comes; bulk: as many as the algorithm"
                            + " wants. Default: both, where it makes a difference")
    private @Nullable PassMode passes;

    @Option(
            names = "--imbalance",
            paramLabel = "X",
            defaultValue = "0.05",
            description = "How far the fullest partition may be above the average, for the edge algorithms that can"
                    + " bound it; vertex algorithms keep to caps of their own. Default: ${DEFAULT-VALUE}")
    private double imbalance;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A setting, such as lambda=1.1, for each of the algorithms that have it. May be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "" + Algorithms.DEFAULT_SEED,
            description = "Of every hash and random choice. Default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(
            names = "--shuffle-seed",
            paramLabel = "N",
            description = "Takes the edges in a random order, and vertices in the order in which these name them."
                    + " Default: edges as they come, vertices by id")
    private @Nullable Long shuffleSeed;

    @Mixin
    private TrainingOptions training;

    @Option(
            names = "--plot",
            paramLabel = "FILE.png|svg",
            description = "Also draws replication factor against balance, a point for each algorithm.")
    private @Nullable Path plot;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        CompareRequest request = request();
        if (plot != null) {
            PlotFile.require(spec, plot);
        }
        PrintWriter err = spec.commandLine().getErr();
        Comparison.Outcome outcome = new Comparison(request, common.display(err)).run();
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                common.isJson()
                        ? ComparisonText.json(outcome.results()).toPrettyString() + System.lineSeparator()
                        : ComparisonText.tables(outcome.results()));
        out.flush();
        tellDeadLetters(outcome.input(), err);
        if (plot != null) {
            String name = String.valueOf(request.input().paths().get(0).getFileName());
            new QualityPlot(name, outcome.results()).write(plot);
            common.display(err).say("cutwater: wrote " + plot);
        }
        return 0;
    }

    private CompareRequest request() throws IOException {
        InputRequest.Files files = edges.read();
        if (files == null) {
            throw wrong("there is no input; give --edges FILE…");
        }
        for (int k : partitions) {
            if (k < 1 || k > VertexLayout.MAX_PARTITIONS) {
                throw wrong("--partitions must be 1 to %d: %d".formatted(VertexLayout.MAX_PARTITIONS, k));
            }
        }
        if (!(imbalance >= 0) || Double.isInfinite(imbalance)) {
            throw wrong("--imbalance must be 0 or more, such as 0.05 for 5 %: " + imbalance);
        }
        List<Candidate> candidates;
        try {
            candidates = Candidate.of(kind.kinds, algorithms, passes);
        } catch (IllegalArgumentException e) {
            throw wrong("--algorithms: " + e.getMessage());
        }
        try {
            List<Integer> counts = partitions.stream().distinct().toList();
            return new CompareRequest(
                    files, shuffleSeed, candidates, counts, seed, imbalance, settings, training.vertices());
        } catch (IllegalArgumentException e) {
            throw wrong((settings.isEmpty() ? "--imbalance: " : "--set: ") + e.getMessage());
        }
    }

    private static void tellDeadLetters(EdgesInMemory input, PrintWriter err) {
        input.firstDeadLetter()
                .ifPresent(first -> err.printf(
                        Locale.ROOT,
                        "cutwater: note: %,d of %,d records are no edges and were left out; the first is in %s, %d,"
                                + " '%s': %s%n",
                        input.deadLetters(),
                        input.deadLetters() + input.edges().size(),
                        first.origin(),
                        first.offset(),
                        new String(first.value(), StandardCharsets.UTF_8),
                        first.reason()));
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
