package io.cutwater.deploy.faults;

import io.cutwater.deploy.faults.plan.RunPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The graph of a run in files, and the expected content of the shards after each step.
 *
 * @param history edges that are ingested before the job is submitted; null for none
 * @param removals null if nothing is removed
 */
record RunGraph(
        @Nullable Path history,
        Path edges,
        @Nullable Path removals,
        Map<Edge, Integer> all,
        Map<Edge, Integer> remaining) {
    private static final int VERTICES = 3_000;

    static RunGraph write(RunPlan plan, Path folder) throws IOException {
        SplittableRandom random = new SplittableRandom(plan.seed() + 1);
        List<Edge> edges = new ArrayList<>();
        while (edges.size() < plan.edges()) {
            boolean repeats = !edges.isEmpty() && random.nextInt(10) == 0;
            edges.add(repeats ? edges.get(random.nextInt(edges.size())) : edge(random));
        }
        Map<Edge, Integer> all = counted(edges);
        int early = plan.job().bootstraps() ? edges.size() / 2 : 0;
        Path history = early == 0 ? null : write(folder.resolve("history.txt"), edges.subList(0, early));
        Path live = write(folder.resolve("edges.txt"), edges.subList(early, edges.size()));
        Collections.shuffle(edges, new Random(plan.seed() + 2));
        List<Edge> removed = edges.subList(0, plan.removals());
        Path removals = removed.isEmpty() ? null : write(folder.resolve("removals.txt"), removed);
        Map<Edge, Integer> remaining = new HashMap<>(all);
        removed.forEach(edge -> remaining.computeIfPresent(edge, (e, count) -> count == 1 ? null : count - 1));
        return new RunGraph(history, live, removals, all, remaining);
    }

    /** Returns an edge with ends in both halves of the 64-bit range. */
    private static Edge edge(SplittableRandom random) {
        int hub = random.nextInt(1 + random.nextInt(VERTICES));
        return new Edge(hub, Long.MIN_VALUE + random.nextInt(VERTICES));
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
