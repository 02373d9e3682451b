package io.cutwater.state.algorithm;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** The rules as their papers write them, over maps and sets, every partition tried: slow and obvious. */
final class TextbookPartitioning {
    private final PartitionerOptions options;
    private final int k;
    private final Map<Long, Long> finalDegrees = new HashMap<>();
    private final Map<Long, Long> degrees = new HashMap<>();
    private final Map<Long, BitSet> replicas = new HashMap<>();
    private final long[] loads;

    TextbookPartitioning(PartitionerOptions options) {
        this.options = options;
        k = options.partitionCount();
        loads = new long[k];
    }

    int[] place(EdgeBatch graph) {
        if (options.algorithm().equals("cutwater")) {
            return new TextbookHoldAndHome(graph, options, replicas, loads).place();
        }
        if (options.algorithm().equals("2ps-l") || options.algorithm().equals("sigma-edge")) {
            return new TextbookClustered(graph, options, replicas, loads).place();
        }
        for (int i = 0; i < graph.size(); i++) {
            finalDegrees.merge(graph.source(i), 1L, Long::sum);
            finalDegrees.merge(graph.target(i), 1L, Long::sum);
        }
        int[] partitions = new int[graph.size()];
        for (int i = 0; i < graph.size(); i++) {
            long u = graph.source(i);
            long v = graph.target(i);
            degrees.merge(u, 1L, Long::sum);
            degrees.merge(v, 1L, Long::sum);
            int p = switch (options.algorithm()) {
                case "hash" -> Hashing.reduce(Hashing.mix64(options.seed(), u, v), k);
                case "dbh" -> dbh(u, v);
                case "grid" -> grid(u, v);
                case "greedy" -> greedy(u, v);
                case "hdrf" -> hdrf(u, v);
                default -> throw new IllegalArgumentException(options.algorithm());
            };
            loads[p]++;
            replicasOf(u).set(p);
            replicasOf(v).set(p);
            partitions[i] = p;
        }
        return partitions;
    }

    long[] loads() {
        return loads;
    }

    Map<Long, BitSet> replicas() {
        return replicas;
    }

    private BitSet replicasOf(long vertex) {
        return replicas.computeIfAbsent(vertex, v -> new BitSet());
    }

    private int hashOf(long vertex) {
        return Hashing.reduce(Hashing.mix64(options.seed(), vertex), k);
    }

    private int dbh(long u, long v) {
        Map<Long, Long> degree = options.passMode() == PassMode.BULK ? finalDegrees : degrees;
        int order = Long.compare(degree.get(u), degree.get(v));
        long cut = order != 0 ? (order < 0 ? u : v) : Math.min(u, v);
        return hashOf(cut);
    }

    private int grid(long u, long v) {
        int rows = IntStream.rangeClosed(1, k)
                .filter(r -> k % r == 0 && r * r <= k)
                .max()
                .orElseThrow();
        BitSet candidates = constraintSet(hashOf(u), rows);
        candidates.and(constraintSet(hashOf(v), rows));
        return leastLoaded(candidates::get);
    }

    private BitSet constraintSet(int cell, int rows) {
        int columns = k / rows;
        BitSet set = new BitSet();
        for (int p = 0; p < k; p++) {
            set.set(p, p / columns == cell / columns || p % columns == cell % columns);
        }
        return set;
    }

    private int greedy(long u, long v) {
        BitSet ofU = replicasOf(u);
        BitSet ofV = replicasOf(v);
        if (ofU.intersects(ofV)) {
            return leastLoaded(p -> ofU.get(p) && ofV.get(p));
        }
        if (!ofU.isEmpty() && !ofV.isEmpty()) {
            return leastLoaded(edgesAhead(u) >= edgesAhead(v) ? ofU::get : ofV::get);
        }
        if (ofU.isEmpty() && ofV.isEmpty()) {
            return leastLoaded(p -> true);
        }
        return leastLoaded(ofU.isEmpty() ? ofV::get : ofU::get);
    }

    private long edgesAhead(long vertex) {
        return options.passMode() == PassMode.BULK
                ? finalDegrees.get(vertex) - degrees.get(vertex)
                : degrees.get(vertex);
    }

    private int leastLoaded(IntPredicate isCandidate) {
        int best = -1;
        for (int p = 0; p < k; p++) {
            if (isCandidate.test(p) && (best < 0 || loads[p] < loads[best])) {
                best = p;
            }
        }
        return best;
    }

    /** Rounds as the fast one does, λ / (ε + max − min) first: that way ties are the same. */
    private int hdrf(long u, long v) {
        double lambda = Double.parseDouble(options.settings().getOrDefault("lambda", "1.1"));
        double epsilon = Double.parseDouble(options.settings().getOrDefault("epsilon", "1"));
        long max = Arrays.stream(loads).max().orElseThrow();
        long min = Arrays.stream(loads).min().orElseThrow();
        double factor = lambda / (epsilon + (max - min));
        int best = -1;
        double bestScore = Double.NEGATIVE_INFINITY;
        for (int p = 0; p < k; p++) {
            double score = gain(u, u, v, p) + gain(v, u, v, p) + factor * (max - loads[p]);
            if (score > bestScore) {
                best = p;
                bestScore = score;
            }
        }
        return best;
    }

    private double gain(long vertex, long u, long v, int partition) {
        double theta = (double) degrees.get(vertex) / (degrees.get(u) + degrees.get(v));
        return replicasOf(vertex).get(partition) ? 2 - theta : 0;
    }
}
