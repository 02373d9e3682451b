package io.cutwater.state.algorithm;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.plan.PlanRequest;
import io.cutwater.state.plan.QuotientGraphBuilder;
import io.cutwater.state.plan.QuotientPlanner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The rules as their papers write them, over maps and sets, every partition tried: slow and obvious. */
final class TextbookVertexPartitioning {
    private final PartitionerOptions options;
    final AdjacencyGraph graph;
    final int k;
    final int n;
    final int m;
    final Map<Integer, Integer> places = new LinkedHashMap<>();
    final long[] sizes;
    final long[] volumes;

    TextbookVertexPartitioning(AdjacencyGraph graph, PartitionerOptions options) {
        this.graph = graph;
        this.options = options;
        k = options.partitionCount();
        n = graph.vertexCount();
        m = (int) graph.edgeCount();
        sizes = new long[k];
        volumes = new long[k];
    }

    int[] place() {
        switch (options.algorithm()) {
            case "hash" -> inOrder(v -> Hashing.reduce(Hashing.mix64(options.seed(), graph.vertex(v)), k));
            case "ldg" -> inOrder(this::ldg);
            case "fennel" -> inOrder(this::fennel);
            case "spring" -> spring();
            case "grem" -> grem();
            default -> throw new IllegalArgumentException(options.algorithm());
        }
        return IntStream.range(0, n).map(places::get).toArray();
    }

    private interface Rule {
        int place(int vertex);
    }

    private void inOrder(Rule rule) {
        for (int v = 0; v < n; v++) {
            put(v, rule.place(v));
        }
    }

    private int ldg(int v) {
        double capacity = Math.ceil((double) n / k);
        return best(p -> edgesTo(v, p) * (1 - sizes[p] / capacity), p -> -sizes[p]);
    }

    private int fennel(int v) {
        double cap = Math.ceil(1.1 * n / k);
        double alpha = m * Math.pow(k, 0.5) / Math.pow(n, 1.5);
        return best(
                p -> sizes[p] >= cap ? Double.NEGATIVE_INFINITY : edgesTo(v, p) - alpha * 1.5 * Math.pow(sizes[p], 0.5),
                p -> -sizes[p]);
    }

    private void spring() {
        long maxVolume = (long) (0.1 * 2 * m / k);
        List<Integer> inOrder = inOrderOfTheEdges();
        int[] cluster = IntStream.range(0, n).map(inOrder::indexOf).toArray();
        Map<Integer, Integer> richest = new HashMap<>();
        for (int i = 0; i < m; i++) {
            int u = graph.source(i);
            int v = graph.target(i);
            if (u != v) {
                richest.merge(u, v, (a, b) -> degree(b) > degree(a) ? b : a);
                richest.merge(v, u, (a, b) -> degree(b) > degree(a) ? b : a);
                long ofU = clusterVolume(cluster, cluster[u]);
                long ofV = clusterVolume(cluster, cluster[v]);
                if (cluster[u] != cluster[v] && ofU <= maxVolume && ofV <= maxVolume) {
                    if (ofU <= ofV) {
                        cluster[u] = cluster[v];
                    } else {
                        cluster[v] = cluster[u];
                    }
                }
            }
        }
        int[] merged = springMerge(cluster, richest, inOrder);
        List<Integer> largestFirst = IntStream.of(merged)
                .distinct()
                .sorted()
                .boxed()
                .sorted(Comparator.comparingInt(
                        (Integer c) -> -members(merged, c).size()))
                .toList();
        for (int c : largestFirst) {
            int p = best(q -> -sizes[q], q -> 0);
            members(merged, c).forEach(v -> put(v, p));
        }
    }

    /** Vertices as the edges name them first, then those without an edge. */
    private List<Integer> inOrderOfTheEdges() {
        Set<Integer> vertices = new LinkedHashSet<>();
        for (int i = 0; i < m; i++) {
            vertices.add(graph.source(i));
            vertices.add(graph.target(i));
        }
        IntStream.range(0, n).forEach(vertices::add);
        return List.copyOf(vertices);
    }

    private int[] springMerge(int[] cluster, Map<Integer, Integer> richest, List<Integer> inOrder) {
        int[] merged = cluster.clone();
        Map<Integer, Integer> representative = new HashMap<>();
        for (int v : inOrder) {
            representative.merge(cluster[v], v, (a, b) -> degree(b) > degree(a) ? b : a);
        }
        List<Integer> waiting = new ArrayList<>(representative.keySet());
        while (!waiting.isEmpty()) {
            int smallest = waiting.stream()
                    .min(Comparator.comparingInt(
                                    (Integer c) -> members(merged, c).size())
                            .thenComparing(Comparator.naturalOrder()))
                    .orElseThrow();
            waiting.remove(Integer.valueOf(smallest));
            int hub = representative.get(smallest);
            int other = merged[richest.getOrDefault(hub, hub)];
            int size = members(merged, smallest).size() + members(merged, other).size();
            if (other != smallest && size <= 1.05 * n / k) {
                for (int v : members(merged, smallest)) {
                    merged[v] = other;
                }
                waiting.remove(Integer.valueOf(other));
                waiting.add(other);
            }
        }
        return merged;
    }

