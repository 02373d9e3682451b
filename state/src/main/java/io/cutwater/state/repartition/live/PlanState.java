package io.cutwater.state.repartition.live;

import java.util.Locale;

/** Where a re-partitioning stands. */
public enum PlanState {
    /** The kept edges are read, with their places. */
    COLLECTING,
    /** It is being decided what moves. */
    PLANNING,
    /** Edges change their shards. */
    MOVING,
    /** All that was to move has moved. */
    DONE,
    /** It was ended before its time; what had moved stays. */
    ABORTED,
    /** The job does not do it, and nothing has changed. */
    REFUSED,
    /** It was asked only what would move. */
    PLANNED;

    /** Whether nothing more comes. */
    public boolean isOver() {
        return this != COLLECTING && this != PLANNING && this != MOVING;
    }

    /** As it is written. */
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
