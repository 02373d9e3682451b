package io.cutwater.state.plan;

import java.util.Arrays;

/**
 * The input of a planner: a quotient graph, and the cost of moving each cluster from its home. The cost of a plan is
 * the weight of the cut edges and the cost of every cluster that is elsewhere.
 *
 * @param homes the present partition of each cluster, {@link #NOWHERE} for none
 * @param homeCosts what it costs to have the cluster elsewhere, in cut edges
 */
record PlanProblem(QuotientGraph graph, int[] homes, double[] homeCosts) {
    static final int NOWHERE = -1;

    /** The cost of moving what stands for a partition: more than anything can gain. */
    private static final double PINNED = 1e15;

    static PlanProblem of(QuotientGraph graph, PlanRequest request) {
        int[] homes = request.present();
        double[] homeCosts = new double[graph.clusterCount()];
        if (homes == null) {
            homes = new int[graph.clusterCount()];
            Arrays.fill(homes, NOWHERE);
        } else if (homes.length != graph.clusterCount()) {
            throw new IllegalArgumentException("the present plan must have a partition for each of %d clusters: %d"
                    .formatted(graph.clusterCount(), homes.length));
        } else {
            homes = homes.clone();
            for (int c = 0; c < homes.length; c++) {
                // A partition that was removed, since k was lowered, is no home.
                homes[c] = homes[c] < request.partitionCount() ? homes[c] : NOWHERE;
                homeCosts[c] = request.moveCost() * graph.volumes()[c];
            }
        }
        if (request.rooms() != null) {
            int first = homes.length - request.partitionCount();
            for (int p = 0; p < request.partitionCount(); p++) {
                homes[first + p] = p;
                homeCosts[first + p] = PINNED;
            }
        }
        return new PlanProblem(graph, homes, homeCosts);
    }

    int clusterCount() {
        return graph.clusterCount();
    }

    /** The problem of the groups of a coarsening, all clusters of a group having the same home. */
    PlanProblem of(QuotientGraph groupGraph, int[] groups) {
        int[] groupHomes = new int[groupGraph.clusterCount()];
        double[] groupCosts = new double[groupHomes.length];
        for (int c = 0; c < groups.length; c++) {
            groupHomes[groups[c]] = homes[c];
            groupCosts[groups[c]] += homeCosts[c];
        }
        return new PlanProblem(groupGraph, groupHomes, groupCosts);
    }

    double cost(int[] partitions) {
        double cost = graph.cut(partitions);
        for (int c = 0; c < partitions.length; c++) {
            cost += homes[c] != NOWHERE && homes[c] != partitions[c] ? homeCosts[c] : 0;
        }
        return cost;
    }
}
