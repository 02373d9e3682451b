package io.cutwater.deploy.compare;

import io.cutwater.state.algorithm.EdgePartitioners;
import io.cutwater.state.algorithm.VertexPartitioners;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.placement.vertex.LiveVertexAssigner;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One algorithm with one kind of passes: a row of the comparison. */
public record Candidate(PartitioningKind kind, String algorithm, PassMode passes) {
    /** The edge algorithm that places a graph in memory by a plan, if it may read it more than once. */
    private static final String CUTWATER = "cutwater";

    /** The hash of a vertex does not depend on the number of vertices. */
    private static final String HASH = "hash";

    /**
     * Returns the requested candidates, by kind, and in the order of the names.
     *
     * @param names of algorithms; empty for all of the kinds. A name that is known to both kinds stands for both.
     * @param passes null for both, where an algorithm profits from more than one pass
     * @throws IllegalArgumentException if an algorithm is unknown, or cannot run in one pass; the message is meant for
     *     users
     */
    public static List<Candidate> of(Set<PartitioningKind> kinds, List<String> names, @Nullable PassMode passes) {
        refuseUnknown(kinds, names);
        Set<Candidate> candidates = new LinkedHashSet<>();
        for (PartitioningKind kind : kinds) {
            for (String name : names.isEmpty() ? algorithms(kind) : names) {
                if (algorithms(kind).contains(name)) {
                    candidates.addAll(of(kind, name, passes, names.contains(name)));
                }
            }
        }
        return List.copyOf(candidates);
    }

    private static List<String> algorithms(PartitioningKind kind) {
        return kind == PartitioningKind.EDGE ? EdgePartitioners.names() : VertexPartitioners.names();
    }

    private static void refuseUnknown(Set<PartitioningKind> kinds, List<String> names) {
        Set<String> known = new TreeSet<>();
        kinds.forEach(kind -> known.addAll(algorithms(kind)));
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("there is no algorithm named '%s' of this kind; there are %s"
                        .formatted(name, String.join(", ", known)));
            }
        }
    }

    private static List<Candidate> of(PartitioningKind kind, String name, @Nullable PassMode passes, boolean isNamed) {
        boolean runsLive = kind == PartitioningKind.EDGE
                ? EdgePartitioners.canRun(name, PassMode.LIVE)
                : VertexPartitioners.canRun(name, PassMode.LIVE);
        if (passes == PassMode.LIVE && isNamed && !runsLive) {
            throw new IllegalArgumentException(
                    "%s reads its whole input before it places anything; leave it out, or give --passes bulk"
                            .formatted(name));
        }
        List<Candidate> candidates = new ArrayList<>();
        if (runsLive && passes != PassMode.BULK) {
            candidates.add(new Candidate(kind, name, PassMode.LIVE));
        }
        if (passes == PassMode.BULK || passes == null && makesMoreOfBulk(kind, name)) {
            candidates.add(new Candidate(kind, name, PassMode.BULK));
        }
        return candidates;
    }

    /** Returns whether it profits from an input that may be read more than once, or whose size is known. */
    private static boolean makesMoreOfBulk(PartitioningKind kind, String name) {
        if (kind == PartitioningKind.VERTEX) {
            return !name.equals(HASH);
        }
        PartitionerOptions bulk = new PartitionerOptions(name, 1, 0, PassMode.BULK, Map.of());
        return name.equals(CUTWATER) || EdgePartitioners.create(bulk).preparationPasses() > 0;
    }

    /** Returns whether it is an edge algorithm that needs the whole graph as adjacency lists. */
    boolean isPlanned() {
        return kind == PartitioningKind.EDGE && algorithm.equals(CUTWATER) && passes == PassMode.BULK;
    }

    /** Returns whether it is a vertex algorithm over a stream of edges. */
    boolean isOfAnEdgeStream() {
        return kind == PartitioningKind.VERTEX
                && passes == PassMode.LIVE
                && LiveVertexAssigner.names().contains(algorithm);
    }

    boolean hasSetting(String name) {
        if (isOfAnEdgeStream()) {
            return LiveVertexAssigner.hasSetting(algorithm, name);
        }
        if (isPlanned()) {
            return name.equals("imbalance");
        }
        return kind == PartitioningKind.EDGE
                ? EdgePartitioners.hasSetting(algorithm, name)
                : VertexPartitioners.hasSetting(algorithm, name);
    }

    /** Returns the passes as users write them: {@code live} or {@code bulk}. */
    public String passesLabel() {
        return passes.name().toLowerCase(Locale.ROOT);
    }
}
