package io.cutwater.state.feedback;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * The time at the start of an attempt in which the assigners send again what earlier attempts have left. With another
 * number of assigners an edge may be another one's now, so new updates wait here until all are done with that: else a
 * removal could come before its edge.
 */
final class CatchingUp {
    private final BitSet[] caughtUp;
    private final List<VertexUpdate> waiting = new ArrayList<>();
    private final int assigners;
    private int bucketsLeft;

    CatchingUp(int buckets, int assigners) {
        this.assigners = assigners;
        caughtUp = Stream.generate(BitSet::new).limit(buckets).toArray(BitSet[]::new);
        bucketsLeft = buckets;
    }

    /** Returns whether all assigners are done in all buckets. */
    boolean isOver() {
        return bucketsLeft == 0;
    }

    /** Keeps an update that came too early; returns whether it did. */
    boolean holds(int bucket, VertexUpdate update) {
        boolean isEarly = bucketsLeft > 0 && caughtUp[bucket].get(update.assigner());
        if (isEarly) {
            waiting.add(update);
        }
        return isEarly;
    }

    /** Takes down that an assigner is done in a bucket; returns what waited if that was the last. */
    List<VertexUpdate> caughtUp(int bucket, int assigner) {
        if (bucketsLeft == 0 || caughtUp[bucket].get(assigner)) {
            return List.of(); // it came twice
        }
        caughtUp[bucket].set(assigner);
        if (caughtUp[bucket].cardinality() == assigners && --bucketsLeft == 0) {
            List<VertexUpdate> all = List.copyOf(waiting);
            waiting.clear();
            return all;
        }
        return List.of();
    }
}
