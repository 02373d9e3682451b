package io.cutwater.state.algorithm;

import io.cutwater.state.PublicApi;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.Setting;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.rule.BulkRule;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.rule.LiveRule;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An algorithm as the whole system knows it. The command line, the jobs, the comparison, the reference page and the
 * conformance tests read it from {@link Algorithms}; nothing else describes an algorithm.
 *
 * @param name as users give it: letters, digits and {@code - . _}, unique among the algorithms of its kind
 * @param summary one sentence for the reference page
 * @param live runs on a stream without end; null if the algorithm needs an input that ends
 * @param bulk runs on an input that ends; null if the algorithm has no rule for one
 */
@PublicApi
public record Algorithm(
        String name,
        PartitioningKind kind,
        String summary,
        @Nullable Variant<LiveRule> live,
        @Nullable Variant<BulkRule> bulk,
        Set<Ability> abilities) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9._]*");
    private static final GraphSize EMPTY = new GraphSize(0, 0);

    /**
     * One way to run an algorithm.
     *
     * @param settings what users may set, in the order in which help lists it
     * @param factory makes a rule from validated names and the size of the input, which is 0 where only the options are
     *     checked. It must be cheap: memory that grows with the graph is taken when the first edge comes. It throws
     *     {@link IllegalArgumentException}, with a message for users, if a setting is out of range.
     */
    public record Variant<R>(List<Setting> settings, BiFunction<PartitionerOptions, GraphSize, ? extends R> factory) {
        public Variant {
            settings = List.copyOf(settings);
        }

        R create(PartitionerOptions options, GraphSize size) {
            Setting.refuseUnknown(options, settings);
            return factory.apply(options, size);
        }
    }

    /** @throws IllegalArgumentException if the name has other characters */
    public Algorithm {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "an algorithm is named '%s'; use letters, digits, '-', '.' and '_' only".formatted(name));
        }
        abilities = Set.copyOf(abilities);
    }

    /** An edge algorithm, which gets its rules from the methods below. */
    public static Algorithm ofEdges(String name, String summary) {
        return new Algorithm(name, PartitioningKind.EDGE, summary, null, null, Set.of());
    }

    /** A vertex algorithm, which gets its rules from the methods below. */
    public static Algorithm ofVertices(String name, String summary) {
        return new Algorithm(name, PartitioningKind.VERTEX, summary, null, null, Set.of());
    }

    /** A copy with a rule for a stream: an edge partitioner or a vertex rule, as the kind asks. */
    public Algorithm live(Function<PartitionerOptions, ? extends LiveRule> factory, Setting... settings) {
        return new Algorithm(
                name, kind, summary, variant((options, size) -> factory.apply(options), settings), bulk, abilities);
    }

    /** A copy with a rule for an input that ends. */
    public Algorithm bulk(BiFunction<PartitionerOptions, GraphSize, ? extends BulkRule> factory, Setting... settings) {
        return new Algorithm(name, kind, summary, live, variant(factory, settings), abilities);
    }

    /** A copy with one edge partitioner for both: it is told the pass mode, and may ask for preparation passes. */
    public Algorithm liveAndBulk(Function<PartitionerOptions, EdgePartitioner> factory, Setting... settings) {
        return live(factory, settings).bulk((options, size) -> factory.apply(options), settings);
    }

    private static <R> Variant<R> variant(
            BiFunction<PartitionerOptions, GraphSize, ? extends R> factory, Setting... settings) {
        return new Variant<>(List.of(settings), factory);
    }

    /** A copy that has an ability more. */
    public Algorithm with(Ability ability) {
        EnumSet<Ability> all = EnumSet.of(ability);
        all.addAll(abilities);
        return new Algorithm(name, kind, summary, live, bulk, all);
    }

    /** Returns whether the algorithm has a rule for inputs that are read this way. */
    public boolean runs(PassMode mode) {
        return variant(mode) != null;
    }

    private @Nullable Variant<?> variant(PassMode mode) {
        return mode == PassMode.LIVE ? live : bulk;
    }

    /** Returns the settings of users; empty if the algorithm does not run this way. */
    public List<Setting> settings(PassMode mode) {
        Variant<?> variant = variant(mode);
        return variant == null ? List.of() : variant.settings();
    }

    public boolean hasSetting(PassMode mode, String setting) {
        return settings(mode).stream().anyMatch(known -> known.name().equals(setting));
    }

    /** @throws IllegalArgumentException if it does not run in that mode, or a setting is unknown or out of range */
    public void check(PartitionerOptions options) {
        if (options.passMode() == PassMode.LIVE) {
            liveRule(options);
        } else {
            bulkRule(options, EMPTY);
        }
    }

    private void checkKind(PartitionerOptions options) {
        if (options.kind() != kind) {
            throw new IllegalArgumentException("%s is of kind %s, and the options are of kind %s"
                    .formatted(name, kind.label(), options.kind().label()));
        }
    }

    /** @throws IllegalArgumentException if there is none, or a setting is unknown or out of range */
    LiveRule liveRule(PartitionerOptions options) {
        checkKind(options);
        if (live == null) {
            throw new IllegalArgumentException(
                    "%s reads its whole input before it places anything, so it needs --passes bulk and an input that ends; live there are %s"
                            .formatted(name, String.join(", ", Algorithms.names(kind, PassMode.LIVE))));
        }
        return live.create(options, EMPTY);
    }

    /**
     * The rule for an input that ends.
     *
     * @throws IllegalArgumentException if there is none, or a setting is unknown or out of range
     */
    public BulkRule bulkRule(PartitionerOptions options, GraphSize size) {
        checkKind(options);
        if (bulk == null) {
            throw new IllegalArgumentException("%s runs live only; give --passes live".formatted(name));
        }
        return bulk.create(options, size);
    }

    /**
     * Returns whether a bulk run places what these options ask for; if not, it is placed as a stream in some passes.
     */
    public boolean isPlacedAsGraph(PartitionerOptions options) {
        return options.passMode() == PassMode.BULK && !(bulkRule(options, EMPTY) instanceof EdgePartitioner);
    }

    /** Returns whether the algorithm places better if it may read the input more than once. */
    public boolean gainsFromPasses() {
        if (bulk == null || abilities.contains(Ability.ORDER_FREE)) {
            return false;
        }
        return !(bulkRule(new PartitionerOptions(kind, name, 1, 0, PassMode.BULK, Map.of()), EMPTY)
                        instanceof EdgePartitioner stream)
                || stream.preparationPasses() > 0;
    }

    /**
     * Returns the options of the bulk run before a job continues live with these options: the same, without settings
     * that only the live rule has.
     */
    public PartitionerOptions beforeLive(PartitionerOptions options) {
        Map<String, String> settings = new TreeMap<>(options.settings());
        settings.keySet().removeIf(setting -> !hasSetting(PassMode.BULK, setting));
        return new PartitionerOptions(kind, name, options.partitionCount(), options.seed(), PassMode.BULK, settings);
    }

    /** Returns whether the rule bounds the balance of what it places, so that {@code --imbalance} applies. */
    public boolean boundsBalance(PassMode mode) {
        return hasSetting(mode, balanceSetting());
    }

    /** Returns the bound on the fullest partition as a multiple of the mean; empty if the rule takes none. */
    public OptionalDouble maxBalance(PartitionerOptions options) {
        for (Setting setting : settings(options.passMode())) {
            if (setting.name().equals(balanceSetting()) && setting instanceof NumericSetting bound) {
                return OptionalDouble.of((kind == PartitioningKind.EDGE ? 1 : 0) + bound.of(options));
            }
        }
        return OptionalDouble.empty();
    }

    /** Settings with the bound on the balance, unless they have one or the rule takes none. */
    public Map<String, String> withImbalance(PassMode mode, Map<String, String> settings, double imbalance) {
        Map<String, String> bounded = new TreeMap<>(settings);
        if (boundsBalance(mode)) {
            boolean isShare = kind == PartitioningKind.EDGE;
            bounded.putIfAbsent(balanceSetting(), Double.toString(isShare ? imbalance : 1 + imbalance));
        }
        return bounded;
    }

    private String balanceSetting() {
        return kind == PartitioningKind.EDGE ? "imbalance" : "vertex-slack";
    }

    /**
     * Returns the rule that a stream runs through. In bulk an edge partitioner may make several passes; if a bulk run
     * chooses the places before the edges come, the rule only records them.
     *
     * @throws IllegalArgumentException if it does not run in that mode, or a setting is unknown or out of range
     */
    public LiveRule streamRule(PartitionerOptions options) {
        if (options.passMode() == PassMode.LIVE) {
            return liveRule(options);
        }
        if (kind == PartitioningKind.VERTEX) {
            return new RecordedOwners();
        }
        return bulkRule(options, EMPTY) instanceof EdgePartitioner stream ? stream : new RecordingPartitioner();
    }

    /**
     * Returns {@link #streamRule} of an edge algorithm.
     *
     * @throws IllegalArgumentException if it does not run in that mode, or a setting is unknown or out of range
     */
    public EdgePartitioner edgePartitioner(PartitionerOptions options) {
        return (EdgePartitioner) streamRule(options);
    }

    /**
     * Returns whether one assigner must place everything: the rule keeps state beside the vertex table, or only records
     * places.
     */
    public boolean needsOneAssigner(PartitionerOptions options) {
        LiveRule rule = streamRule(options);
        return rule instanceof EdgePartitioner edgeRule ? edgeRule.needsOneAssigner() : rule instanceof RecordedOwners;
    }

    /**
     * Returns whether the rule changes more of a vertex than its degree and its replicas, or keeps state beside the
     * tables. Then a single assigner writes whole records back, so that the result is that of one table.
     */
    public boolean changesMoreThanReplicas(PartitionerOptions options) {
        return kind.hasOwners() || needsOneAssigner(options) || layout(options).hintWords() > 0;
    }

    /** Returns the columns that a {@link #placement} needs of each vertex if it keeps no edges. */
    public VertexLayout layout(PartitionerOptions options) {
        return streamRule(options).layout(options.partitionCount());
    }

    /**
     * Creates the engine over tables that are empty or come from a checkpoint.
     *
     * @param vertices of the {@link #layout}, with counts if edges are kept
     * @param kept null if no edges are kept
     */
    public Placement placement(
            PartitionerOptions options, VertexTable vertices, PartitionLoads loads, @Nullable KeptEdges kept) {
        return new Placement(streamRule(options), vertices, loads, kept);
    }
}
