package io.cutwater.state.algorithm.greedy;

import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;

/**
 * PowerGraph's greedy rule (Gonzalez et al.: PowerGraph, OSDI 2012, section 5.2.1), in four cases: a partition that
 * holds both ends; else one that holds the end with more edges ahead; else one that holds the other end; else any. Of
 * the partitions that a case leaves, the least loaded, and of those the lowest.
 *
 * <p>In {@link PassMode#BULK} "edges ahead" are the remaining edges, as in the paper: final degree minus the edges
 * seen, the present one included. In {@link PassMode#LIVE} nobody knows them, and the edges seen so far stand in: who
 * had many will have many. If both ends have equally many, the source counts as the one with more.
 *
 * <p>There is no bound on the load: an order in which every edge touches a vertex seen before, such as a sorted file of
 * a connected graph, puts nearly everything on a few partitions.
 */
public final class GreedyPartitioner implements EdgePartitioner {
    private static final long NONE = Long.MAX_VALUE;

    private final boolean hasFinalDegrees;

    public GreedyPartitioner(PartitionerOptions options) {
        hasFinalDegrees = options.passMode() == PassMode.BULK;
    }

    @Override
    public boolean needsFinalDegrees() {
        return hasFinalDegrees;
    }

    @Override
    public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
        long best = leastLoadedWithBoth(vertices, source, target, loads);
        if (best == NONE) {
            boolean sourceFirst = edgesAhead(vertices, source) >= edgesAhead(vertices, target);
            int first = sourceFirst ? source : target;
            best = leastLoadedWithBoth(vertices, first, first, loads);
            if (best == NONE) {
                int second = sourceFirst ? target : source;
                best = leastLoadedWithBoth(vertices, second, second, loads);
            }
        }
        return best == NONE ? loads.leastLoaded() : PartitionLoads.partitionOf(best);
    }

    private long edgesAhead(VertexColumns vertices, int slot) {
        long seen = vertices.degree(slot);
        return hasFinalDegrees ? vertices.finalDegree(slot) - seen : seen;
    }

    /** The smallest rank of a partition that holds both, or {@link #NONE}. */
    private static long leastLoadedWithBoth(VertexColumns vertices, int one, int other, PartitionLoads loads) {
        long best = NONE;
        int words = vertices.replicaWords();
        for (int word = 0; word < words; word++) {
            long holders = vertices.replicaWord(one, word) & vertices.replicaWord(other, word);
            best = loads.smallestRank(word, holders, best);
        }
        return best;
    }
}
