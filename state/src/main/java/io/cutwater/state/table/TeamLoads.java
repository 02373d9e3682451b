package io.cutwater.state.table;

import java.util.Arrays;

/**
 * The edges of all assigners on each partition, as one of them knows them: what all have told, and its own since. It
 * knows nothing of replicas.
 *
 * <p>While edges come in runs, partition p is that of assigner p mod A, where that one begins new communities. So it
 * counts its own edges there once. Elsewhere it counts them up to {@value #MOST_WEIGHT} times, because others may place
 * as many there of which it has not heard. If it counted all of them once, partitions would pass the bound of the
 * balance; if it counted each of them A times, a community would have to leave its partition while that is far from
 * full.
 */
public final class TeamLoads {
    private static final int MOST_WEIGHT = 4;

    private final PartitionLoads own;
    private final int assigner;
    private final int assigners;
    private final long[] told;
    private final long[] ofAll;
    private final long[] ownThere;
    private final PartitionLoads seen;
    private boolean hasHeard;
    private boolean hasTold;
    private boolean areRuns;

    /**
     * @param own edges that this assigner has placed, which go on being counted there
     * @param assigner 0 to {@code assigners} − 1
     * @param assigners A, at least 2
     */
    public TeamLoads(PartitionLoads own, int assigner, int assigners) {
        this.own = own;
        this.assigner = assigner;
        this.assigners = assigners;
        told = new long[own.partitionCount()];
        ofAll = new long[own.partitionCount()];
        ownThere = new long[own.partitionCount()];
        seen = new PartitionLoads(own.partitionCount());
    }

    /**
     * Returns the ranks ({@link PartitionLoads#rank}) of the partitions whose own edges have changed since the last
     * call. The first call returns all that have edges, and one in any case.
     */
    public long[] takeChanged() {
        long[] changed = new long[told.length];
        int count = 0;
        for (int p = 0; p < told.length; p++) {
            if (own.edges(p) != told[p] || !hasTold) {
                hasTold = true;
                told[p] = own.edges(p);
                changed[count++] = own.rank(p);
            }
        }
        return Arrays.copyOf(changed, count);
    }

    /**
     * Takes down what all assigners have told.
     *
     * @param loads two longs for each partition that has changed: its rank by the edges of all, and this assigner's
     *     edges among them
     */
    public void hear(long[] loads) {
        for (int i = 0; i < loads.length; i += 2) {
            int partition = PartitionLoads.partitionOf(loads[i]);
            ofAll[partition] = PartitionLoads.edgesOf(loads[i]);
            ownThere[partition] = loads[i + 1];
        }
        boolean isFirst = !hasHeard;
        hasHeard |= Arrays.stream(ofAll).anyMatch(edges -> edges > 0);
        if (hasHeard && (areRuns || isFirst)) {
            count();
        }
    }

    /**
     * Sets whether edges come in runs. If not, this assigner counts each of its edges since it last heard of the others
     * once for each assigner, as if all did the same, and hears no more: so it balances its own edges, beginning with
     * the loads of all.
     */
    public void setRuns(boolean areRuns) {
        if (this.areRuns != areRuns) {
            this.areRuns = areRuns;
            if (hasHeard) {
                count();
            }
        }
    }

    private void count() {
        seen.beginOn(assigner, areRuns ? assigners : 0);
        long[] edges = new long[told.length];
        for (int p = 0; p < edges.length; p++) {
            edges[p] = ofAll[p] + weight(p) * (own.edges(p) - ownThere[p]);
        }
        seen.setEdges(edges);
    }

    private int weight(int partition) {
        if (!areRuns) {
            return assigners;
        }
        return partition % assigners == assigner ? 1 : Math.min(assigners, MOST_WEIGHT);
    }

    /** Counts an edge of this assigner, which {@code own} counts, too. */
    public void addEdge(int partition) {
        if (hasHeard) {
            seen.addEdges(partition, weight(partition));
        }
    }

    /** Returns the loads that a rule is to see: the own ones before anything is heard. */
    public PartitionLoads seen() {
        return hasHeard ? seen : own;
    }
}
