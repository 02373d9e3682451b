package io.cutwater.flink.job.option;

import io.cutwater.state.algorithm.Ability;
import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.joint.JointPartitioner;
import io.cutwater.state.joint.JointVertexRule;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.table.VertexLayout;
import java.util.Map;

/** Validates the options by which edges and vertices are placed. */
final class PlacementOptions {
    /** Setting of the algorithms that place edges together. */
    private static final String BUFFER = "buffer";

    private PlacementOptions() {}

    /** @throws IllegalArgumentException if an option is invalid; the message names it */
    static PartitionerOptions parse(OptionValues values, PartitioningKind kind, String algorithm) {
        return values.read(LiveJobConfig.ALGORITHM, name -> {
            PartitionerOptions options = new PartitionerOptions(
                    kind,
                    algorithm,
                    (int) values.integer(LiveJobConfig.PARTITIONS, 1, VertexLayout.MAX_PARTITIONS),
                    values.integer(LiveJobConfig.SEED, Long.MIN_VALUE, Long.MAX_VALUE),
                    PassMode.LIVE,
                    settings(values, kind));
            Algorithm rule = Algorithms.of(options);
            if (values.given().containsKey(LiveJobConfig.BUFFER_SIZE.key())
                    && !rule.hasSetting(PassMode.LIVE, BUFFER)) {
                throw values.wrong(
                        LiveJobConfig.BUFFER_SIZE, "needs an algorithm that places edges together, such as cutwater");
            }
            rule.check(options);
            return options;
        });
    }

    /** Returns the settings of the algorithm, the size of its buffer among them. */
    private static Map<String, String> settings(OptionValues values, PartitioningKind kind) {
        int bytes = kind == PartitioningKind.EDGE ? JointPartitioner.BYTES : JointVertexRule.BYTES;
        Map<String, String> settings = values.settings(LiveJobConfig.SET);
        if (values.given().containsKey(LiveJobConfig.BUFFER_SIZE.key())
                && settings.put(BUFFER, Integer.toString(values.edges(LiveJobConfig.BUFFER_SIZE, bytes))) != null) {
            throw values.wrong(LiveJobConfig.BUFFER_SIZE, "and --set buffer exclude each other");
        }
        return settings;
    }

    /**
     * Returns whether the history is placed in bulk. An algorithm that places one edge at a time gains nothing from a
     * history, so with such an algorithm the topic is read live from its beginning.
     */
    static boolean bootstraps(String value, PartitionerOptions live) {
        if (value.isEmpty()) {
            return false;
        }
        Algorithm algorithm = Algorithms.of(live);
        if (!algorithm.abilities().contains(Ability.BOOTSTRAP)) {
            if (live.kind() == PartitioningKind.EDGE
                    && (algorithm.needsOneAssigner(live)
                            || algorithm.layout(live).hasClusters())) {
                throw new IllegalArgumentException(
                        "%s cannot continue live after bulk passes; choose --algorithm cutwater, or omit --bootstrap to read the topic live from its beginning"
                                .formatted(algorithm.name()));
            }
            return false;
        }
        return algorithm.isPlacedAsGraph(algorithm.beforeLive(live));
    }
}
