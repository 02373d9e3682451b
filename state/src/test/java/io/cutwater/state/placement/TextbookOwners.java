package io.cutwater.state.placement;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitionerOptions;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Vertices of an edge stream, over maps, every partition scored, the window searched from end to end: slow. */
final class TextbookOwners {
    /** A neighbour counter; weight 0 means that it is free. */
    private static final class Counter {
        private int partition;
        private int weight;
    }

    private final EdgeBatch graph;
    private final PartitionerOptions options;
    private final int k;
    private final int window;
    private final boolean hasHomes;
    private final Map<Long, Integer> owners = new HashMap<>();
    private final Map<Long, Integer> homes = new HashMap<>();
    private final Map<Long, Counter[]> counters = new HashMap<>();
    private final LinkedHashSet<Integer> waiting = new LinkedHashSet<>();
    private final long[] owned;
    private final long[] volumes;
    private long placed;

    TextbookOwners(EdgeBatch graph, PartitionerOptions options) {
        this.graph = graph;
        this.options = options;
        k = options.partitionCount();
        window = options.algorithm().equals("hash") ? 0 : (int) setting("window", 50_000);
        hasHomes = options.algorithm().equals("cutwater");
        owned = new long[k];
        volumes = new long[k];
    }

    private double setting(String name, double defaultValue) {
        String value = options.settings().get(name);
        return value == null ? defaultValue : Double.parseDouble(value);
    }

    /** The owner of each vertex. */
    Map<Long, Integer> place() {
        for (int edge = 0; edge < graph.size(); edge++) {
            long u = graph.source(edge);
            long v = graph.target(edge);
            waiting.add(edge);
            if (hasHomes && u != v && !(owners.containsKey(u) && owners.containsKey(v))) {
                Integer ofU = homes.get(u);
                Integer ofV = homes.get(v);
                learn(u, ofV);
                learn(v, ofU);
                reconsider(u);
                reconsider(v);
            }
            release();
            while (waiting.size() > window) {
                settle(fullest());
            }
        }
        while (!waiting.isEmpty()) {
            settle(fullest());
        }
        return owners;
    }

    private void learn(long vertex, Integer home) {
        if (home != null && !owners.containsKey(vertex)) {
            count(vertex, home);
        }
    }

    private void release() {
        waiting.removeIf(edge -> {
            Integer ofSource = owners.get(graph.source(edge));
            Integer ofTarget = owners.get(graph.target(edge));
            if (ofSource == null || ofTarget == null) {
                return false;
            }
            volumes[ofSource]++;
            volumes[ofTarget]++;
            placed++;
            return true;
        });
    }

    private List<Integer> edgesAt(long vertex) {
        return waiting.stream()
                .filter(edge -> graph.source(edge) == vertex || graph.target(edge) == vertex)
                .toList();
    }

    private long fullest() {
        return waiting.stream()
                .flatMap(edge -> Stream.of(graph.source(edge), graph.target(edge)))
                .filter(vertex -> !owners.containsKey(vertex))
                .distinct()
                .min(Comparator.comparing((Long vertex) -> -edgesAt(vertex).size())
                        .thenComparing(vertex -> edgesAt(vertex).get(0))
                        .thenComparing(vertex -> vertex))
                .orElseThrow();
    }

    private void settle(long vertex) {
        int owner = owner(vertex);
        owners.put(vertex, owner);
        owned[owner]++;
        homes.put(vertex, owner);
        List<Integer> edges = edgesAt(vertex);
        release();
        if (hasHomes) {
            for (int edge : edges) {
                long other = other(edge, vertex);
                if (!owners.containsKey(other)) {
                    count(other, owner);
                    reconsider(other);
                }
            }
        }
    }

    private long other(int edge, long vertex) {
        return graph.source(edge) == vertex ? graph.target(edge) : graph.source(edge);
    }

