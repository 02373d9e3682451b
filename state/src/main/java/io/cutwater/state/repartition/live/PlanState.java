package io.cutwater.state.repartition.live;

import java.util.Locale;

/** The state of a re-partitioning. */
public enum PlanState {
    /** The kept edges are read, with their places. */
    COLLECTING,
    /** The plan is being computed. */
    PLANNING,
    /** Edges change their shards. */
    MOVING,
    /** Every planned move was made. */
    DONE,
    /** The re-partitioning was cancelled; moved edges stay where they are. */
    ABORTED,
    /** The job does not do it, and nothing has changed. */
    REFUSED,
    /** The plan was computed and not carried out, as requested. */
    PLANNED;

    /** Returns whether the state is final. */
    public boolean isOver() {
        return this != COLLECTING && this != PLANNING && this != MOVING;
    }

    /** Returns the name in records and commands. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException with one sentence if it is none */
    public static PlanState of(String label) {
        for (PlanState state : values()) {
            if (state.label().equals(label)) {
                return state;
            }
        }
        throw new IllegalArgumentException("state of the plan is not known: '%s'".formatted(label));
    }
}
