package io.cutwater.state.passes;

import io.cutwater.state.graph.AdjacencyGraph;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The rule of {@link FootholdMoves} written down slowly: every partition tried, everything counted anew. */
final class SlowFootholds {
    private static final int MAX_EDGES = 16;

    private SlowFootholds() {}

    /**
     * Makes a pass.
     *
     * @param range edges of the footholds of a range of vertices at most
     * @return edges that moved
     */
    static long move(
            AdjacencyGraph graph,
            int[] partitions,
            int k,
            long maxEdges,
            double vertexSlack,
            long range,
            boolean isForRoom) {
        long moves = 0;
        int to = 0;
        while (to < graph.vertexCount()) {
            int from = to;
            int[] read = partitions.clone();
            long[][] counts = EdgePolishTest.counts(graph, read, k);
            for (long sum = 0; to < counts.length && (to == from || sum + small(counts[to]) <= range); to++) {
                sum += small(counts[to]);
            }
            for (int v = from; v < to; v++) {
                for (List<Integer> foothold :
                        footholds(graph, v, read, counts[v]).values()) {
                    int p = read[foothold.get(0)];
                    int[] edges = foothold.stream()
                            .mapToInt(i -> i)
                            .filter(i -> partitions[i] == p)
                            .toArray();
                    if (edges.length > 0 && edges.length == EdgePolishTest.counts(graph, partitions, k)[v][p]) {
                        int q = best(graph, partitions, k, maxEdges, vertexSlack, v, edges, isForRoom);
                        Arrays.stream(edges).forEach(i -> partitions[i] = q);
                        moves += q == p ? 0 : edges.length;
                    }
                }
            }
        }
        return moves;
    }

    private static long small(long[] counts) {
        return Arrays.stream(counts).filter(c -> c <= MAX_EDGES).sum();
    }

    private static Map<Integer, List<Integer>> footholds(AdjacencyGraph graph, int v, int[] read, long[] counts) {
        return IntStream.range(0, read.length)
                .boxed()
                .filter(i -> (graph.source(i) == v) != (graph.target(i) == v))
                .filter(i -> counts[read[i]] <= MAX_EDGES)
                .collect(Collectors.groupingBy(i -> read[i], LinkedHashMap::new, Collectors.toList()));
    }

    private static int best(
            AdjacencyGraph graph,
            int[] partitions,
            int k,
            long maxEdges,
            double vertexSlack,
            int v,
            int[] edges,
            boolean isForRoom) {
        int from = partitions[edges[0]];
        long[][] counts = EdgePolishTest.counts(graph, partitions, k);
        long[] replicas = EdgePolishTest.replicas(counts);
        double cap = vertexSlack * Arrays.stream(replicas).sum() / k;
        int[] others = Arrays.stream(edges)
                .map(i -> graph.source(i) == v ? graph.target(i) : graph.source(i))
                .toArray();
        long freed = 1 + Arrays.stream(others).filter(u -> counts[u][from] == 1).count();
        boolean isAlone = Arrays.stream(counts[v]).filter(c -> c > 0).count() == 1;
        boolean isFull = replicas[from] > cap || load(partitions, from) > 0.97 * maxEdges;
        if (freed == 1 && isAlone && !(isFull && isForRoom)) {
            return from;
        }
        double leaving = replicas[from] > cap ? 2 * freed : freed;
        int best = from;
        double bestGain = isForRoom ? 1e-9 : 0.5;
        for (int p = 0; p < k; p++) {
            int q = p;
            long held = Arrays.stream(others).filter(u -> counts[u][q] > 0).count() + (counts[v][q] > 0 ? 1 : 0);
            long made = edges.length + 1 - held;
            double gain = leaving
                    - (replicas[q] + made > cap ? 2 * made : made)
                    - 0.05 * edges.length * (load(partitions, q) - load(partitions, from) + edges.length) / maxEdges;
            boolean hasRoom = load(partitions, q) + edges.length <= maxEdges;
            if (q != from && held > 0 && made <= leaving && hasRoom && gain > bestGain) {
                best = q;
                bestGain = gain;
            }
        }
        return best;
    }

    private static long load(int[] partitions, int partition) {
        return Arrays.stream(partitions).filter(p -> p == partition).count();
    }
}
