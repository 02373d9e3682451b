package io.cutwater.state.joint;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.rule.VertexPlacement;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;

/** In which order vertices get the owners that were chosen for them, and which of those that have one better move. */
final class OwnerOrder {
    /** Vertices that are at least as sure are equally sure. */
    private static final int MAX_SURE = 1023;

    private final AdjacencyGraph graph;
    private final EdgeCounts counts;
    private final int[] degrees;
    private final int[] owners;
    private final int[] before;
    private final int[] placed;

    /**
     * @param graph of the vertices, with the buffered edges between them
     * @param counts other edges of each vertex, by the owner of their other end
     * @param degrees sums of these
     * @param owners that were chosen
     * @param before owners that the vertices have, −1 for none; empty if none has one
     * @param placed edges of those that have one
     */
    OwnerOrder(AdjacencyGraph graph, EdgeCounts counts, int[] degrees, int[] owners, int[] before, int[] placed) {
        this.graph = graph;
        this.counts = counts;
        this.degrees = degrees;
        this.owners = owners;
        this.before = before;
        this.placed = placed;
    }

    private boolean isFree(int number) {
        return before.length == 0 || before[number] == VertexPlacement.NOWHERE;
    }

    /** Returns the surest vertices without an owner, as many as let so many edges go. */
    int[] surestFirst(int edges) {
        int[] order = surestFirst();
        BitSet settled = new BitSet(order.length);
        for (int v = 0; v < before.length; v++) {
            settled.set(v, !isFree(v));
        }
        int count = 0;
        int free = 0;
        for (int at = 0; free < edges && at < order.length; at++) {
            int v = order[at];
            if (isFree(v)) {
                order[count++] = v;
                settled.set(v);
                free += edgesTo(settled, v);
            }
        }
        return Arrays.copyOf(order, count);
    }

    /** Returns the edges of a vertex whose other end has its owner. */
    private int edgesTo(BitSet settled, int vertex) {
        int count = degrees[vertex];
        int loops = 0;
        for (int at = graph.offset(vertex); at < graph.offset(vertex + 1); at++) {
            int neighbour = graph.neighbours()[at];
            count += settled.get(neighbour) && neighbour != vertex ? 1 : 0;
            loops += neighbour == vertex ? 1 : 0;
        }
        return count + loops / 2;
    }

    private int[] surestFirst() {
        short[] keys = new short[owners.length];
        int[] starts = new int[MAX_SURE + 2];
        for (int v = 0; v < keys.length; v++) {
            int sure = counts.count(v, owners[v]) + neighbours(v, owners[v]);
            keys[v] = (short) (MAX_SURE - Math.min(MAX_SURE, sure));
            starts[keys[v] + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int[] order = new int[keys.length];
        for (int v = 0; v < keys.length; v++) {
            order[starts[keys[v]]++] = v;
        }
        return order;
    }

    /** Returns the edges of a vertex to those whose chosen owner is a partition. */
    private int neighbours(int vertex, int owner) {
        int count = 0;
        for (int at = graph.offset(vertex); at < graph.offset(vertex + 1); at++) {
            count += owners[graph.neighbours()[at]] == owner ? 1 : 0;
        }
        return count;
    }

    /**
     * Returns the vertices that better move: each would have more edges to vertices of its chosen owner than to those
     * of its present one when all have their chosen owner. Those that gain most for each edge that moves come first.
     *
     * @param leastGain what a move must gain, as a share of the edges that move
     */
    int[] moves(double leastGain) {
        int[] candidates = IntStream.range(0, before.length)
                .filter(v -> !isFree(v) && owners[v] != before[v])
                .toArray();
        double[] gains = new double[before.length];
        for (int v : candidates) {
            int gain = counts.count(v, owners[v])
                    + neighbours(v, owners[v])
                    - counts.count(v, before[v])
                    - neighbours(v, before[v]);
            gains[v] = (double) gain / Math.max(1, placed[v]);
        }
        return Arrays.stream(candidates)
                .filter(v -> gains[v] >= leastGain)
                .boxed()
                .sorted(Comparator.comparingDouble(v -> -gains[v]))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
