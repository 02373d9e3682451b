package io.cutwater.state.repartition;

import io.cutwater.state.quality.Quality;

/**
 * When a changing graph is re-partitioned without a command.
 *
 * <p>A check makes a plan, which is carried out or declined. It is due when the share {@code growth} of the edges has
 * changed since the last check; each declined check in a row doubles that share, up to 8 times, so that a well-placed
 * graph is seldom checked. It is due at a quarter of the share when quality is worse than the last plan promised, or
 * the balance is lost. A plan is carried out if it gains more than quality varies by chance between two checks, so that
 * nothing moves to and fro.
 *
 * @param growth by what share of its edges the graph has to change until the next check, above 0
 * @param tolerance by what share copies may be above what the last plan promised, from 0 on
 * @param maxBalance the fullest partition over the average that is put up with, from 1 on
 * @param leastGain copies that a plan has to save to be carried out, as a share of all, from 0 on
 */
public record DriftRule(double growth, double tolerance, double maxBalance, double leastGain) {
    /** Rounds of 5 % of the edges at this pace keep a stream within a tenth of passes over everything. */
    public static final DriftRule USUAL = new DriftRule(0.05, 0.05, 1.5, 0.01);

    private static final int MOST_DOUBLINGS = 3;
    private static final double EARLY = 0.25;

    public DriftRule {
        if (!(growth > 0 && tolerance >= 0 && maxBalance >= 1 && leastGain >= 0)) {
            throw new IllegalArgumentException(
                    "growth must be above 0, tolerance and leastGain from 0 on, maxBalance from 1 on: %s, %s, %s, %s"
                            .formatted(growth, tolerance, leastGain, maxBalance));
        }
    }

    /**
     * Returns whether a check is due.
     *
     * @param edges now
     * @param now quality of the placement
     */
    public boolean isDue(long edges, DriftCheck last, Quality now) {
        if (edges == 0) {
            return false;
        }
        double change = last.edges() == 0 ? Double.POSITIVE_INFINITY : Math.abs((double) edges / last.edges() - 1);
        double least = growth * (1 << Math.min(last.declined(), MOST_DOUBLINGS));
        boolean isLost = now.replicationFactor() > last.promised() * (1 + tolerance) || now.loadBalance() > maxBalance;
        return change >= (isLost ? least * EARLY : least);
    }

    /** Returns whether a plan is worth carrying out. */
    public boolean moves(RepartitionPlan plan) {
        boolean levels = plan.before().loadBalance() > maxBalance
                && plan.expected().loadBalance() < plan.before().loadBalance();
        return plan.moves() > 0
                && (levels
                        || plan.expected().replicationFactor() <= plan.before().replicationFactor() * (1 - leastGain));
    }
}