    private int owner(long vertex) {
        if (options.algorithm().equals("hash")) {
            return Hashing.reduce(Hashing.mix64(options.seed(), vertex), k);
        }
        int[] ofOwners = new int[k];
        int[] ofHomes = new int[k];
        int degree = 0;
        for (int edge : edgesAt(vertex)) {
            long other = other(edge, vertex);
            degree += other == vertex ? 2 : 1;
            if (other == vertex) {
                continue;
            }
            if (owners.containsKey(other)) {
                ofOwners[owners.get(other)]++;
            } else if (homes.containsKey(other)) {
                ofHomes[homes.get(other)]++;
            }
        }
        double n = Arrays.stream(owned).sum() + 1;
        double m = placed + degree;
        double volume =
                2 * placed + IntStream.range(0, k).mapToLong(this::waitingAt).sum();
        int least = best(new double[k]);
        double[] scores = new double[k];
        for (int p = 0; p < k; p++) {
            scores[p] = switch (options.algorithm()) {
                case "ldg" -> {
                    double cap = Math.max(64, Math.ceil(setting("slack", 1.05) * n / k));
                    yield owned[p] < cap ? ofOwners[p] * (1 - owned[p] / cap) : Double.NEGATIVE_INFINITY;
                }
                case "fennel" -> {
                    double cap = Math.max(64, Math.ceil(setting("slack", 1.1) * n / k));
                    yield owned[p] < cap ? ofOwners[p] - price(p, n, m) : Double.NEGATIVE_INFINITY;
                }
                default -> {
                    double cap = Math.max(64, Math.ceil(setting("vertex-slack", 1.05) * n / k));
                    double maxVolume = Math.max(1024, setting("volume-slack", 1.3) * (volume + degree) / k);
                    boolean hasRoom = owned[p] < cap && volumes[p] + waitingAt(p) + degree <= maxVolume || p == least;
                    yield hasRoom
                            ? (5 * ofOwners[p] + 4 * ofHomes[p]) / 5.0 - price(p, n, m)
                            : Double.NEGATIVE_INFINITY;
                }
            };
        }
        return best(scores);
    }

    /** Ends of waiting edges at vertices of a partition. */
    private long waitingAt(int partition) {
        return waiting.stream()
                .flatMap(edge -> Stream.of(graph.source(edge), graph.target(edge)))
                .filter(vertex -> owners.getOrDefault(vertex, -1) == partition)
                .count();
    }

    private double price(int partition, double n, double m) {
        double gamma = setting("gamma", 1.5);
        return m * Math.pow(k, gamma - 1) / Math.pow(n, gamma) * gamma * Math.pow(owned[partition], gamma - 1);
    }

    /** The partition of the best score, of these the one with the fewest vertices, of these the lowest. */
    private int best(double[] scores) {
        int best = 0;
        for (int p = 1; p < k; p++) {
            if (scores[p] > scores[best] || scores[p] == scores[best] && owned[p] < owned[best]) {
                best = p;
            }
        }
        return best;
    }

    private Counter[] countersOf(long vertex) {
        return counters.computeIfAbsent(
                vertex, v -> new Counter[] {new Counter(), new Counter(), new Counter(), new Counter()});
    }

    private void count(long vertex, int home) {
        Counter[] all = countersOf(vertex);
        Counter lightest = all[0];
        Counter own = null;
        for (Counter counter : all) {
            counter.weight = (int) (counter.weight * 62_259L / 65_536);
            lightest = counter.weight < lightest.weight ? counter : lightest;
            own = counter.weight > 0 && counter.partition == home ? counter : own;
        }
        if (own == null) {
            own = lightest;
            own.partition = home;
            own.weight = 0;
        }
        own.weight += 1024;
    }

    private void reconsider(long vertex) {
        if (owners.containsKey(vertex)) {
            return;
        }
        Counter[] all = countersOf(vertex);
        long[] homesOn = new long[k];
        homes.values().forEach(p -> homesOn[p]++);
        double cap = 1.1 * homes.size() / k + 8;
        int sum = Arrays.stream(all).mapToInt(counter -> counter.weight).sum();
        Integer home = homes.get(vertex);
        Integer best = null;
        double bestScore = 0;
        for (int p = 0; p < k; p++) {
            for (Counter counter : all) {
                boolean hasRoom = homesOn[p] < cap || home != null && home == p;
                if (counter.weight > 0 && counter.partition == p && hasRoom) {
                    double score = counter.weight - sum / cap * homesOn[p];
                    if (best == null || score > bestScore) {
                        best = p;
                        bestScore = score;
                    }
                }
            }
        }
        if (best != null) {
            homes.put(vertex, best);
        }
    }
}
