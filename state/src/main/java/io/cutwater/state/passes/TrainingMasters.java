package io.cutwater.state.passes;

import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Spreads the vertices that are trained on over the partitions of an edge placement, by their masters. The master of a
 * vertex is where its first edge is, in the order of the input: there the job puts it.
 *
 * <p>The first edge of a training vertex leaves a partition with too many masters for one with room for them, where
 * this makes fewest replicas; of equally good ones for the one with room for the edge, too, then with fewest masters.
 * Other edges leave a partition that has too many edges now. Passes allow moves that make no replica at first, then up
 * to one, two, three, and end when every partition is within both caps, or when nothing moves any more.
 */
public final class TrainingMasters {
    private static final int MOST_REPLICAS = 3;
    private static final int MAX_PASSES = 12;
    private static final int NOWHERE = -1;

    private final BoundedGraph graph;
    private final EdgePlaces places;
    private final BitSet training;
    private final long maxTraining;
    private final long maxEdges;
    private final long[] loads;
    private final EdgeCounts counts;
    private final long[] masters;

    /**
     * @param training slots of the vertices that are to be spread
     * @param maxTraining masters of them that a partition may have; k times as many are enough for all
     * @param maxEdges edges that a partition may have
     * @param loads edges of each partition, kept up to date
     * @param counts of the vertices, kept up to date
     */
    public TrainingMasters(
            BoundedGraph graph,
            EdgePlaces places,
            BitSet training,
            long maxTraining,
            long maxEdges,
            long[] loads,
            EdgeCounts counts) {
        this.graph = graph;
        this.places = places;
        this.training = training;
        this.maxTraining = maxTraining;
        this.maxEdges = maxEdges;
        this.loads = loads;
        this.counts = counts;
        masters = new long[loads.length];
    }

    /** Makes the passes; training vertices of each partition then. */
    public long[] spread() {
        count();
        int allowed = 0;
        for (int pass = 0; pass < MAX_PASSES && !isWithinCaps(); pass++) {
            if (pass(allowed) == 0 && allowed == MOST_REPLICAS) {
                break;
            }
            allowed = Math.min(MOST_REPLICAS, allowed + 1);
        }
        return masters;
    }

    private boolean isWithinCaps() {
        return Arrays.stream(masters).max().orElse(0) <= maxTraining
                && Arrays.stream(loads).max().orElse(0) <= maxEdges;
    }

    private void count() {
        BitSet waiting = (BitSet) training.clone();
        try (EdgePass edges = graph.edges();
                EdgePlaces.Pass pass = places.pass()) {
            while (edges.next()) {
                masters[pass.next()] += firsts(edges.source(), edges.target(), waiting);
            }
        }
    }

    /** Returns the number of training vertices whose first edge this is, and removes them from those waiting. */
    private static int firsts(int source, int target, BitSet waiting) {
        int firsts = 0;
        if (waiting.get(source)) {
            waiting.clear(source);
            firsts++;
        }
        if (waiting.get(target)) {
            waiting.clear(target);
            firsts++;
        }
        return firsts;
    }

    private long pass(int allowed) {
        BitSet waiting = (BitSet) training.clone();
        long moves = 0;
        try (EdgePass edges = graph.edges();
                EdgePlaces.Pass pass = places.pass()) {
            while (edges.next()) {
                int source = edges.source();
                int target = edges.target();
                int from = pass.next();
                int firsts = firsts(source, target, waiting);
                if (firsts > 0 ? masters[from] > maxTraining : loads[from] > maxEdges) {
                    int to = best(source, target, from, firsts, allowed);
                    if (to != NOWHERE) {
                        pass.set(to);
                        move(source, target, from, to, firsts);
                        moves++;
                    }
                }
            }
        }
        return moves;
    }

    private void move(int source, int target, int from, int to, int firsts) {
        masters[from] -= firsts;
        masters[to] += firsts;
        loads[from]--;
        loads[to]++;
        counts.remove(source, from);
        counts.remove(target, from);
        counts.add(source, to);
        counts.add(target, to);
    }

    private int best(int source, int target, int from, int firsts, int allowed) {
        int freed = freed(source, target, from);
        int best = NOWHERE;
        int bestMade = Integer.MAX_VALUE;
        for (int to = 0; to < loads.length; to++) {
            boolean hasRoom = firsts > 0 ? masters[to] + firsts <= maxTraining : loads[to] < maxEdges;
            if (to != from && hasRoom) {
                int made = made(source, target, to) - freed;
                if (made <= allowed && (made < bestMade || made == bestMade && isBetter(to, best))) {
                    best = to;
                    bestMade = made;
                }
            }
        }
        return best;
    }

    private boolean isBetter(int one, int other) {
        boolean hasOneRoom = loads[one] < maxEdges;
        return hasOneRoom == loads[other] < maxEdges ? masters[one] < masters[other] : hasOneRoom;
    }

    /** Replicas that end when the edge leaves its partition. */
    private int freed(int source, int target, int from) {
        if (source == target) {
            return counts.count(source, from) == 2 ? 1 : 0;
        }
        return (counts.count(source, from) == 1 ? 1 : 0) + (counts.count(target, from) == 1 ? 1 : 0);
    }

    /** Replicas that begin when it comes to another. */
    private int made(int source, int target, int to) {
        int ofSource = counts.count(source, to) == 0 ? 1 : 0;
        return source == target ? ofSource : ofSource + (counts.count(target, to) == 0 ? 1 : 0);
    }
}
