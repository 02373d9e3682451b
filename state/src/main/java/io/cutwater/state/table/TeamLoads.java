package io.cutwater.state.table;

import java.util.Arrays;

/**
 * The edges of all assigners on each partition, as one of them knows them: what all have told, and its own since. It
 * knows nothing of replicas.
 *
 * <p>While an assigner is alone, because the others have yet to begin, it counts each of its edges once, so it sees
 * what the only assigner of a job sees.
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
    private final double shareOfRuns;
    private final int assigner;
    private final int assigners;
    private final long[] told;
    private final long[] ofAll;
    private final long[] ownThere;
    private final PartitionLoads seen;
    private boolean hasHeard;
    private boolean hasTold;
    private boolean hasBegun;
    private boolean isAlone;
    private boolean areRuns;

    /**
     * @param own edges that this assigner has placed, which go on being counted there
     * @param shareOfRuns see {@link #shareOfRuns}
     * @param assigner 0 to {@code assigners} − 1
     * @param assigners A, at least 2
     */
    public TeamLoads(PartitionLoads own, double shareOfRuns, int assigner, int assigners) {
        this.own = own;
        this.shareOfRuns = shareOfRuns;
        this.assigner = assigner;
        this.assigners = assigners;
        told = new long[own.partitionCount()];
        ofAll = new long[own.partitionCount()];
        ownThere = new long[own.partitionCount()];
        seen = new PartitionLoads(own.partitionCount());
    }

    /** Returns how many edges may be on their way while edges come in runs, as a share of the edges so far. */
    public double shareOfRuns() {
        return shareOfRuns;
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
        if (hasHeard && (areRuns || isAlone || !hasBegun || isFirst)) {
            count();
        }
    }

    /**
     * Says what the next edges are like. If others place edges, too, and edges do not come in runs, this assigner
     * counts each of its edges once for each assigner, as if all did the same, and hears no more: so it balances its
     * own edges, beginning with the loads of all.
     *
     * @param isAlone whether the other assigners have yet to begin
     * @param areRuns whether edges come in runs and the others have begun
     */
    public void setOrder(boolean isAlone, boolean areRuns) {
        boolean isCounted = isAlone && !this.isAlone || areRuns != this.areRuns;
        this.isAlone = isAlone;
        this.areRuns = areRuns;
        if (isCounted && hasHeard) {
            count();
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
            return isAlone ? 1 : assigners;
        }
        return partition % assigners == assigner ? 1 : Math.min(assigners, MOST_WEIGHT);
    }

    /** Counts an edge of this assigner, which {@code own} counts, too. */
    public void addEdge(int partition) {
        hasBegun = true;
        if (hasHeard) {
            seen.addEdges(partition, weight(partition));
        }
    }

    /** Returns the loads that a rule is to see: the own ones before anything is heard. */
    public PartitionLoads seen() {
        return hasHeard ? seen : own;
    }
}
