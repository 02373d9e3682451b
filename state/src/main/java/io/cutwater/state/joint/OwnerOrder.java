package io.cutwater.state.joint;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.passes.EdgeCounts;
import io.cutwater.state.rule.VertexPlacement;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;

/** In which order vertices get the owners that were chosen for them, and which of those that have one better move. */
final class OwnerOrder {
    /** Vertices that are at least as sure are equally sure. */
    private static final int MAX_SURE = 1023;

    /** Vertices that found no room are not asked again if fewer than one for so many of them got an owner. */
    private static final int LEAST_ROOM = 64;

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

    /**
     * Returns the surest vertices without an owner whose chosen owner has room, as many as let so many edges go.
     *
     * @param owned vertices that each partition owns; counts the returned ones afterwards
     * @param capacity vertices that a partition may own, by the number that have an owner
     */
    int[] surestFirst(int edges, long[] owned, LongToDoubleFunction capacity) {
        return withRoom(surestFirst(), edges, owned, capacity);
    }

    /**
     * Returns the first of some vertices that have no owner and whose chosen owner has room, as many as let so many
     * edges go. Every vertex that gets its owner makes room, so those that found none are asked again.
     *
     * @param order the vertices; changed
     */
    int[] withRoom(int[] order, int edges, long[] owned, LongToDoubleFunction capacity) {
        BitSet settled = new BitSet(owners.length);
        for (int v = 0; v < before.length; v++) {
            settled.set(v, !isFree(v));
        }
        int[] chosen = new int[order.length];
        int count = 0;
        int free = 0;
        long total = Arrays.stream(owned).sum();
        int waiting = order.length;
        int last;
        do {
            last = count;
            int asked = waiting;
            waiting = 0;
            for (int at = 0; at < asked; at++) {
                int v = order[at];
                if (free < edges && isFree(v)) {
                    if (owned[owners[v]] < Math.floor(capacity.applyAsDouble(total + count + 1))) {
                        owned[owners[v]]++;
                        chosen[count++] = v;
                        settled.set(v);
                        free += edgesTo(settled, v);
                    } else {
                        order[waiting++] = v;
                    }
                }
            }
        } while (free < edges && count - last > waiting / LEAST_ROOM);
        return Arrays.copyOf(chosen, count);
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
