package io.cutwater.state.algorithm;

import io.cutwater.state.algorithm.cutwater.CutwaterBulkOptions;
import io.cutwater.state.algorithm.cutwater.CutwaterBulkPartitioner;
import io.cutwater.state.algorithm.cutwater.CutwaterJointPartitioner;
import io.cutwater.state.algorithm.cutwater.CutwaterPartitioner;
import io.cutwater.state.algorithm.cutwater.CutwaterVertexPartitioner;
import io.cutwater.state.algorithm.cutwater.CutwaterVertexRule;
import io.cutwater.state.algorithm.dbh.DbhPartitioner;
import io.cutwater.state.algorithm.fennel.FennelPartitioner;
import io.cutwater.state.algorithm.fennel.FennelVertexRule;
import io.cutwater.state.algorithm.greedy.GreedyPartitioner;
import io.cutwater.state.algorithm.grem.GremPartitioner;
import io.cutwater.state.algorithm.grid.GridPartitioner;
import io.cutwater.state.algorithm.hash.HashPartitioner;
import io.cutwater.state.algorithm.hash.HashVertexPartitioner;
import io.cutwater.state.algorithm.hash.HashVertexRule;
import io.cutwater.state.algorithm.hdrf.HdrfPartitioner;
import io.cutwater.state.algorithm.ldg.LdgPartitioner;
import io.cutwater.state.algorithm.ldg.LdgVertexRule;
import io.cutwater.state.algorithm.sigma.SigmaOptions;
import io.cutwater.state.algorithm.sigma.SigmaPartitioner;
import io.cutwater.state.algorithm.sigma.SigmaVertexPartitioner;
import io.cutwater.state.algorithm.spring.SpringPartitioner;
import io.cutwater.state.algorithm.twopsl.TwoPsLPartitioner;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexRule;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The table of algorithms: Cutwater's own, and those of jars on the class path ({@link AlgorithmProvider}). It is the
 * only place where an algorithm is described, and where the default is chosen.
 */
public final class Algorithms {
    /**
     * The seed where none is given: the smallest for which {@code hash} and {@code dbh} are within 0.02 of the edge
     * balance of every published measurement that the tests compare with. Only 29 of the seeds 0 to 1999 are, because
     * the balance of {@code dbh} depends on where a few hubs fall. No other claim is made for it.
     */
    public static final long DEFAULT_SEED = 16;

    /** The algorithm of a job for which none is named. */
    public static final String CUTWATER = "cutwater";

    private static final String HASH = "hash";
    private static final String HDRF = "hdrf";

