package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.help.Suggestion;
import io.cutwater.deploy.local.RunRequest;
import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.TrainingVertices;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
            description = "${COMPLETION-CANDIDATES}. Default: cutwater; hdrf with several --assigners")
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
            defaultValue = "" + Algorithms.DEFAULT_SEED,
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
     * @param isOneAssigner whether one task places all edges, which some algorithms need
     * @param training the vertices that are to be balanced, too; null for none
     */
    RunRequest.Algorithm read(int partitions, boolean isOneAssigner, @Nullable TrainingVertices training) {
        if (!(imbalance >= 0) || Double.isInfinite(imbalance)) {
            throw wrong("--imbalance must be 0 or more, such as 0.05 for 5 %: " + imbalance);
        }
        String name = algorithm == null ? Algorithms.defaultName(kind, isOneAssigner) : algorithm;
        PartitioningKind found = kind(name);
        Algorithm known = Algorithms.find(found, name);
        if (known == null) {
            throw wrong("--algorithm '%s' is not known%s; %s"
                    .formatted(name, kind.isEmpty() ? "" : " with --kind " + kind, suggestion(name)));
        }
        if (!known.runs(passes)) {
            throw wrong(
                    passes == PassMode.LIVE
                            ? "--passes live: %s reads its whole input before it places anything; give --passes bulk"
                                    .formatted(name)
                            : "--passes bulk: %s runs live only; give --passes live".formatted(name));
        }
        PartitionerOptions options = new PartitionerOptions(
                found, name, partitions, seed, passes, known.withImbalance(passes, settings, imbalance));
        try {
            known.check(options);
        } catch (IllegalArgumentException e) {
            throw wrong(
                    "--set, with --passes %s: %s".formatted(passes.name().toLowerCase(Locale.ROOT), e.getMessage()));
        }
        return new RunRequest.Algorithm(options.withTraining(training), imbalance);
    }

    private PartitioningKind kind(String name) {
        try {
            return Algorithms.kindOf(name, kind);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private String suggestion(String name) {
        List<String> names = kind.isEmpty() ? Algorithms.names() : Algorithms.names(kind(name));
        String all = "there are " + String.join(", ", names);
        return Suggestion.nearest(name, names)
                .map(nearest -> "did you mean " + nearest + "? " + all)
                .orElse(all);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** The names of all algorithms, for help and completion. */
    public static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Algorithms.names().iterator();
        }
    }
}
