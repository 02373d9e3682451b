package io.cutwater.state.bulk;

import io.cutwater.state.graph.AdjacencyGraph;

/**
 * Makes fewer replicas of an edge placement by passing over the edges again, a few times: an edge moves to the
 * partition with room where it helps most.
 *
 * <p>What helps is not only the last edge that leaves a partition, for one edge seldom is the last. With c edges of a
 * vertex on a partition, the replica there counts for c / (c + 1): the first edges of a foothold weigh most, so that
 * small footholds empty into large ones, edge by edge, until they are gone. Moving edge (u, v) from p to q gains what
 * the counts of u and v on p and q say, and only partitions with a replica of u or v come into question. Every move
 * makes the sum over all replicas smaller, so passes come to an end; there are {@value #MAX_PASSES} at most, and none
 * after one that moved fewer than one edge in {@value #LEAST_MOVES}.
 */
public final class EdgePolish {
    private static final int MAX_PASSES = 6;
    private static final int LEAST_MOVES = 500;
    private static final double LEAST_GAIN = 1e-9; // above what rounding can make of nothing

    private final AdjacencyGraph graph;
    private final int[] partitions;
    private final long maxEdges;
    private final long[] loads;
    private final EdgeCounts counts;

    private EdgePolish(AdjacencyGraph graph, int[] partitions, int partitionCount, long maxEdges) {
        this.graph = graph;
        this.partitions = partitions;
        this.maxEdges = maxEdges;
        loads = new long[partitionCount];
        counts = new EdgeCounts(graph, partitionCount);
        for (int i = 0; i < partitions.length; i++) {
            loads[partitions[i]]++;
            counts.add(graph.source(i), partitions[i]);
            counts.add(graph.target(i), partitions[i]);
        }
    }

    /**
     * Improves a placement.
     *
     * @param partitions the partition of each edge of the graph, 0 to k − 1; changed
     * @param maxEdges no partition takes an edge more if it has as many; one that has more keeps them or loses some
     * @return replicas afterwards, Σ |V(E_p)|
     */
    public static long polish(AdjacencyGraph graph, int[] partitions, int partitionCount, long maxEdges) {
        if (partitions.length != graph.edgeCount()) {
            throw new IllegalArgumentException("there must be a partition for each of %d edges: %d"
                    .formatted(graph.edgeCount(), partitions.length));
        }
        EdgePolish polish = new EdgePolish(graph, partitions, partitionCount, maxEdges);
        long moves;
        int passes = 0;
        do {
            moves = polish.pass();
        } while (++passes < MAX_PASSES && moves > partitions.length / LEAST_MOVES);
        return polish.counts.replicas();
    }

    private long pass() {
        long moves = 0;
        for (int i = 0; i < partitions.length; i++) {
            int source = graph.source(i);
            int target = graph.target(i);
            int from = partitions[i];
            int to = best(source, target, from);
            if (to != from) {
                partitions[i] = to;
                loads[from]--;
                loads[to]++;
                counts.remove(source, from);
                counts.remove(target, from);
                counts.add(source, to);
                counts.add(target, to);
                moves++;
            }
        }
        return moves;
    }

    private int best(int source, int target, int from) {
        double leaving = step(counts.count(source, from)) + step(counts.count(target, from));
        int best = from;
        double bestGain = LEAST_GAIN;
        if (source == target) {
            return best; // a self-loop alone has no reason to move
        }
        int sourceEnd = counts.first(source + 1);
        int places = sourceEnd - counts.first(source) + counts.first(target + 1) - counts.first(target);
        for (int i = 0, place = counts.first(source); i < places; i++, place++) {
            if (place == sourceEnd) {
                place = counts.first(target);
            }
            int to = counts.partitionAt(place);
            if (to >= 0 && to != from && loads[to] < maxEdges) {
                double coming = step(counts.count(source, to) + 1) + step(counts.count(target, to) + 1);
                if (leaving - coming > bestGain) {
                    best = to;
                    bestGain = leaving - coming;
                }
            }
        }
        return best;
    }

    /** What the c-th edge of a vertex on a partition adds: c / (c + 1) − (c − 1) / c. */
    private static double step(int count) {
        return 1.0 / ((double) count * (count + 1));
    }
}
