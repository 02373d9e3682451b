package io.cutwater.deploy.faults;

import io.cutwater.deploy.faults.plan.RunPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The graph of a run in files, and the expected content of the shards after each step.
 *
 * @param history parts that are ingested before the job is submitted; empty for none
 * @param live parts that are ingested while the job runs, at least one
 * @param removals edges that are removed at last; null for none
 * @param all content after all parts
 * @param remaining content after the removals of edges
 */
record RunGraph(
        List<Part> history,
        List<Part> live,
        @Nullable Path removals,
        Map<Edge, Integer> all,
        Map<Edge, Integer> remaining) {
    private static final int VERTICES = 3_000;

    /** Parts of the history, and of what comes later, in a run that removes vertices. */
    private static final int PARTS = 4;

    /** Vertices that are removed after a part, besides the hub. */
    private static final int REMOVED = 40;

    private static final long HUB = VERTICES;
    private static final long UNKNOWN = VERTICES + 1;

    /**
     * A file of edges that are added.
     *
     * @param removed vertices that are removed behind them; some have no edge, or are named twice
     */
    record Part(Path edges, List<Long> removed) {}

    static RunGraph write(RunPlan plan, Path folder) throws IOException {
        SplittableRandom random = new SplittableRandom(plan.seed() + 1);
        boolean removesVertices = plan.job().removesVertices();
        List<Edge> edges = new ArrayList<>();
        while (edges.size() < plan.edges()) {
            boolean repeats = !edges.isEmpty() && random.nextInt(10) == 0;
            Edge edge = repeats ? edges.get(random.nextInt(edges.size())) : edge(random);
            edges.add(removesVertices && !repeats ? varied(edge, random) : edge);
        }
        int early = plan.job().bootstraps() ? edges.size() / 2 : 0;
        List<Edge> present = new ArrayList<>();
        List<Part> history = parts(folder, "history", edges.subList(0, early), removesVertices, random, present);
        List<Part> live = parts(folder, "edges", edges.subList(early, edges.size()), removesVertices, random, present);
        Map<Edge, Integer> all = counted(present);
        Collections.shuffle(present, new Random(plan.seed() + 2));
        List<Edge> removed = present.subList(0, Math.min(plan.removals(), present.size()));
        Path removals = removed.isEmpty() ? null : write(folder.resolve("removals.txt"), removed);
        Map<Edge, Integer> remaining = new HashMap<>(all);
        removed.forEach(edge -> remaining.computeIfPresent(edge, (e, count) -> count == 1 ? null : count - 1));
        return new RunGraph(history, live, removals, all, remaining);
    }

    /**
     * Writes parts of a graph.
     *
     * @param present gets the edges and loses those of removed vertices
     */
    private static List<Part> parts(
            Path folder,
            String name,
            List<Edge> edges,
            boolean removesVertices,
            SplittableRandom random,
            List<Edge> present)
            throws IOException {
        List<Part> parts = new ArrayList<>();
        int count = edges.isEmpty() ? 0 : removesVertices ? PARTS : 1;
        for (int i = 0; i < count; i++) {
            List<Edge> some = edges.subList(edges.size() * i / count, edges.size() * (i + 1) / count);
            present.addAll(some);
            List<Long> removed = removesVertices ? someEnds(present, random) : List.of();
            Set<Long> gone = new HashSet<>(removed);
            present.removeIf(edge -> gone.contains(edge.source()) || gone.contains(edge.target()));
            parts.add(new Part(write(folder.resolve("%s-%d.txt".formatted(name, i)), some), removed));
        }
        return List.copyOf(parts);
    }

    private static List<Long> someEnds(List<Edge> present, SplittableRandom random) {
        List<Long> ends = new ArrayList<>(List.of(UNKNOWN));
        for (int i = 0; i < REMOVED; i++) {
            Edge edge = present.get(random.nextInt(present.size()));
            ends.add(random.nextBoolean() ? edge.source() : edge.target());
        }
        if (random.nextBoolean()) {
            ends.add(HUB);
        }
        ends.add(ends.get(random.nextInt(ends.size())));
        return ends;
    }

    /** Returns an edge with ends in both halves of the 64-bit range. */
    private static Edge edge(SplittableRandom random) {
        int hub = random.nextInt(1 + random.nextInt(VERTICES));
        return new Edge(hub, Long.MIN_VALUE + random.nextInt(VERTICES));
    }

    /** Makes some edges loops, edges of a hub, and edges in the other direction: what finds edges by their targets. */
    private static Edge varied(Edge edge, SplittableRandom random) {
        return switch (random.nextInt(20)) {
            case 0 -> new Edge(edge.source(), edge.source());
            case 1 -> new Edge(HUB, edge.target());
            case 2 -> new Edge(edge.source(), HUB);
            case 3, 4, 5 -> new Edge(edge.target(), edge.source());
            default -> edge;
        };
    }

    private static Map<Edge, Integer> counted(List<Edge> edges) {
        Map<Edge, Integer> counts = new HashMap<>();
        edges.forEach(edge -> counts.merge(edge, 1, Integer::sum));
        return counts;
    }

    private static Path write(Path file, List<Edge> edges) throws IOException {
        return Files.write(file, edges.stream().map(Edge::toString).toList());
    }
}
