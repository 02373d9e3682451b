package io.cutwater.deploy.cli.quality;

import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.PlotFile;
import io.cutwater.deploy.compare.Candidate;
import io.cutwater.deploy.compare.CompareRequest;
import io.cutwater.deploy.compare.Comparison;
import io.cutwater.deploy.compare.QualityPlot;
import io.cutwater.deploy.input.EdgesInMemory;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.topic.TopicMissingException;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.algorithm.cutwater.CutwaterJointPartitioner;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.text.Counted;
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

/** Compares several algorithms on the same edges. */
@Command(
        name = "compare",
        sortOptions = false,
        description = "Runs several algorithms on the same edges in memory, and compares quality and speed.",
        footer = {"", "Example: cutwater compare --edges graph.txt.gz --partitions 8,32 --plot quality.svg"})
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
    private ComparedEdges edges;

    @Option(
            names = "--kind",
            paramLabel = "edge|vertex|both",
            defaultValue = "edge",
            description = "Kind of the algorithms. Default: ${DEFAULT-VALUE}")
    private Kinds kind = Kinds.EDGE;

    @Option(
            names = "--algorithms",
            split = ",",
            paramLabel = "NAME",
            description = "Names of the algorithms, separated by commas. Default: all of the kind")
    private List<String> algorithms = List.of();

    @Option(
            names = "--partitions",
            split = ",",
            paramLabel = "K",
            required = true,
            description = "Numbers of partitions, 1 to 4096, separated by commas.")
    private List<Integer> partitions = List.of();

    @Option(
            names = "--passes",
            paramLabel = "live|bulk",
            description = "live: one pass over the stream; bulk: as many as needed. Default: both")
    private @Nullable PassMode passes;

    @Option(
            names = "--imbalance",
            paramLabel = "X",
            defaultValue = "0.05",
            description =
                    "Allowed excess of the largest partition over the average (edge algorithms). Default: ${DEFAULT-VALUE}")
    private double imbalance;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "Setting of every algorithm that has it, such as lambda=1.1. May be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--buffers",
            split = ",",
            paramLabel = "EDGES",
            description = "Sizes of buffers, separated by commas: a row for each, of every algorithm that places"
                    + " buffers together. 0: none. Default: one row")
    private List<Integer> buffers = List.of();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "" + Algorithms.DEFAULT_SEED,
            description = "Seed of hashes and random choices. Default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(
            names = "--shuffle-seed",
            paramLabel = "N",
            description = "Take the edges in random order. Default: as they come")
    private @Nullable Long shuffleSeed;

    @Mixin
    private TrainingOptions training;

    @Option(
            names = "--plot",
            paramLabel = "FILE.png|svg",
            description = "Also draw replication factor against balance.")
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
        RunReport job = request.input() instanceof InputRequest.Topic read ? jobOf(read) : null;
        if (job != null) {
            err.printf(
                    Locale.ROOT,
                    "cutwater: the job of the topic: %s, %s, RF %.2f, %s balance %.3f with all its edges%n",
                    job.algorithm(),
                    Counted.of(job.quality().partitions(), "partition"),
                    job.quality().replicationFactor(),
                    job.kind().label(),
                    job.quality().loadBalance());
        }
        if (plot != null) {
            new QualityPlot(request.input().name(), outcome.results(), job).write(plot);
            common.display(err).say("cutwater: wrote " + plot);
        }
        return 0;
    }

    /** Returns the last report of the job that partitions the topic; null if there is none. */
    private static @Nullable RunReport jobOf(InputRequest.Topic read) {
        try {
            return read.topic().equals(read.topics().edges())
                    ? new QualityReader(read.bootstrapServers(), read.client()).last(read.topics())
                    : null;
        } catch (TopicMissingException e) {
            return null;
        }
    }

    private CompareRequest request() throws IOException {
        InputRequest input = edges.read();
        for (int k : partitions) {
            if (k < 1 || k > VertexLayout.MAX_PARTITIONS) {
                throw wrong(
                        "--partitions must be between 1 and %d, but was %d".formatted(VertexLayout.MAX_PARTITIONS, k));
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
        if (!buffers.isEmpty()) {
            candidates = withBuffers(candidates);
        }
        try {
            List<Integer> counts = partitions.stream().distinct().toList();
            return new CompareRequest(
                    input,
                    edges.last(),
                    shuffleSeed,
                    candidates,
                    counts,
                    seed,
                    imbalance,
                    settings,
                    training.vertices());
        } catch (IllegalArgumentException e) {
            throw wrong((settings.isEmpty() ? "--imbalance: " : "--set: ") + e.getMessage());
        }
    }

    private List<Candidate> withBuffers(List<Candidate> candidates) {
        for (int size : buffers) {
            if (size < 0 || size > CutwaterJointPartitioner.MAX_BUFFER) {
                throw wrong("--buffers must be between 0 and %d edges, but was %d"
                        .formatted(CutwaterJointPartitioner.MAX_BUFFER, size));
            }
        }
        if (settings.containsKey(CutwaterJointPartitioner.BUFFER.name())) {
            throw wrong("--buffers and --set buffer exclude each other; leave one out");
        }
        try {
            return Candidate.withBuffers(candidates, buffers.stream().distinct().toList());
        } catch (IllegalArgumentException e) {
            throw wrong("--buffers: " + e.getMessage());
        }
    }

    private static void tellDeadLetters(EdgesInMemory input, PrintWriter err) {
        input.firstDeadLetter()
                .ifPresent(first -> err.printf(
                        Locale.ROOT,
                        "cutwater: note: left out %,d of %s, which %s malformed; the first is in %s, %d, '%s': %s%n",
                        input.deadLetters(),
                        Counted.of(input.deadLetters() + input.edges().size(), "record"),
                        Counted.are(input.deadLetters()),
                        first.origin(),
                        first.offset(),
                        new String(first.value(), StandardCharsets.UTF_8),
                        first.reason()));
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
