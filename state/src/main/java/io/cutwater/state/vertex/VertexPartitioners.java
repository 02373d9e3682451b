package io.cutwater.state.vertex;

import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerCatalog;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.Setting;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Every vertex partitioner by the name that users give, with the settings that it takes: those here, and those of jars
 * on the class path ({@link VertexPartitionerProvider}).
 */
public final class VertexPartitioners {
    private static final PartitionerCatalog<VertexPartitionerProvider> CATALOG = new PartitionerCatalog<>(
            VertexPartitionerProvider.class,
            "vertex partitioner",
            List.of(
                    new Own("hash", (options, size) -> new HashVertexPartitioner(options)).alsoLive(),
                    new Own("ldg", (options, size) -> new LdgPartitioner(options.partitionCount(), size)).alsoLive(),
                    new Own("fennel", FennelPartitioner::new, FennelPartitioner.GAMMA, FennelPartitioner.SLACK)
                            .alsoLive(),
                    new Own("grem", GremPartitioner::new, GremPartitioner.CHUNK, GremPartitioner.SLACK),
                    new Own("spring", SpringPartitioner::new, SpringPartitioner.VOLUME, SpringPartitioner.SLACK),
                    new Own(
                            "sigma-vertex",
                            SigmaVertexPartitioner::new,
                            SigmaVertexPartitioner.GAMMA,
                            SigmaVertexPartitioner.TAU),
                    new Own(
                            "cutwater",
                            CutwaterVertexPartitioner::new,
                            CutwaterVertexPartitioner.VERTEX_SLACK,
                            CutwaterVertexPartitioner.VOLUME_SLACK,
                            CutwaterVertexPartitioner.GRAIN)));

    private record Own(
            String name,
            BiFunction<PartitionerOptions, GraphSize, VertexPartitioner> factory,
            List<Setting> settings,
            boolean runsLive)
            implements VertexPartitionerProvider {
        Own(
                String name,
                BiFunction<PartitionerOptions, GraphSize, VertexPartitioner> factory,
                NumericSetting... settings) {
            this(name, factory, List.of(settings), false);
        }

        Own alsoLive() {
            return new Own(name, factory, settings, true);
        }

        @Override
        public VertexPartitioner create(PartitionerOptions options, GraphSize size) {
            return factory.apply(options, size);
        }
    }

    private VertexPartitioners() {}

    /** The names that {@link #create} knows, sorted. */
    public static List<String> names() {
        return CATALOG.names();
    }

    /**
     * Whether an algorithm that is known can read its input this often: on a stream of edges those that
     * {@link LiveVertexAssigner} runs, on one of vertices with their neighbours those that say so.
     */
    public static boolean canRun(String algorithm, PassMode mode) {
        return CATALOG.canRun(algorithm, mode) || OwnerRules.names().contains(algorithm);
    }

    /** Whether an algorithm must know how large the graph is before it places the first vertex. */
    public static boolean needsSize(String algorithm) {
        return !CATALOG.canRun(algorithm, PassMode.LIVE);
    }

    /** Whether there is such an algorithm and it has such a setting. */
    public static boolean hasSetting(String algorithm, String name) {
        return CATALOG.hasSetting(algorithm, name);
    }

    /**
     * @param size of the input; {@link GraphSize#UNKNOWN} will do unless {@link #needsSize}
     * @throws IllegalArgumentException if the algorithm, or one of its settings, is not known or out of range, or if it
     *     must know the size
     */
    public static VertexPartitioner create(PartitionerOptions options, GraphSize size) {
        VertexPartitionerProvider provider = CATALOG.get(options);
        if (!size.isKnown() && !provider.runsLive()) {
            List<String> live = names().stream()
                    .filter(name -> CATALOG.canRun(name, PassMode.LIVE))
                    .toList();
            throw new IllegalArgumentException(
                    "%s reads the input several times: give it a bounded input, or choose one of %s for a live stream"
                            .formatted(options.algorithm(), String.join(", ", live)));
        }
        return provider.create(options, size);
    }
}
