package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.help.Suggestion;
import io.cutwater.deploy.local.RunRequest;
import io.cutwater.flink.job.AlgorithmKind;
import io.cutwater.state.algorithm.BulkAlgorithms;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.algorithm.EdgePartitioners;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.placement.vertex.LiveVertexAssigner;
import io.cutwater.state.algorithm.VertexPartitioners;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The algorithm of a bounded run, and its settings. */
@Heading("Algorithm")
public final class AlgorithmOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            completionCandidates = Names.class,
            description = "${COMPLETION-CANDIDATES}. Default: cutwater; hdrf with --parallelism or --assigners")
    private @Nullable String algorithm;

    @Option(
            names = "--kind",
            paramLabel = "edge|vertex",
            defaultValue = "",
            showDefaultValue = Help.Visibility.NEVER,
            description = "Partition edges (vertex cut) or vertices (edge cut). Default: by the algorithm")
    private String kind = "";

    @Option(
            names = "--passes",
            paramLabel = "live|bulk",
            defaultValue = "bulk",
            description = "live: place each edge as it comes; bulk: read the input as often as the algorithm needs."
                    + " Default: ${DEFAULT-VALUE}")
    private PassMode passes = PassMode.BULK;

    @Option(
            names = "--imbalance",
            paramLabel = "X",
            defaultValue = "0.05",
            description = "Allowed excess of the largest partition over the average, for algorithms that bound it."
                    + " Default: ${DEFAULT-VALUE}")
    private double imbalance;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "" + EdgePartitioners.DEFAULT_SEED,
            description = "Seed of hashes and random choices. Default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "Setting of the algorithm, such as lambda=1.1 of hdrf. May be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    /**
     * The algorithm, which can run with these settings.
     *
     * @param isOneTask whether one task places all edges, which some algorithms need
     * @param training the vertices that are to be balanced, too; null for none
     */
    RunRequest.Algorithm read(int partitions, boolean isOneTask, @Nullable TrainingVertices training) {
        if (!(imbalance >= 0) || Double.isInfinite(imbalance)) {
            throw wrong("--imbalance must be 0 or more, such as 0.05 for 5 %: " + imbalance);
        }
        String name = algorithm == null ? defaultAlgorithm(isOneTask) : algorithm;
        PartitioningKind found = kind(name);
        if (!AlgorithmKind.names(found).contains(name)) {
            throw wrong("--algorithm '%s' is not known%s; %s"
                    .formatted(name, kind.isEmpty() ? "" : " with --kind " + kind, suggestion(name)));
        }
        PartitionerOptions options = new PartitionerOptions(name, partitions, seed, passes, settings(found, name));
        try {
            if (found == PartitioningKind.VERTEX) {
                checkVertices(options);
            } else {
                checkEdges(options);
            }
        } catch (IllegalArgumentException e) {
            throw wrong(
                    "--set, with --passes %s: %s".formatted(passes.name().toLowerCase(Locale.ROOT), e.getMessage()));
        }
        return new RunRequest.Algorithm(found, options.withTraining(training), imbalance);
    }

    /** The best that can run in the tasks that are asked for. */
    private String defaultAlgorithm(boolean isOneTask) {
        return isOneTask || kind.equals(PartitioningKind.VERTEX.label()) ? "cutwater" : "hdrf";
    }

    private PartitioningKind kind(String name) {
        try {
            return AlgorithmKind.of(name, kind);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    /** The settings of {@code --set}, and {@code --imbalance} as the setting that the algorithm has for it. */
    private Map<String, String> settings(PartitioningKind found, String name) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        if (found == PartitioningKind.EDGE && EdgePartitioners.hasSetting(name, "imbalance")) {
            all.putIfAbsent("imbalance", Double.toString(imbalance));
        }
        if (found == PartitioningKind.VERTEX && VertexPartitioners.hasSetting(name, "vertex-slack")) {
            all.putIfAbsent("vertex-slack", Double.toString(1 + imbalance));
        }
        return all;
    }

    private void checkEdges(PartitionerOptions options) {
        if (!EdgePartitioners.canRun(options.algorithm(), passes)) {
            throw wrong("--passes live: %s reads its whole input before it places an edge; give --passes bulk"
                    .formatted(options.algorithm()));
        }
        if (BulkAlgorithms.runs(PartitioningKind.EDGE, options)) {
            new BulkRequest(PartitioningKind.EDGE, options, null);
        } else {
            EdgePartitioners.create(options);
        }
    }

    private void checkVertices(PartitionerOptions options) {
        if (passes == PassMode.BULK) {
            new BulkRequest(PartitioningKind.VERTEX, options, null);
        } else if (LiveVertexAssigner.names().contains(options.algorithm())) {
            LiveVertexAssigner.layout(options);
        } else {
            throw wrong("--passes live: %s has no rule for a stream of edges; give --passes bulk"
                    .formatted(options.algorithm()));
        }
    }

    private String suggestion(String name) {
        List<String> names = kind.isEmpty() ? all() : AlgorithmKind.names(kind(name));
        String all = "there are " + String.join(", ", names);
        return Suggestion.nearest(name, names)
                .map(nearest -> "did you mean " + nearest + "? " + all)
                .orElse(all);
    }

    /** The algorithms of both kinds, sorted. */
    private static List<String> all() {
        TreeSet<String> names = new TreeSet<>(AlgorithmKind.names(PartitioningKind.EDGE));
        names.addAll(AlgorithmKind.names(PartitioningKind.VERTEX));
        return List.copyOf(names);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** The names of all algorithms, for help and completion. */
    public static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return all().iterator();
        }
    }
}
