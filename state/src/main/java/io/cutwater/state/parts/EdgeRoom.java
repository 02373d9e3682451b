package io.cutwater.state.parts;

import io.cutwater.state.graph.BoundedGraph;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Edges that partitions may take. Between two exchanges each part of a graph has an even share of what is left, so the
 * cap holds whatever the others do; and it frees an even share of what is too much. A whole graph has all of it.
 */
public final class EdgeRoom {
    private final long max;
    private final @Nullable GraphPart part;
    private final long[] caps;
    private final long[] floors;
    private int turn;

    /** @param max edges that a partition may have, of all parts together */
    public EdgeRoom(BoundedGraph graph, long max, int partitionCount) {
        this.max = max;
        part = GraphPart.of(graph);
        caps = new long[partitionCount];
        floors = new long[partitionCount];
        Arrays.fill(caps, max);
        Arrays.fill(floors, max);
    }

    /** Shares out what is left. @param edges of each partition, in all parts */
    public void share(long[] edges) {
        if (part == null) {
            return;
        }
        int parts = part.parts();
        int rank = (part.part() + turn++) % parts;
        for (int p = 0; p < caps.length; p++) {
            long left = max - edges[p];
            long share = Math.abs(left) / parts + (rank < Math.abs(left) % parts ? 1 : 0);
            caps[p] = left > 0 ? edges[p] + share : max;
            floors[p] = left < 0 ? edges[p] - share : max;
        }
    }

    /** Gives one part all that is left, and the others nothing. @param edges of each partition, in all parts */
    public void giveTo(int only, long[] edges) {
        for (int p = 0; p < caps.length && part != null; p++) {
            caps[p] = part.part() == only ? max : Math.min(edges[p], max);
        }
    }

    /** Returns the edges from which a partition takes no more. */
    public long cap(int partition) {
        return caps[partition];
    }

    /** Returns the edges above which a partition must lose some. */
    public long floor(int partition) {
        return floors[partition];
    }

    /** Returns the edges that a partition may have, of all parts together. */
    public long max() {
        return max;
    }
}