    private static final List<Algorithm> OWN = List.of(
            Algorithm.ofEdges(HASH, "The hash of both ends.").liveAndBulk(HashPartitioner::new),
            Algorithm.ofEdges("grid", "The least loaded partition in the row or column of both ends' hashes on a grid.")
                    .liveAndBulk(GridPartitioner::new),
            Algorithm.ofEdges("dbh", "The hash of the end with the lower degree; in bulk its final degree.")
                    .liveAndBulk(DbhPartitioner::new),
            Algorithm.ofEdges("greedy", "The least loaded partition that holds both ends, else one end, else any.")
                    .liveAndBulk(GreedyPartitioner::new),
            Algorithm.ofEdges(HDRF, "The best sum of gains for the ends that a partition holds and of its free room.")
                    .liveAndBulk(
                            HdrfPartitioner::new,
                            HdrfPartitioner.LAMBDA,
                            HdrfPartitioner.EPSILON,
                            HdrfPartitioner.SOLO),
            Algorithm.ofEdges("2ps-l", "The better one of the two partitions of both ends' clusters, below a cap.")
                    .bulk((options, size) -> new TwoPsLPartitioner(options), TwoPsLPartitioner.IMBALANCE),
            Algorithm.ofEdges("sigma-edge", "The partition of both ends' clusters, else the best gain below a cap.")
                    .live(SigmaPartitioner::live, SigmaOptions.LIVE_SETTINGS)
                    .bulk((options, size) -> SigmaPartitioner.bulk(options), SigmaOptions.BULK_SETTINGS),
            Algorithm.ofEdges(CUTWATER, "As hdrf, with a pull to the ends' homes; in bulk, clusters placed by a plan.")
                    .live(
                            CutwaterJointPartitioner::of,
                            CutwaterJointPartitioner.BUFFER,
                            CutwaterPartitioner.LAMBDA,
                            CutwaterPartitioner.PULL,
                            CutwaterPartitioner.WINDOW,
                            CutwaterPartitioner.SOLO,
                            CutwaterPartitioner.IMBALANCE)
                    .bulk((options, size) -> CutwaterBulkPartitioner.rule(options), CutwaterBulkOptions.SETTINGS)
                    .with(Ability.BOOTSTRAP)
                    .with(Ability.PARTS)
                    .with(Ability.REFINEMENT)
                    .with(Ability.TRAINING_SPREAD),
            Algorithm.ofVertices(HASH, "The hash of the vertex.")
                    .live(HashVertexRule::new)
                    .bulk((options, size) -> new HashVertexPartitioner(options))
                    .with(Ability.BOOTSTRAP)
                    .with(Ability.ORDER_FREE),
            Algorithm.ofVertices("ldg", "The partition with most neighbours, weighted by its free room.")
                    .live(LdgVertexRule::new, LdgVertexRule.WINDOW, LdgVertexRule.SLACK)
                    .bulk((options, size) -> new LdgPartitioner(options.partitionCount(), size))
                    .with(Ability.BOOTSTRAP)
                    .with(Ability.TRAINING_SPREAD),
            Algorithm.ofVertices(
                            "fennel", "The partition with most neighbours, minus a price that grows with its size.")
                    .live(
                            FennelVertexRule::new,
                            FennelVertexRule.WINDOW,
                            FennelPartitioner.GAMMA,
                            FennelPartitioner.SLACK)
                    .bulk(FennelPartitioner::new, FennelPartitioner.GAMMA, FennelPartitioner.SLACK)
                    .with(Ability.BOOTSTRAP)
                    .with(Ability.TRAINING_SPREAD),
            Algorithm.ofVertices("grem", "Vertices are placed again with every chunk of edges that shows them.")
                    .bulk(GremPartitioner::new, GremPartitioner.CHUNK, GremPartitioner.SLACK),
            Algorithm.ofVertices("spring", "Clusters of the edge stream, merged while they are small, placed by size.")
                    .bulk(SpringPartitioner::new, SpringPartitioner.VOLUME, SpringPartitioner.SLACK),
            Algorithm.ofVertices("sigma-vertex", "Clusters placed by size, then the others by neighbours and copies.")
                    .bulk(SigmaVertexPartitioner::new, SigmaVertexPartitioner.GAMMA, SigmaVertexPartitioner.TAU)
                    .with(Ability.TRAINING_SPREAD),
            Algorithm.ofVertices(
                            CUTWATER, "As fennel, with homes; in bulk, small clusters placed by a plan, then moved.")
                    .live(
                            CutwaterVertexRule::new,
                            CutwaterVertexRule.WINDOW,
                            CutwaterPartitioner.SOLO,
                            CutwaterJointPartitioner.BUFFER,
                            CutwaterVertexRule.VERTEX_SLACK,
                            CutwaterVertexRule.LIVE_VOLUME_SLACK,
                            CutwaterVertexRule.VOLUME_SLACK)
                    .bulk(
                            CutwaterVertexPartitioner::new,
                            CutwaterVertexPartitioner.VERTEX_SLACK,
                            CutwaterVertexPartitioner.VOLUME_SLACK,
                            CutwaterVertexPartitioner.GRAIN)
                    .with(Ability.BOOTSTRAP)
                    .with(Ability.PARTS)
                    .with(Ability.REFINEMENT)
                    .with(Ability.TRAINING_SPREAD));

    private Algorithms() {}

