package io.cutwater.state.vertex;

import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.Setting;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** Every vertex partitioner by the name that users give, with the settings that it takes. */
public final class VertexPartitioners {
    private static final Map<String, Entry> ENTRIES = new TreeMap<>(Map.of(
            "hash", new Entry((options, size) -> new HashVertexPartitioner(options)),
            "ldg", new Entry((options, size) -> new LdgPartitioner(options.partitionCount(), size)),
            "fennel", new Entry(FennelPartitioner::new, FennelPartitioner.GAMMA, FennelPartitioner.SLACK),
            "grem", new Entry(GremPartitioner::new, GremPartitioner.CHUNK, GremPartitioner.SLACK),
            "spring", new Entry(SpringPartitioner::new, SpringPartitioner.VOLUME, SpringPartitioner.SLACK),
            "sigma-vertex",
                    new Entry(SigmaVertexPartitioner::new, SigmaVertexPartitioner.GAMMA, SigmaVertexPartitioner.TAU),
            "cutwater",
                    new Entry(
                            CutwaterVertexPartitioner::new,
                            CutwaterVertexPartitioner.VERTEX_SLACK,
                            CutwaterVertexPartitioner.VOLUME_SLACK,
                            CutwaterVertexPartitioner.GRAIN)));

    /** How an algorithm is made, and its settings in the order in which users are told of them. */
    private record Entry(
            BiFunction<PartitionerOptions, GraphSize, VertexPartitioner> factory, List<NumericSetting> settings) {
        Entry(BiFunction<PartitionerOptions, GraphSize, VertexPartitioner> factory, NumericSetting... settings) {
            this(factory, List.of(settings));
        }
    }

    private VertexPartitioners() {}

    /** The names that {@link #create} knows, sorted. */
    public static List<String> names() {
        return List.copyOf(ENTRIES.keySet());
    }

    /** Whether an algorithm that is known can read its input this often. */
    public static boolean canRun(String algorithm, PassMode mode) {
        return mode == PassMode.BULK
                || !ENTRIES.containsKey(algorithm)
                || OwnerRules.names().contains(algorithm);
    }

    /**
     * @param size of the input; {@link GraphSize#UNKNOWN} will do for {@code fennel}, {@code hash} and {@code ldg}
     * @throws IllegalArgumentException if the algorithm, or one of its settings, is not known or out of range, or if it
     *     must know the size
     */
    public static VertexPartitioner create(PartitionerOptions options, GraphSize size) {
        Entry entry = ENTRIES.get(options.algorithm());
        if (entry == null) {
            throw unknown(options);
        }
        Setting.refuseUnknown(options, entry.settings());
        return entry.factory().apply(options, size);
    }

    static IllegalArgumentException unknown(PartitionerOptions options) {
        return new IllegalArgumentException("there is no vertex partitioner named '%s'; there are %s"
                .formatted(options.algorithm(), String.join(", ", names())));
    }
}
