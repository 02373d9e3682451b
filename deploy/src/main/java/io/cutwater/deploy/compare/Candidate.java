package io.cutwater.deploy.compare;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An algorithm in one pass mode: a row of the comparison.
 *
 * @param buffer edges that are buffered and placed together; null for the setting that all rows have
 */
public record Candidate(
        PartitioningKind kind,
        String algorithm,
        PassMode passes,
        @Nullable Integer buffer) {
    private static final String BUFFER = "buffer";

    Candidate(PartitioningKind kind, String algorithm, PassMode passes) {
        this(kind, algorithm, passes, null);
    }

    /**
     * The candidates, by kind, and in the order of the names.
     *
     * @param names of algorithms; empty for all of the kinds. A name that is known to both kinds stands for both.
     * @param passes null: those that gain from several passes come in both modes
     * @throws IllegalArgumentException if an algorithm is unknown, or cannot run in the mode; the message is meant for
     *     users
     */
    public static List<Candidate> of(Set<PartitioningKind> kinds, List<String> names, @Nullable PassMode passes) {
        refuseUnknown(kinds, names);
        Set<Candidate> candidates = new LinkedHashSet<>();
        for (PartitioningKind kind : kinds) {
            for (String name : names.isEmpty() ? Algorithms.names(kind) : names) {
                Algorithm algorithm = Algorithms.find(kind, name);
                if (algorithm != null) {
                    candidates.addAll(of(algorithm, passes, names.contains(name)));
                }
            }
        }
        return List.copyOf(candidates);
    }

    private static void refuseUnknown(Set<PartitioningKind> kinds, List<String> names) {
        Set<String> known = new TreeSet<>();
        kinds.forEach(kind -> known.addAll(Algorithms.names(kind)));
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("there is no algorithm named '%s' of this kind; there are %s"
                        .formatted(name, String.join(", ", known)));
            }
        }
    }

    private static List<Candidate> of(Algorithm algorithm, @Nullable PassMode passes, boolean isNamed) {
        boolean runsLive = algorithm.runs(PassMode.LIVE);
        if (passes == PassMode.LIVE && isNamed && !runsLive) {
            throw new IllegalArgumentException(
                    "%s reads its whole input before it places anything; leave it out, or give --passes bulk"
                            .formatted(algorithm.name()));
        }
        List<Candidate> candidates = new ArrayList<>();
        if (runsLive && passes != PassMode.BULK) {
            candidates.add(new Candidate(algorithm.kind(), algorithm.name(), PassMode.LIVE));
        }
        if (passes == PassMode.BULK && algorithm.runs(PassMode.BULK) || passes == null && algorithm.gainsFromPasses()) {
            candidates.add(new Candidate(algorithm.kind(), algorithm.name(), PassMode.BULK));
        }
        return candidates;
    }

    /**
     * Returns candidates of which those that can place buffers together come once for each size.
     *
     * @throws IllegalArgumentException if there is none; the message is meant for users
     */
    public static List<Candidate> withBuffers(List<Candidate> candidates, List<Integer> sizes) {
        if (candidates.stream().noneMatch(candidate -> candidate.hasSetting(BUFFER))) {
            throw new IllegalArgumentException(
                    "no algorithm of this comparison places buffers together; compare cutwater for edges, live");
        }
        List<Candidate> sized = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (candidate.hasSetting(BUFFER)) {
                sizes.forEach(
                        size -> sized.add(new Candidate(candidate.kind, candidate.algorithm, candidate.passes, size)));
            } else {
                sized.add(candidate);
            }
        }
        return sized;
    }

    /** Returns the settings of this row, where all rows have the given ones. */
    Map<String, String> settings(Map<String, String> ofAll) {
        Map<String, String> own = new TreeMap<>(ofAll);
        own.keySet().removeIf(name -> !hasSetting(name));
        if (buffer != null) {
            own.put(BUFFER, Integer.toString(buffer));
        }
        return own;
    }

    Algorithm description() {
        return Algorithms.get(kind, algorithm);
    }

    boolean hasSetting(String name) {
        return description().hasSetting(passes, name);
    }

    /** Returns the passes as users write them: {@code live} or {@code bulk}. */
    public String passesLabel() {
        return passes.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the passes, and the size of the buffer if the row has its own. */
    public String label() {
        return buffer == null ? passesLabel() : "%s, buffer %d".formatted(passesLabel(), buffer);
    }
}
