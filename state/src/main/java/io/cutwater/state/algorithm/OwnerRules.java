package io.cutwater.state.algorithm;

import io.cutwater.state.algorithm.cutwater.CutwaterVertexRule;
import io.cutwater.state.algorithm.fennel.FennelPartitioner;
import io.cutwater.state.algorithm.fennel.FennelVertexRule;
import io.cutwater.state.algorithm.hash.HashVertexRule;
import io.cutwater.state.algorithm.ldg.LdgVertexRule;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Setting;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.rule.VertexRule;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The rules for a stream of edges by the name of their algorithm, and what they share. */
public final class OwnerRules {
    /** How many edges may wait. */
    public static final NumericSetting WINDOW = new NumericSetting("window", 50_000, 1, 10_000_000);

    private record Entry(Function<PartitionerOptions, VertexRule> factory, List<NumericSetting> settings) {
        Entry(Function<PartitionerOptions, VertexRule> factory, NumericSetting... settings) {
            this(factory, List.of(settings));
        }
    }

    private static final Map<String, Entry> ENTRIES = new TreeMap<>(Map.of(
            "hash", new Entry(HashVertexRule::new),
            "ldg", new Entry(LdgVertexRule::new, WINDOW, LdgVertexRule.SLACK),
            "fennel", new Entry(FennelVertexRule::new, WINDOW, FennelPartitioner.GAMMA, FennelPartitioner.SLACK),
            "cutwater",
                    new Entry(
                            CutwaterVertexRule::new,
                            WINDOW,
                            CutwaterVertexRule.VERTEX_SLACK,
                            CutwaterVertexRule.VOLUME_SLACK)));

    private OwnerRules() {}

    /** Names of the algorithms that have one. */
    public static List<String> names() {
        return List.copyOf(ENTRIES.keySet());
    }

    public static boolean hasSetting(String algorithm, String name) {
        Entry entry = ENTRIES.get(algorithm);
        return entry != null
                && entry.settings().stream().anyMatch(setting -> setting.name().equals(name));
    }

    /** @throws IllegalArgumentException if there is none of that name, or a setting is not known or out of range */
    public static VertexRule create(PartitionerOptions options) {
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
    public static boolean isLess(int one, int other, OwnerLoads loads) {
        return loads.owned(one) < loads.owned(other) || loads.owned(one) == loads.owned(other) && one < other;
    }
}
