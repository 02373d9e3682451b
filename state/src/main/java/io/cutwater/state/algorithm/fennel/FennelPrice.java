package io.cutwater.state.algorithm.fennel;

import io.cutwater.state.rule.OwnerLoads;

/** The price of a partition's size, in neighbours, by Fennel's rule with running n and m. */
public final class FennelPrice {
    private final double gamma;
    private double factor;

    public FennelPrice(double gamma) {
        this.gamma = gamma;
    }

    /** Prepares the price for a vertex at which {@code degree} ends of edges are known. */
    public void prepare(int degree, OwnerLoads loads) {
        double n = loads.totalOwned() + 1.0;
        double m = loads.openEdges() + degree;
        factor = m * Math.pow(loads.partitionCount(), gamma - 1) / Math.pow(n, gamma) * gamma;
    }

    public double of(int partition, OwnerLoads loads) {
        return factor * Math.pow(loads.owned(partition), gamma - 1);
    }
}
