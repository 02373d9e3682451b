package io.cutwater.state.bulk;

import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.Setting;
import io.cutwater.state.vertex.GraphSize;
import io.cutwater.state.vertex.VertexPartitioners;
import java.util.List;

/** What {@link BulkRun} can run: our edge algorithm, and every vertex algorithm. */
public final class BulkAlgorithms {
    /** Edges that a partition may have over the average, as a share of it. */
    static final NumericSetting IMBALANCE = new NumericSetting("imbalance", .05, 0, 1e3);

    private static final String CUTWATER = "cutwater";
    private static final List<NumericSetting> CUTWATER_SETTINGS = List.of(IMBALANCE);

    private BulkAlgorithms() {}

    /** The names of the algorithms of a kind, sorted. */
    public static List<String> names(PartitioningKind kind) {
        return kind == PartitioningKind.EDGE ? List.of(CUTWATER) : VertexPartitioners.names();
    }

    /** @throws IllegalArgumentException if the algorithm, or one of its settings, is not known or out of range */
    static void check(PartitioningKind kind, PartitionerOptions options) {
        if (kind == PartitioningKind.VERTEX) {
            VertexPartitioners.create(options, new GraphSize(0, 0));
            return;
        }
        if (!options.algorithm().equals(CUTWATER)) {
            throw new IllegalArgumentException("no bulk run of edges is named '%s'; there are %s"
                    .formatted(options.algorithm(), String.join(", ", names(kind))));
        }
        Setting.refuseUnknown(options, CUTWATER_SETTINGS);
        IMBALANCE.of(options);
    }
}