    /** Chunks of a tenth of the edges; the first is planned as the real one does, which has a test of its own. */
    private void grem() {
        int chunkSize = Math.max(1, (int) Math.ceil(0.1 * m));
        double cap = Math.ceil(1.1 * n / k);
        Map<Integer, Map<Integer, Float>> means = new HashMap<>();
        for (int start = 0; start < m; start += chunkSize) {
            Map<Integer, List<Integer>> chunk = new LinkedHashMap<>();
            for (int i = start; i < Math.min(m, start + chunkSize); i++) {
                chunk.computeIfAbsent(graph.source(i), v -> new ArrayList<>()).add(graph.target(i));
                chunk.computeIfAbsent(graph.target(i), v -> new ArrayList<>()).add(graph.source(i));
            }
            boolean isFirst = start == 0;
            if (isFirst) {
                gremSeed(chunk, cap);
            }
            for (int v : chunk.keySet()) {
                float weight = means.containsKey(v) ? 0.5f : 1;
                Map<Integer, Float> ofVertex = means.computeIfAbsent(v, x -> new HashMap<>());
                ofVertex.replaceAll((p, mean) -> (1 - weight) * mean);
                for (int w : chunk.get(v)) {
                    if (w != v && places.containsKey(w)) {
                        ofVertex.merge(places.get(w), weight, Float::sum);
                    }
                }
                if (!isFirst) {
                    int own = places.getOrDefault(v, -1);
                    int p = best(
                            q -> q != own && sizes[q] >= cap ? Double.NEGATIVE_INFINITY : ofVertex.getOrDefault(q, 0f),
                            q -> q == own ? 1 : -sizes[q]);
                    if (own >= 0) {
                        sizes[own]--;
                        volumes[own] -= degree(v);
                    }
                    put(v, p);
                }
            }
        }
        for (int v = 0; v < n; v++) {
            if (!places.containsKey(v)) {
                put(v, best(p -> -sizes[p], p -> 0));
            }
        }
    }

    private void gremSeed(Map<Integer, List<Integer>> chunk, double cap) {
        List<Integer> vertices = List.copyOf(chunk.keySet());
        QuotientGraphBuilder quotient = new QuotientGraphBuilder(vertices.size());
        int edges = 0;
        for (int v = 0; v < vertices.size(); v++) {
            quotient.addVertex(v, chunk.get(vertices.get(v)).size());
            for (int w : chunk.get(vertices.get(v))) {
                edges++;
                if (vertices.indexOf(w) > v) {
                    quotient.addEdge(v, vertices.indexOf(w));
                }
            }
        }
        long maxSize = (long) Math.ceil(cap * vertices.size() / n);
        int[] plan = QuotientPlanner.plan(quotient.build(), new PlanRequest(k, maxSize, edges, options.seed()));
        for (int v = 0; v < plan.length; v++) {
            put(vertices.get(v), plan[v]);
        }
    }

    private static List<Integer> members(int[] clusters, int cluster) {
        return IntStream.range(0, clusters.length)
                .filter(v -> clusters[v] == cluster)
                .boxed()
                .toList();
    }

    private long clusterVolume(int[] clusters, int cluster) {
        return members(clusters, cluster).stream().mapToLong(this::degree).sum();
    }

    /** The p with the largest score; of several the one with the largest second score; of those the lowest. */
    int best(ToDoubleFunction<Integer> score, ToDoubleFunction<Integer> second) {
        int best = 0;
        for (int p = 1; p < k; p++) {
            int order = Double.compare(score.applyAsDouble(p), score.applyAsDouble(best));
            if (order > 0 || order == 0 && second.applyAsDouble(p) > second.applyAsDouble(best)) {
                best = p;
            }
        }
        return best;
    }

    void put(int v, int p) {
        places.put(v, p);
        sizes[p]++;
        volumes[p] += degree(v);
    }

    int degree(int v) {
        return graph.degree(v);
    }

    double edgesTo(int v, int p) {
        return neighbours(v).stream()
                .filter(w -> places.getOrDefault(w, -1) == p)
                .count();
    }

    /** One entry for each edge; self-loops left out. */
    List<Integer> neighbours(int v) {
        return IntStream.range(graph.offset(v), graph.offset(v + 1))
                .map(i -> graph.neighbours()[i])
                .filter(w -> w != v)
                .boxed()
                .toList();
    }
}
