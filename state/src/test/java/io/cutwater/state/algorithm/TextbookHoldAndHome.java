package io.cutwater.state.algorithm;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** Hold and home over maps, every partition scored, the window searched from end to end: slow and obvious. */
final class TextbookHoldAndHome {
    /** A neighbour counter; weight 0 means that it is free. */
    private static final class Counter {
        private int partition;
        private int weight;
    }

    private final EdgeBatch graph;
    private final int k;
    private final double lambda;
    private final double pull;
    private final int window;
    private final double imbalance;
    private final Map<Long, BitSet> replicas;
    private final long[] loads;
    private final Map<Long, Long> degrees = new HashMap<>();
    private final Map<Long, Integer> homes = new HashMap<>();
    private final Map<Long, Counter[]> counters = new HashMap<>();
    private final LinkedHashSet<Integer> waiting = new LinkedHashSet<>();
    private final Deque<Long> released = new ArrayDeque<>();
    private final int[] partitions;

    TextbookHoldAndHome(EdgeBatch graph, PartitionerOptions options, Map<Long, BitSet> replicas, long[] loads) {
        this.graph = graph;
        this.replicas = replicas;
        this.loads = loads;
        k = options.partitionCount();
        lambda = setting(options, "lambda", "1.1");
        pull = setting(options, "pull", "0.3");
        window = (int) setting(options, "window", "10000");
        imbalance = setting(options, "imbalance", "0.05");
        partitions = new int[graph.size()];
    }

    private static double setting(PartitionerOptions options, String name, String defaultValue) {
        return Double.parseDouble(options.settings().getOrDefault(name, defaultValue));
    }

    int[] place() {
        for (int edge = 0; edge < graph.size(); edge++) {
            long u = graph.source(edge);
            long v = graph.target(edge);
            degrees.merge(u, 1L, Long::sum);
            degrees.merge(v, 1L, Long::sum);
            learn(u, v);
            if (replicas.containsKey(u) || replicas.containsKey(v)) {
                put(edge);
                release();
            } else {
                waiting.add(edge);
                if (waiting.size() > window) {
                    giveUpWaiting();
                }
            }
        }
        while (!waiting.isEmpty()) {
            giveUpWaiting();
        }
        return partitions;
    }

    private void giveUpWaiting() {
        int edge = waiting.iterator().next();
        long u = graph.source(edge);
        long v = graph.target(edge);
        if (homes.containsKey(u) || homes.containsKey(v)) {
            learn(u, v);
        } else {
            int least = 0;
            for (int p = 1; p < k; p++) {
                least = loads[p] < loads[least] ? p : least;
            }
            homes.put(degrees.get(u) >= degrees.get(v) ? u : v, least);
        }
        waiting.remove(edge);
        put(edge);
        release();
    }

    private void release() {
        while (!released.isEmpty()) {
            long vertex = released.pop();
            for (int edge : List.copyOf(waiting)) {
                boolean isAtVertex = graph.source(edge) == vertex || graph.target(edge) == vertex;
                if (isAtVertex && waiting.remove(edge)) {
                    learn(graph.source(edge), graph.target(edge));
                    put(edge);
                }
            }
        }
    }

    private void learn(long u, long v) {
        Integer ofU = homes.get(u);
        Integer ofV = homes.get(v);
        if (u == v || ofU == null && ofV == null) {
            return;
        }
        if (ofV != null) {
            count(u, ofV);
        }
        if (ofU != null) {
            count(v, ofU);
        }
        reconsider(u);
        reconsider(v);
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

    private void put(int edge) {
        long u = graph.source(edge);
        long v = graph.target(edge);
        int partition = best(u, v);
        partitions[edge] = partition;
        loads[partition]++;
        for (long vertex : u == v ? new long[] {u} : new long[] {u, v}) {
            homes.putIfAbsent(vertex, partition);
            if (!replicas.containsKey(vertex)) {
                replicas.put(vertex, new BitSet());
                released.push(vertex);
            }
            replicas.get(vertex).set(partition);
        }
    }

    private int best(long u, long v) {
        long max = Arrays.stream(loads).max().orElseThrow();
        long min = Arrays.stream(loads).min().orElseThrow();
        double average = (double) Arrays.stream(loads).sum() / k;
        double cap = Math.max((1 + imbalance) * average + 24, 150);
        double balance = lambda / (1 + (imbalance * average + 32) + (max - min));
        double ofU = 2 - (double) degrees.get(u) / (degrees.get(u) + degrees.get(v));
        double ofV = 2 - (double) degrees.get(v) / (degrees.get(u) + degrees.get(v));
        int best = -1;
        double bestScore = 0;
        for (int p = 0; p < k; p++) {
            if (loads[p] < cap) {
                double score = gain(u, p, ofU) + gain(v, p, ofV) + bonus(u, p, ofU) + bonus(v, p, ofV);
                score += balance * (max - loads[p]);
                if (best < 0 || score > bestScore) {
                    best = p;
                    bestScore = score;
                }
            }
        }
        return best;
    }

    private double gain(long vertex, int partition, double gain) {
        return replicas.containsKey(vertex) && replicas.get(vertex).get(partition) ? gain : 0;
    }

    private double bonus(long vertex, int partition, double gain) {
        return homes.getOrDefault(vertex, -1) == partition ? pull * gain : 0;
    }
}
