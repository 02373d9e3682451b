package io.cutwater.flink.repartition;

import io.cutwater.state.quality.EdgeQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.VertexQuality;
import java.util.Map;

/**
 * When a job looks for another plan by itself, and whether a plan is worth its moves. It looks when the placement has
 * become worse by {@value #WORSE} of what it was when it last looked, in copies or in balance, and a tenth of the edges
 * have changed since: a plan takes a pass over all of them. A plan is carried out if it makes copies or balance better
 * by {@value #GAIN}, which is less than the loss that leads to a look, so that what is gained is not looked at again
 * soon.
 *
 * <p>Copies are the replication factor, in a vertex partitioning the one with full neighbours; balance is that of
 * edges, or of volume.
 */
public final class DriftRule {
    static final double WORSE = .05;
    static final double GAIN = .03;
    private static final double CHANGED = .1;
    private static final long FEWEST_EDGES = 1_000;
    private static final String BALANCE_OF_EDGES = "edgeBalance";

    private DriftRule() {}

    /**
     * What the placement was like when the job last looked.
     *
     * @param copies at least 1; 0 if it has never looked
     * @param balance at least 1
     */
    public record Look(double copies, double balance, long edges) {
        static final Look NEVER = new Look(0, 0, 0);

        static Look at(Quality quality) {
            if (quality instanceof VertexQuality ofVertices) {
                return new Look(
                        ofVertices.replicationFactorFullNeighbours(), ofVertices.volumeBalance(), ofVertices.edges());
            }
            EdgeQuality ofEdges = (EdgeQuality) quality;
            return new Look(ofEdges.replicationFactor(), ofEdges.edgeBalance(), ofEdges.edges());
        }
    }

    /** Whether it is time to look again. */
    static boolean isDue(Look last, Look now) {
        long changed = Math.abs(now.edges() - last.edges());
        if (now.edges() < FEWEST_EDGES || changed < CHANGED * now.edges()) {
            return false;
        }
        return now.copies() > last.copies() * (1 + WORSE) || now.balance() > last.balance() * (1 + WORSE);
    }

    /**
     * Whether a plan is worth its moves.
     *
     * @param before ratios by their names in the report
     * @param expected likewise
     */
    static boolean isWorthIt(Map<String, Double> before, Map<String, Double> expected) {
        boolean isOfEdges = before.containsKey(BALANCE_OF_EDGES);
        String copies = isOfEdges ? "replicationFactor" : "replicationFactorFullNeighbours";
        String balance = isOfEdges ? BALANCE_OF_EDGES : "volumeBalance";
        return gain(before, expected, copies) >= GAIN
                || gain(before, expected, balance) >= GAIN && gain(before, expected, copies) > -GAIN;
    }

    /** How much smaller a ratio becomes, as a share of it. */
    private static double gain(Map<String, Double> before, Map<String, Double> expected, String name) {
        double now = before.getOrDefault(name, 1.0);
        return (now - expected.getOrDefault(name, now)) / now;
    }
}
