package io.cutwater.state.parts;

import org.jspecify.annotations.Nullable;

/** Runs what is due between two steps of a pass, the same number of times in all parts, and the rest at its end. */
final class PassTurns {
    private final @Nullable Runnable between;
    private final long steps;
    private final int rounds;
    private int made;

    /**
     * @param between null for nothing
     * @param steps of the pass in this part
     * @param rounds how often it runs in a pass
     */
    PassTurns(@Nullable Runnable between, long steps, int rounds) {
        this.between = between;
        this.steps = steps;
        this.rounds = rounds;
    }

    /** Runs what is due before a step, 0 to {@code steps} − 1. */
    void before(long step) {
        while (between != null && (made + 1) * steps <= step * rounds) {
            made++;
            between.run();
        }
    }

    /** Ends the pass; does nothing if it has ended before. */
    void end() {
        while (between != null && made < rounds) {
            made++;
            between.run();
        }
    }
}
