package io.cutwater.deploy.cli.training;

import io.cutwater.deploy.cli.converter.ByteSizeConverter;
import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.exchange.RowCoding;
import io.cutwater.trainer.exchange.Staleness;
import io.cutwater.trainer.fullgraph.FullGraphOptions;
import io.cutwater.trainer.launch.TrainingMode;
import io.cutwater.trainer.sync.SyncOptions;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How the shards of a training work together. */
@Heading("Mode")
@SuppressWarnings("NullAway.Init") // picocli sets options
final class ModeOptions {
    private static final int FULL_GRAPH_EPOCHS = 10;
    private static final List<String> OF_LOCAL = List.of("--fanouts", "--batch-size", "--samplers", "--prefetch");
    private static final List<String> OF_FULL_GRAPH =
            List.of("--staleness", "--staleness-warm-up", "--stale-gradients", "--compress");
    private static final List<String> OF_SYNC = List.of("--row-cache", "--embeddings");
    private static final List<String> OF_STALENESS = List.of("--staleness-warm-up", "--stale-gradients");

    /** The modes by name. */
    enum Mode {
        LOCAL,
        SYNC,
        FULL_GRAPH;

        /** Returns the name for users, which picocli compares. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--mode",
            paramLabel = "local|sync|full-graph",
            defaultValue = "local",
            description =
                    "local: shards train alone; sync: mini-batches of all shards over the whole graph; full-graph: one step per epoch. Default: ${DEFAULT-VALUE}")
    private Mode mode;

    @Option(
            names = "--row-cache",
            paramLabel = "SIZE",
            defaultValue = SyncOptions.DEFAULT_CACHE,
            converter = ByteSizeConverter.class,
            description = "Sync: features of other shards that a shard need not read again. Default: ${DEFAULT-VALUE}")
    private long rowCache;

    @Option(
            names = "--embeddings",
            paramLabel = "N",
            description = "Sync: learn N numbers for each vertex of a graph without features. Default: none")
    private @Nullable Integer embeddings;

    @Option(
            names = "--staleness",
            paramLabel = "RULE",
            defaultValue = "none",
            description =
                    "Full graph: when rows of other shards may be old: none, epoch:E, adaptive:A, variation:H[,A]. Default: ${DEFAULT-VALUE}")
    private String staleness;

    @Option(
            names = "--staleness-warm-up",
            paramLabel = "N",
            defaultValue = "" + Staleness.WARM_UP,
            description = "Full graph: first epochs in which all rows are sent. Default: ${DEFAULT-VALUE}")
    private int warmUp;

    @Option(names = "--stale-gradients", description = "Full graph: the rule holds for gradients, too.")
    private boolean mayDelayGradients;

    @Option(
            names = "--compress",
            paramLabel = "float32|float16|int8",
            defaultValue = "float32",
            description = "Full graph: encoding of the rows that shards send. Default: ${DEFAULT-VALUE}")
    private RowCoding coding;

    /**
     * Returns the mode.
     *
     * @param roles role of this process
     * @throws ParameterException if an option does not fit the others
     */
    TrainingMode mode(RoleOptions roles) {
        boolean isAlone = roles.role == null;
        int samplers = roles.samplerProcesses(mode == Mode.SYNC);
        if (mode != Mode.FULL_GRAPH) {
            refuse(OF_FULL_GRAPH, "is for --mode full-graph");
        }
        if (mode != Mode.SYNC) {
            refuse(OF_SYNC, "is for --mode sync");
        }
        return switch (mode) {
            case LOCAL -> TrainingMode.LOCAL;
            case SYNC -> sync(isAlone, roles.isSampler(), samplers);
            case FULL_GRAPH -> fullGraph(isAlone);
        };
    }

    private TrainingMode sync(boolean isAlone, boolean isSampler, int samplers) {
        if (isAlone) { // each shard has a thread
            refuse(List.of("--workers"), "is not for --mode sync without --role");
        }
        try {
            if (embeddings != null && embeddings < 1) {
                throw wrong("--embeddings must be at least 1, but was " + embeddings);
            }
            if (embeddings != null) {
                refuse(List.of("--row-cache"), "keeps features, which vertices with --embeddings do not have");
            }
            if (embeddings != null && isSampler) {
                throw wrong(
                        "--embeddings does not work with samplers, because workers keep the rows that they learn; leave out the samplers");
            }
            return new TrainingMode.Sync(new SyncOptions(rowCache, embeddings(), samplers));
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private TrainingMode fullGraph(boolean isAlone) {
        refuse(OF_LOCAL, "is not for --mode full-graph");
        if (isAlone) { // each shard has a thread
            refuse(List.of("--workers"), "is not for --mode full-graph without --role");
        }
        Staleness rule = rule();
        if (rule.kind() == Staleness.Kind.NONE) {
            refuse(OF_STALENESS, "needs a --staleness other than none");
        } else if (warmUp < 0) {
            throw wrong("--staleness-warm-up must be at least 0, but was " + warmUp);
        } else {
            rule = new Staleness(rule.kind(), rule.bound(), rule.change(), warmUp);
        }
        return new TrainingMode.FullGraph(new FullGraphOptions(rule, coding, mayDelayGradients));
    }

    private Staleness rule() {
        try {
            return Staleness.of(staleness);
        } catch (IllegalArgumentException e) {
            throw wrong("--staleness: " + e.getMessage());
        }
    }

    private void refuse(List<String> options, String reason) {
        for (String option : options) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw wrong("%s %s; leave it out".formatted(option, reason));
            }
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    /** Returns the number of learned values of a vertex; 0 for none. */
    int embeddings() {
        return embeddings == null ? 0 : embeddings;
    }

    /** Returns the length of a round if the user does not choose it. */
    AverageEvery usualRound() {
        return switch (mode) {
            case LOCAL -> AverageEvery.epochs(1);
            case SYNC -> AverageEvery.gradients();
            case FULL_GRAPH -> AverageEvery.epochs(FULL_GRAPH_EPOCHS);
        };
    }
}
