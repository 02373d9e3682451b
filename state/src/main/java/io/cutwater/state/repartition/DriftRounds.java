package io.cutwater.state.repartition;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.quality.Quality;
import java.io.IOException;

/** A stream that is re-partitioned by a rule, for tests and measurements. */
public final class DriftRounds {
    /** Growth of the graph between two checks of the rule. */
    private static final double ASKED = 0.025;

    private final PlacedGraph placed;
    private final DriftRule rule;
    private final double budget;
    private int made;
    private long moved;

    /** @param budget edges that may move in a round, as a share of all */
    public DriftRounds(PlacedGraph placed, DriftRule rule, double budget) {
        this.placed = placed;
        this.rule = rule;
        this.budget = budget;
    }

    /**
     * Places a whole graph.
     *
     * @param from edges that are placed before the rule is asked for the first time
     */
    public void run(EdgeBatch graph, int from) throws IOException, InterruptedException {
        placed.live(graph, 0, from);
        DriftCheck last = DriftCheck.NEVER;
        for (int at = from; at < graph.size(); ) {
            Quality now = placed.quality();
            if (rule.isDue(at, last, now)) {
                last = last.at(at);
                RepartitionPlan plan = placed.repartition(placed.partitions(), budget, rule::moves);
                if (rule.moves(plan)) {
                    last = last.carriesOut(plan);
                    made++;
                    moved += plan.edgesToMove();
                } else {
                    last = last.declines();
                }
            }
            int next = (int) Math.min(graph.size(), Math.ceil(at * (1 + ASKED)));
            placed.live(graph, at, next);
            at = next;
        }
        placed.placeHeld();
    }

    /** Plans that were carried out. */
    public int made() {
        return made;
    }

    /** Edges that moved in all rounds. */
    public long moved() {
        return moved;
    }
}
