package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.VertexBatch;
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
    private final List<VertexUpdate> corrections = new ArrayList<>();
    private VertexSet wanted = new VertexSet();
    private final int assigners;
    private int bucketsLeft;
    private boolean isAsked;
    private boolean isTold;

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

    /** Takes down that an assigner is done in a bucket; returns whether it was the last one. */
    boolean caughtUp(int bucket, VertexUpdate update) {
        if (bucketsLeft == 0 || caughtUp[bucket].get(update.assigner())) {
            return false; // it came twice
        }
        caughtUp[bucket].set(update.assigner());
        corrections.add(update);
        isAsked |= update.asksForRecords();
        want(update.added());
        return caughtUp[bucket].cardinality() == assigners && --bucketsLeft == 0;
    }

    /** Returns, once, what the assigners have said when they were done. */
    List<VertexUpdate> takeCorrections() {
        return take(corrections);
    }

    /** Returns, once, the updates that were kept. */
    List<VertexUpdate> takeWaiting() {
        return take(waiting);
    }

    private static List<VertexUpdate> take(List<VertexUpdate> from) {
        List<VertexUpdate> all = List.copyOf(from);
        from.clear();
        return all;
    }

    /** Takes down vertices that the only assigner, if there is one, needs to know before it starts. */
    void want(VertexBatch vertices) {
        for (int i = 0; i < vertices.size(); i++) {
            want(vertices.vertex(i));
        }
    }

    void want(long vertex) {
        if (!isTold && assigners == 1) {
            wanted.addIfAbsent(vertex);
        }
    }

    /** Returns, once, the vertices that the only assigner needs to know. */
    long[] takeWanted() {
        long[] all = wanted.toArray();
        wanted = new VertexSet();
        return all;
    }

    /** Returns whether it is over, and the only assigner waits for what it has asked for; true once. */
    boolean takeUntold() {
        boolean isDue = isOver() && !isTold;
        isTold |= isDue;
        return isDue && isAsked;
    }
}
