package io.cutwater.state.algorithm;

import io.cutwater.state.cluster.ModularityClustering;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * 2PS-L and SIGMA over maps, as their papers tell them: an edge that is pre-assigned is placed there and then, and
 * every partition is scored.
 */
public final class TextbookClustered {
    private static final int UNPLACED = -1;

    private final EdgeBatch graph;
    private final PartitionerOptions options;
    private final int k;
    private final double imbalance;
    private final Map<Long, BitSet> replicas;
    private final long[] loads;
    private final long[] replicasOn;
    private final Map<Long, Long> degrees = new HashMap<>();
    private final Map<Long, Integer> clusters = new HashMap<>();
    private final List<Long> volumes = new ArrayList<>();
    private final List<Integer> settled = new ArrayList<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private final int[] partitions;

    /**
     * @param replicas receives the partitions of each vertex
     * @param loads receives the edges of each partition
     */
    public TextbookClustered(EdgeBatch graph, PartitionerOptions options, Map<Long, BitSet> replicas, long[] loads) {
        this.graph = graph;
        this.options = options;
        this.replicas = replicas;
        this.loads = loads;
        k = options.partitionCount();
        String usual = options.algorithm().equals("2ps-l") ? ".05" : ".1";
        replicasOn = new long[k];
        imbalance = Double.parseDouble(options.settings().getOrDefault("imbalance", usual));
        partitions = new int[graph.size()];
        Arrays.fill(partitions, UNPLACED);
    }

    /** The partition of each edge. */
    public int[] place() {
        if (options.passMode() == PassMode.LIVE) {
            placeLive();
            return partitions;
        }
        for (int i = 0; i < graph.size(); i++) {
            degrees.merge(graph.source(i), 1L, Long::sum);
            degrees.merge(graph.target(i), 1L, Long::sum);
        }
        double share = (1 + imbalance) * graph.size() / k;
        boolean isTwoPhase = options.algorithm().equals("2ps-l");
        double cap = isTwoPhase ? Math.max(Math.floor(share), Math.ceil((double) graph.size() / k)) : Math.ceil(share);
        if (hasClusters()) {
            if (options.settings().getOrDefault("clustering", "").equals("modularity")) {
                clusterWhole();
            } else {
                for (int i = 0; i < graph.size(); i++) {
                    cluster(graph.source(i), graph.target(i), 2.0 * graph.size() / k);
                }
            }
            settleLargestFirst();
            preassign(cap);
        }
        double fullest = Arrays.stream(loads).max().orElseThrow();
        double least = Math.max(0.9, fullest / cap);
        for (int i = 0; i < graph.size(); i++) {
            if (partitions[i] == UNPLACED) {
                double sigma = least + (1 - least) * Math.sqrt((i + 1.0) / graph.size());
                put(i, isTwoPhase ? twoPhase(i, cap) : sigma(i, sigma * cap));
            }
        }
        return partitions;
    }

    /** Modularity clusters have a textbook of their own; here they are as they come. */
    private void clusterWhole() {
        AdjacencyGraph whole = AdjacencyGraph.sorted(graph);
        int n = whole.vertexCount();
        int[] found = new ModularityClustering(n, graph.size(), 2L * graph.size() / k, n).of(whole);
        for (int v = 0; v < n; v++) {
            while (volumes.size() <= found[v]) {
                open(0);
            }
            clusters.put(whole.vertex(v), found[v]);
            volumes.set(found[v], volumes.get(found[v]) + degrees.get(whole.vertex(v)));
        }
    }

    private boolean hasClusters() {
        return !options.settings().getOrDefault("clustering", "edge-stream").equals("none");
    }

    private void placeLive() {
        for (int i = 0; i < graph.size(); i++) {
            long u = graph.source(i);
            long v = graph.target(i);
            double cap = Math.max((1 + imbalance) * ((double) i / k) + 24, 150);
            degrees.merge(u, 1L, Long::sum);
            degrees.merge(v, 1L, Long::sum);
            if (!hasClusters()) {
                put(i, sigma(i, cap));
                continue;
            }
            for (long x : new long[] {u, v}) {
                if (!clusters.containsKey(x)) {
                    clusters.put(x, open(0));
                }
            }
            volumes.set(clusters.get(u), volumes.get(clusters.get(u)) + 1);
            volumes.set(clusters.get(v), volumes.get(clusters.get(v)) + 1);
            cluster(u, v, Math.max(2 * ((double) i / k), 300));
            int p = partitionOf(u);
            boolean isSure = p != UNPLACED && p == partitionOf(v) && loads[p] + 1 <= cap;
            put(i, isSure ? p : sigma(i, cap));
            for (long x : new long[] {u, v}) {
                if (partitionOf(x) == UNPLACED) {
                    settled.set(clusters.get(x), partitions[i]);
                }
            }
        }
    }

