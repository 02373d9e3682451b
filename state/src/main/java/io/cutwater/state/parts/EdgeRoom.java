package io.cutwater.state.parts;

import io.cutwater.state.graph.BoundedGraph;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What partitions may take: edges, vertices or volume. Between two exchanges each part of a graph has an even share of
 * what is left, so the cap holds whatever the others do; and it frees an even share of what is too much. A whole graph
 * has all of it.
 */
public final class EdgeRoom {
    private final long[] max;
    private final @Nullable GraphPart part;
    private final long[] caps;
    private final long[] floors;
    private int turn;

    /** @param max what each of so many partitions may have, of all parts together */
    public EdgeRoom(@Nullable BoundedGraph graph, long max, int partitionCount) {
        this(graph, LongStream.generate(() -> max).limit(partitionCount).toArray());
    }

    /** @param max what each partition may have, of all parts together */
    public EdgeRoom(@Nullable BoundedGraph graph, long[] max) {
        this.max = max.clone();
        part = graph == null ? null : GraphPart.of(graph);
        caps = max.clone();
        floors = max.clone();
    }

    /** Shares out what is left. @param loads of each partition, in all parts */
    public void share(long[] loads) {
        if (part == null) {
            return;
        }
        int parts = part.parts();
        int rank = (part.part() + turn++) % parts;
        for (int p = 0; p < caps.length; p++) {
            long left = max[p] - loads[p];
            long share = Math.abs(left) / parts + (rank < Math.abs(left) % parts ? 1 : 0);
            caps[p] = left > 0 ? loads[p] + share : max[p];
            floors[p] = left < 0 ? loads[p] - share : max[p];
        }
    }

    /** Gives one part all that is left, and the others nothing. @param loads of each partition, in all parts */
    public void giveTo(int only, long[] loads) {
        for (int p = 0; p < caps.length && part != null; p++) {
            caps[p] = part.part() == only ? max[p] : Math.min(loads[p], max[p]);
        }
    }

    /** Returns what a partition may have, of all parts together. */
    public long max(int partition) {
        return max[partition];
    }

    /** Returns the load from which a partition takes no more. */
    public long cap(int partition) {
        return caps[partition];
    }

    /** Returns the load above which a partition must lose some. */
    public long floor(int partition) {
        return floors[partition];
    }
}
