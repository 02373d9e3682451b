package io.cutwater.state.algorithm;

import io.cutwater.state.algorithm.cutwater.CutwaterVertexPartitioner;
import io.cutwater.state.algorithm.fennel.FennelPartitioner;
import io.cutwater.state.algorithm.grem.GremPartitioner;
import io.cutwater.state.algorithm.hash.HashVertexPartitioner;
import io.cutwater.state.algorithm.ldg.LdgPartitioner;
import io.cutwater.state.algorithm.sigma.SigmaVertexPartitioner;
import io.cutwater.state.algorithm.spring.SpringPartitioner;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.Setting;
import io.cutwater.state.placement.vertex.LiveVertexAssigner;
import io.cutwater.state.rule.VertexPartitioner;
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
                    new Own("hash", (options, size) -> new HashVertexPartitioner(options)).ofAnySize(),
                    new Own("ldg", (options, size) -> new LdgPartitioner(options.partitionCount(), size)).ofAnySize(),
                    new Own("fennel", FennelPartitioner::new, FennelPartitioner.GAMMA, FennelPartitioner.SLACK)
                            .ofAnySize(),
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
            boolean needsSize)
            implements VertexPartitionerProvider {
        Own(
                String name,
                BiFunction<PartitionerOptions, GraphSize, VertexPartitioner> factory,
                NumericSetting... settings) {
            this(name, factory, List.of(settings), true);
        }

        Own ofAnySize() {
            return new Own(name, factory, settings, false);
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
     * {@link LiveVertexAssigner} runs.
     */
    public static boolean canRun(String algorithm, PassMode mode) {
        return mode == PassMode.BULK || OwnerRules.names().contains(algorithm) || CATALOG.find(algorithm) == null;
    }

    /** Whether an algorithm that is known must know the size of its input, see {@link #create}. */
    public static boolean needsSize(String algorithm) {
        VertexPartitionerProvider provider = CATALOG.find(algorithm);
        return provider != null && provider.needsSize();
    }

    /** Whether there is such an algorithm and it has such a setting. */
    public static boolean hasSetting(String algorithm, String name) {
        return CATALOG.hasSetting(algorithm, name);
    }

    /**
     * @param size of the input; {@link GraphSize#UNKNOWN} will do for what does not need it
     * @throws IllegalArgumentException if the algorithm, or one of its settings, is not known or out of range, or if it
     *     must know the size
     */
    public static VertexPartitioner create(PartitionerOptions options, GraphSize size) {
        VertexPartitionerProvider provider = CATALOG.get(options);
        if (!size.isKnown() && provider.needsSize()) {
            List<String> live =
                    names().stream().filter(name -> !needsSize(name)).toList();
            throw new IllegalArgumentException(
                    "%s reads the input several times: give it a bounded input, or choose one of %s for a live stream"
                            .formatted(options.algorithm(), String.join(", ", live)));
        }
        return provider.create(options, size);
    }
}
