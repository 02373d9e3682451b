package io.cutwater.state.feedback;

import io.cutwater.state.table.PartitionLoads;
import java.util.Arrays;
import java.util.BitSet;

/** The edges of each assigner by partition, as far as they have told them in this attempt, for news to all of them. */
final class AssignerLoads {
    private final long[][] edges;
    private final BitSet silent = new BitSet(); // assigners that have told nothing
    private final BitSet changed = new BitSet();

    AssignerLoads(int assigners) {
        edges = new long[assigners][0];
        silent.set(0, assigners);
    }

    /** @param ranks as {@link io.cutwater.state.table.TeamLoads#takeChanged} has them */
    void tell(int assigner, long[] ranks) {
        silent.clear(assigner);
        for (long rank : ranks) {
            int partition = PartitionLoads.partitionOf(rank);
            if (partition >= edges[assigner].length) {
                edges[assigner] = Arrays.copyOf(edges[assigner], partition + 1);
            }
            edges[assigner][partition] = PartitionLoads.edgesOf(rank);
            changed.set(partition);
        }
    }

    /** Returns whether there is something new to tell. Before all assigners have told theirs there is not. */
    boolean areDue() {
        return silent.isEmpty() && !changed.isEmpty();
    }

    /** Adds the partitions that have changed to news; see {@link io.cutwater.state.table.TeamLoads#hear}. */
    void write(Views news) {
        long[] loads = new long[2 * changed.cardinality()];
        int at = 0;
        for (int p = changed.nextSetBit(0); p >= 0; p = changed.nextSetBit(p + 1)) {
            long sum = 0;
            for (int assigner = 0; assigner < edges.length; assigner++) {
                sum += edges(assigner, p);
            }
            loads[at++] = PartitionLoads.rankOf(p, sum);
            loads[at++] = edges(news.assigner(), p);
        }
        news.setLoads(loads);
    }

    private long edges(int assigner, int partition) {
        return partition < edges[assigner].length ? edges[assigner][partition] : 0;
    }

    /** All assigners have been told. */
    void told() {
        changed.clear();
    }
}
