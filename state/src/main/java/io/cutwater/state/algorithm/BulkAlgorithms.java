package io.cutwater.state.algorithm;

import io.cutwater.state.algorithm.cutwater.CutwaterBulkOptions;
import io.cutwater.state.algorithm.sigma.SigmaOptions;
import io.cutwater.state.bulk.BulkRun;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.Setting;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What {@link BulkRun} can run: our edge algorithm, SIGMA for edges over a whole graph, and every vertex algorithm. */
public final class BulkAlgorithms {
    /** Edges that a partition may have over the average, as a share of it. */
    static final NumericSetting IMBALANCE = new NumericSetting("imbalance", .05, 0, 1e3);

    /** Replicas that a partition may have over the average, as a share of it, before it is shunned. */
    static final NumericSetting VERTEX_IMBALANCE = new NumericSetting("vertex-imbalance", .3, 0, 1e3);

    /** How large a cluster may be, as a share of a partition. */
    static final NumericSetting GRAIN = new NumericSetting("grain", .03, 1e-9, 1);

    private static final String CUTWATER = "cutwater";
    private static final List<NumericSetting> CUTWATER_SETTINGS = List.of(IMBALANCE, VERTEX_IMBALANCE, GRAIN);

    private BulkAlgorithms() {}

    /** The names of the algorithms of a kind, sorted. */
    public static List<String> names(PartitioningKind kind) {
        return kind == PartitioningKind.EDGE ? List.of(CUTWATER, SigmaOptions.ALGORITHM) : VertexPartitioners.names();
    }

    /** Whether a bulk run places what these options ask for; else a stream in as many passes as the algorithm has. */
    public static boolean runs(PartitioningKind kind, PartitionerOptions options) {
        return options.passMode() == PassMode.BULK
                && names(kind).contains(options.algorithm())
                && (kind == PartitioningKind.VERTEX
                        || options.algorithm().equals(CUTWATER)
                        || SigmaOptions.of(options).clustering() == SigmaOptions.Clustering.MODULARITY);
    }

    /**
     * What is asked of the bulk run before a job goes on live with these options: the same, without the settings that
     * only the live rule has.
     */
    public static PartitionerOptions beforeLive(PartitioningKind kind, PartitionerOptions live) {
        Map<String, String> settings = new TreeMap<>(live.settings());
        settings.keySet()
                .removeIf(name -> kind == PartitioningKind.EDGE
                        ? !name.equals(IMBALANCE.name())
                        : !VertexPartitioners.hasSetting(live.algorithm(), name));
        return new PartitionerOptions(live.algorithm(), live.partitionCount(), live.seed(), PassMode.BULK, settings);
    }

    /** @throws IllegalArgumentException if the algorithm, or one of its settings, is not known or out of range */
    public static void check(PartitioningKind kind, PartitionerOptions options) {
        if (kind == PartitioningKind.VERTEX) {
            VertexPartitioners.create(options, new GraphSize(0, 0));
            return;
        }
        if (!names(kind).contains(options.algorithm())) {
            throw new IllegalArgumentException("no bulk run of edges is named '%s'; there are %s"
                    .formatted(options.algorithm(), String.join(", ", names(kind))));
        }
        if (options.algorithm().equals(SigmaOptions.ALGORITHM)) {
            if (SigmaOptions.of(options).clustering() != SigmaOptions.Clustering.MODULARITY) {
                throw new IllegalArgumentException("a bulk run of sigma-edge needs clustering=modularity");
            }
            return;
        }
        Setting.refuseUnknown(options, CUTWATER_SETTINGS);
        cutwater(options);
    }

    /** @throws IllegalArgumentException if a setting is out of range */
    public static CutwaterBulkOptions cutwater(PartitionerOptions options) {
        return new CutwaterBulkOptions(
                options.partitionCount(),
                1 + IMBALANCE.of(options),
                1 + VERTEX_IMBALANCE.of(options),
                GRAIN.of(options),
                options.seed(),
                options.training());
    }
}