    private int open(long volume) {
        if (free.isEmpty()) {
            volumes.add(volume);
            settled.add(UNPLACED);
            return volumes.size() - 1;
        }
        int cluster = free.pop();
        volumes.set(cluster, volume);
        settled.set(cluster, UNPLACED);
        return cluster;
    }

    private void cluster(long u, long v, double maxVolume) {
        for (long x : new long[] {u, v}) {
            if (!clusters.containsKey(x)) {
                clusters.put(x, open(degrees.get(x)));
            }
        }
        int ofU = clusters.get(u);
        int ofV = clusters.get(v);
        if (ofU == ofV || volumes.get(ofU) > maxVolume || volumes.get(ofV) > maxVolume) {
            return;
        }
        boolean movesU = volumes.get(ofU) - degrees.get(u) <= volumes.get(ofV) - degrees.get(v);
        long mover = movesU ? u : v;
        int to = movesU ? ofV : ofU;
        int from = movesU ? ofU : ofV;
        if (volumes.get(to) + degrees.get(mover) <= maxVolume) {
            volumes.set(to, volumes.get(to) + degrees.get(mover));
            volumes.set(from, volumes.get(from) - degrees.get(mover));
            clusters.put(mover, to);
            if (volumes.get(from) == 0) {
                free.push(from);
            }
        }
    }

    private void settleLargestFirst() {
        List<Integer> order = new ArrayList<>();
        for (int cluster = 0; cluster < volumes.size(); cluster++) {
            order.add(cluster);
        }
        order.sort(Comparator.comparing(volumes::get, Comparator.reverseOrder()));
        long[] volumeOf = new long[k];
        for (int cluster : order) {
            int least = 0;
            for (int p = 1; p < k; p++) {
                least = volumeOf[p] < volumeOf[least] ? p : least;
            }
            settled.set(cluster, least);
            volumeOf[least] += volumes.get(cluster);
        }
    }

    private int partitionOf(long vertex) {
        return settled.get(clusters.get(vertex));
    }

    private void preassign(double cap) {
        for (int i = 0; i < graph.size(); i++) {
            int p = partitionOf(graph.source(i));
            if (p == partitionOf(graph.target(i)) && loads[p] < cap) {
                put(i, p);
            }
        }
    }

    private void put(int edge, int partition) {
        partitions[edge] = partition;
        loads[partition]++;
        for (long x : new long[] {graph.source(edge), graph.target(edge)}) {
            BitSet holders = replicas.computeIfAbsent(x, v -> new BitSet());
            replicasOn[partition] += holders.get(partition) ? 0 : 1;
            holders.set(partition);
        }
    }

    private double gain(long x, int edge, int partition) {
        double all = (double) degrees.get(graph.source(edge)) + degrees.get(graph.target(edge));
        boolean holds = replicas.containsKey(x) && replicas.get(x).get(partition);
        return holds ? 2 - degrees.get(x) / all : 0;
    }

    private int twoPhase(int edge, double cap) {
        long u = graph.source(edge);
        long v = graph.target(edge);
        double volumeOfU = volumes.get(clusters.get(u));
        double volumeOfV = volumes.get(clusters.get(v));
        double both = volumeOfU + volumeOfV;
        double byU = gain(u, edge, partitionOf(u)) + gain(v, edge, partitionOf(u)) + volumeOfU / both;
        double byV = gain(u, edge, partitionOf(v)) + gain(v, edge, partitionOf(v)) + volumeOfV / both;
        int p = byV > byU ? partitionOf(v) : partitionOf(u);
        if (loads[p] >= cap) {
            long higher = degrees.get(u) >= degrees.get(v) ? u : v;
            p = Hashing.reduce(Hashing.mix64(options.seed(), higher), k);
        }
        return loads[p] >= cap ? leastLoaded() : p;
    }

    private int leastLoaded() {
        int least = 0;
        for (int p = 1; p < k; p++) {
            least = loads[p] < loads[least] ? p : least;
        }
        return least;
    }

    private int sigma(int edge, double cap) {
        double lambda = Double.parseDouble(options.settings().getOrDefault("lambda", "1"));
        long maxEdges = Math.max(1, Arrays.stream(loads).max().orElseThrow());
        long maxReplicas = Math.max(1, Arrays.stream(replicasOn).max().orElseThrow());
        int best = UNPLACED;
        double bestScore = 0;
        for (int p = 0; p < k; p++) {
            double balance = lambda / 2 / maxEdges * (maxEdges - loads[p])
                    + lambda / 2 / maxReplicas * (maxReplicas - replicasOn[p]);
            if (loads[p] + 1 > cap) {
                continue;
            }
            double score = gain(graph.source(edge), edge, p) + gain(graph.target(edge), edge, p) + balance;
            if (best == UNPLACED || score > bestScore) {
                best = p;
                bestScore = score;
            }
        }
        return best == UNPLACED ? leastLoaded() : best;
    }
}
