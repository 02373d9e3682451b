package io.cutwater.state.vertex;

import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Setting;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The rules for a stream of edges by the name of their algorithm, and what they share. */
final class OwnerRules {
    /** How many edges may wait. */
    static final NumericSetting WINDOW = new NumericSetting("window", 50_000, 1, 10_000_000);

    private record Entry(Function<PartitionerOptions, VertexRule> factory, List<NumericSetting> settings) {
        Entry(Function<PartitionerOptions, VertexRule> factory, NumericSetting... settings) {
            this(factory, List.of(settings));
        }
    }

    private static final Map<String, Entry> ENTRIES = new TreeMap<>(Map.of(
            "hash", new Entry(LiveHash::new),
            "ldg", new Entry(LiveLdg::new, WINDOW, LiveLdg.SLACK),
            "fennel", new Entry(LiveFennel::new, WINDOW, FennelPartitioner.GAMMA, FennelPartitioner.SLACK),
            "cutwater", new Entry(LiveCutwater::new, WINDOW, LiveCutwater.VERTEX_SLACK, LiveCutwater.VOLUME_SLACK)));

    private OwnerRules() {}

    /** Names of the algorithms that have one. */
    static List<String> names() {
        return List.copyOf(ENTRIES.keySet());
    }

    static boolean hasSetting(String algorithm, String name) {
        Entry entry = ENTRIES.get(algorithm);
        return entry != null
                && entry.settings().stream().anyMatch(setting -> setting.name().equals(name));
    }

    /** @throws IllegalArgumentException if there is none of that name, or a setting is not known or out of range */
    static VertexRule create(PartitionerOptions options) {
        Entry entry = ENTRIES.get(options.algorithm());
        if (entry == null && !VertexPartitioners.names().contains(options.algorithm())) {
            throw new IllegalArgumentException("there is no vertex partitioner named '%s'; there are %s"
                    .formatted(options.algorithm(), String.join(", ", VertexPartitioners.names())));
        }
        if (entry == null) {
            throw new IllegalArgumentException(
                    "%s has no rule for a stream of edges, so it needs --passes bulk and an input that ends; on a stream there are %s"
                            .formatted(options.algorithm(), String.join(", ", names())));
        }
        Setting.refuseUnknown(options, entry.settings());
        return entry.factory().apply(options);
    }

    /** Whether a partition comes before another: fewer vertices, or as many and the lower number. */
    static boolean isLess(int one, int other, OwnerLoads loads) {
        return loads.owned(one) < loads.owned(other) || loads.owned(one) == loads.owned(other) && one < other;
    }
}