    /**
     * The algorithm of a bounded run for which none is named: {@code cutwater} places a bounded input with one
     * assigner, so it is not for edges that several place.
     *
     * @param kindLabel {@code edge} or {@code vertex}; empty where none is named
     */
    public static String defaultName(String kindLabel, boolean isOneAssigner) {
        return isOneAssigner || kindLabel.equals(PartitioningKind.VERTEX.label()) ? CUTWATER : HDRF;
    }

    /**
     * The kind that a name stands for.
     *
     * @param kindLabel {@code edge} or {@code vertex}; empty for the kind that has such an algorithm, edge if both have
     * @throws IllegalArgumentException if there is no such kind; the message is meant for users
     */
    public static PartitioningKind kindOf(String name, String kindLabel) {
        for (PartitioningKind kind : PartitioningKind.values()) {
            if (kindLabel.isEmpty() ? find(kind, name) != null : kind.label().equals(kindLabel)) {
                return kind;
            }
        }
        if (kindLabel.isEmpty()) {
            return PartitioningKind.EDGE; // both kinds refuse the name
        }
        throw new IllegalArgumentException("--kind must be edge or vertex, but was '%s'".formatted(kindLabel));
    }

    /** Every algorithm, edge algorithms first, each kind sorted by name. */
    public static List<Algorithm> all() {
        return Arrays.stream(PartitioningKind.values())
                .flatMap(kind -> byName(kind).values().stream())
                .toList();
    }

    /** The names of all algorithms of both kinds, sorted, each once. */
    public static List<String> names() {
        return all().stream().map(Algorithm::name).distinct().sorted().toList();
    }

    /**
     * The names of the algorithms of a kind, sorted.
     *
     * @throws IllegalStateException if an algorithm of a jar cannot be loaded or takes another one's name
     */
    public static List<String> names(PartitioningKind kind) {
        return List.copyOf(byName(kind).keySet());
    }

    /** The names of the algorithms that run in a mode, sorted. */
    public static List<String> names(PartitioningKind kind, PassMode mode) {
        return byName(kind).values().stream()
                .filter(algorithm -> algorithm.runs(mode))
                .map(Algorithm::name)
                .toList();
    }

    /** Null if the name is unknown. */
    public static @Nullable Algorithm find(PartitioningKind kind, String name) {
        return byName(kind).get(name);
    }

    /**
     * Returns the algorithm that options name.
     *
     * @throws IllegalArgumentException if there is none of that name and kind
     */
    public static Algorithm of(PartitionerOptions options) {
        return get(options.kind(), options.algorithm());
    }

    /** @throws IllegalArgumentException if the name is unknown; the message is meant for users */
    public static Algorithm get(PartitioningKind kind, String name) {
        Map<String, Algorithm> known = byName(kind);
        Algorithm algorithm = known.get(name);
        if (algorithm == null) {
            throw new IllegalArgumentException("there is no %s partitioner named '%s'; there are %s"
                    .formatted(kind.label(), name, String.join(", ", known.keySet())));
        }
        return algorithm;
    }

    /** The edge partitioner that a stream runs through; see {@link Algorithm#edgePartitioner}. */
    public static EdgePartitioner edgePartitioner(PartitionerOptions options) {
        return of(options).edgePartitioner(options);
    }

    /** The rule for the vertices of a stream; see {@link Algorithm#vertexRule}. */
    public static VertexRule vertexRule(PartitionerOptions options) {
        return (VertexRule) of(options).streamRule(options);
    }

    /** The rule for the vertices of a graph of known size. */
    public static VertexPartitioner vertexPartitioner(PartitionerOptions options, GraphSize size) {
        return (VertexPartitioner) of(options).bulkRule(options, size);
    }

    private static Map<String, Algorithm> byName(PartitioningKind kind) {
        Map<String, Algorithm> byName = new TreeMap<>();
        Stream.concat(OWN.stream(), AlgorithmsOfJars.find(OWN).stream())
                .filter(algorithm -> algorithm.kind() == kind)
                .forEach(algorithm -> byName.put(algorithm.name(), algorithm));
        return byName;
    }
}
