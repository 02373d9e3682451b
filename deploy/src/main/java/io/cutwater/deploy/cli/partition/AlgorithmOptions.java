package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.flink.job.AlgorithmKind;
import io.cutwater.flink.job.Topology;
import io.cutwater.flink.operator.SpreadOptions;
import io.cutwater.state.algorithm.BulkAlgorithms;
import io.cutwater.state.algorithm.EdgePartitioners;
import io.cutwater.state.algorithm.VertexPartitioners;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.placement.vertex.LiveVertexAssigner;
import io.cutwater.state.table.VertexLayout;
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

/** How edges are placed: the options that {@code partition} and {@code demo} share. */
@Heading("Algorithm")
public final class AlgorithmOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            completionCandidates = Names.class,
            description = "One of ${COMPLETION-CANDIDATES}. Default: cutwater; hdrf with --parallelism or --assigners")
    private @Nullable String algorithm;

    @Option(
            names = "--kind",
            paramLabel = "edge|vertex",
            defaultValue = "",
            showDefaultValue = Help.Visibility.NEVER,
            description = "Whether edges are placed, each on one partition, or vertices, each with all its edges."
                    + " Default: what the algorithm does; edge, if it does both")
    private String kind = "";

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "" + EdgePartitioners.DEFAULT_SEED,
            description = "Of every hash and random choice. Default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(
            names = "--imbalance",
            paramLabel = "X",
            defaultValue = "0.05",
            description = "How far the fullest partition may be above the average: an algorithm that can bound it"
                    + " does, and the report of any other says when it is more. Default: ${DEFAULT-VALUE}")
    private double imbalance;

    @Option(
            names = "--passes",
            paramLabel = "live|bulk",
            defaultValue = "bulk",
            description = "live: one pass, by what is known when an edge comes; bulk: as many as the algorithm wants."
                    + " Default: ${DEFAULT-VALUE}")
    private PassMode passes = PassMode.BULK;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A setting of the algorithm, such as lambda=1.1 of hdrf. May be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            defaultValue = "1",
            description = "Tasks that hold the vertices. Default: ${DEFAULT-VALUE}, which also decides")
    private int parallelism;

    @Option(
            names = "--assigners",
            paramLabel = "N",
            defaultValue = "1",
            description = "Tasks that decide; with several, the result depends on chance. Default: ${DEFAULT-VALUE}")
    private int assigners;

    @Option(
            names = "--topology",
            paramLabel = "NAME",
            defaultValue = "auto",
            description = "fused: one task decides and holds the vertices; distributed: as many tasks as asked for;"
                    + " auto: fused if one is enough. Default: ${DEFAULT-VALUE}")
    private String topology = "auto";

    double imbalance() {
        if (!(imbalance >= 0) || Double.isInfinite(imbalance)) {
            throw wrong("--imbalance must be 0 or more, such as 0.05 for 5 %: " + imbalance);
        }
        return imbalance;
    }

    /** Whether edges or vertices are partitioned. */
    PartitioningKind kind() {
        try {
            return AlgorithmKind.of(algorithm(), kind);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    /** The validated options for k partitions. */
    PartitionerOptions partitioner(int partitions) {
        if (partitions < 1 || partitions > VertexLayout.MAX_PARTITIONS) {
            throw wrong("--partitions must be 1 to %d: %d".formatted(VertexLayout.MAX_PARTITIONS, partitions));
        }
        String algorithm = algorithm();
        PartitioningKind kind = kind();
        if (!AlgorithmKind.names(kind).contains(algorithm)) {
            throw wrong("--algorithm '%s' is not known%s; %s"
                    .formatted(algorithm, this.kind.isEmpty() ? "" : " with --kind " + this.kind, suggestion()));
        }
        PartitionerOptions options = new PartitionerOptions(algorithm, partitions, seed, passes, settings(kind));
        if (kind == PartitioningKind.VERTEX) {
            checkVertices(options);
        } else {
            checkEdges(options);
        }
        return options;
    }

    /** What was set, and what {@code --imbalance} says in the words of the algorithm. */
    private Map<String, String> settings(PartitioningKind kind) {
        Map<String, String> settings = new LinkedHashMap<>(this.settings);
        String algorithm = algorithm();
        if (kind == PartitioningKind.EDGE && EdgePartitioners.hasSetting(algorithm, "imbalance")) {
            settings.putIfAbsent("imbalance", Double.toString(imbalance()));
        }
        if (kind == PartitioningKind.VERTEX && VertexPartitioners.hasSetting(algorithm, "vertex-slack")) {
            settings.putIfAbsent("vertex-slack", Double.toString(1 + imbalance()));
        }
        return settings;
    }

    private void checkEdges(PartitionerOptions options) {
        if (!EdgePartitioners.canRun(options.algorithm(), passes)) {
            throw wrong("--passes live: %s reads its whole input before it places an edge; give --passes bulk"
                    .formatted(options.algorithm()));
        }
        try {
            if (BulkAlgorithms.runs(PartitioningKind.EDGE, options)) {
                new BulkRequest(PartitioningKind.EDGE, options, null);
            } else {
                EdgePartitioners.create(options);
            }
        } catch (IllegalArgumentException e) {
            throw wrongSetting(e);
        }
    }

    private void checkVertices(PartitionerOptions options) {
        if (passes == PassMode.LIVE && !LiveVertexAssigner.names().contains(options.algorithm())) {
            throw wrong("--passes live: %s has no rule for a stream of edges; give --passes bulk"
                    .formatted(options.algorithm()));
        }
        try {
            if (passes == PassMode.LIVE) {
                LiveVertexAssigner.layout(options);
            } else {
                new BulkRequest(PartitioningKind.VERTEX, options, null);
            }
        } catch (IllegalArgumentException e) {
            throw wrongSetting(e);
        }
    }

    private ParameterException wrongSetting(IllegalArgumentException e) {
        return wrong("--set, with --passes %s: %s".formatted(passes.name().toLowerCase(Locale.ROOT), e.getMessage()));
    }

    private String algorithm() {
        return algorithm == null ? defaultAlgorithm() : algorithm;
    }

    /** The best that the tasks which are asked for can run. */
    private String defaultAlgorithm() {
        boolean isOneTask = parallelism == 1 && assigners == 1 && !topology.equals(Topology.DISTRIBUTED.toString());
        return isOneTask || kind.equals(PartitioningKind.VERTEX.label()) ? "cutwater" : "hdrf";
    }

    /** How the work is spread over tasks; null for the fused path. */
    @Nullable SpreadOptions spread(PartitionerOptions partitioner) {
        try {
            return Topology.of(topology)
                    .spread(kind(), partitioner, SpreadOptions.DEFAULT_BUCKETS, parallelism, assigners);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private String suggestion() {
        List<String> names = kind.isEmpty() ? all() : AlgorithmKind.names(kind());
        String all = "there are " + String.join(", ", names);
        return names.stream()
                .filter(name -> editDistance(name, algorithm()) <= 2)
                .findFirst()
                .map(name -> "did you mean " + name + "? " + all)
                .orElse(all);
    }

    /** The algorithms of both kinds, sorted. */
    private static List<String> all() {
        TreeSet<String> names = new TreeSet<>(AlgorithmKind.names(PartitioningKind.EDGE));
        names.addAll(AlgorithmKind.names(PartitioningKind.VERTEX));
        return List.copyOf(names);
    }

    private static int editDistance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                if (i == 0) {
                    row[j] = j;
                } else {
                    int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                    row[j] = Math.min(replaced, 1 + Math.min(previous[j], row[j - 1]));
                }
            }
            previous = row;
        }
        return previous[to.length()];
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    public static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return all().iterator();
        }
    }
}
