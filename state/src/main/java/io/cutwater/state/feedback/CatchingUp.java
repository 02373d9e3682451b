package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The time at the start of an attempt in which the assigners send again what earlier attempts have left. With another
 * number of assigners an edge may be another one's now, so new updates wait here until all are done with that: else a
 * removal could come before its edge. At its end the degrees of the vertices of buffered edges are corrected, and if
 * there is one assigner, it is told the records that it needs to start.
 */
final class CatchingUp {
    private static final int RESTORED_AT_ONCE = 16 * 1024;

    private final BucketRange range;
    private final int assigners;
    private final long run;
    private final BitSet[] caughtUp;
    private final List<VertexUpdate> waiting = new ArrayList<>();
    private final List<VertexUpdate> corrections = new ArrayList<>();
    private VertexSet wanted = new VertexSet();
    private int bucketsLeft;
    private boolean isAsked;
    private boolean isTold;

    /** @param run of the table */
    CatchingUp(BucketRange range, int assigners, long run) {
        this.range = range;
        this.assigners = assigners;
        this.run = run;
        caughtUp = Stream.generate(BitSet::new).limit(range.size()).toArray(BitSet[]::new);
        bucketsLeft = range.size();
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
        bucketsLeft -= caughtUp[bucket].cardinality() == assigners ? 1 : 0;
        if (isOver()) {
            corrections.forEach(this::correct);
            corrections.clear();
        }
        return isOver();
    }

    /** Changes the degrees of the vertices of buffered edges, which one assigner and several count differently. */
    private void correct(VertexUpdate update) {
        long[] changes = update.hints();
        for (int i = 0; changes != null && i < update.added().size(); i++) {
            if (changes[i] != 0) {
                correct(update.added().vertex(i), changes[i], range.ledger(update.bucket() - range.first()));
            }
        }
    }

    private void correct(long vertex, long change, BucketLedger ledger) {
        VertexTable vertices = range.vertices();
        int slot = vertices.slot(vertex);
        long before = vertices.degree(slot);
        if (before + change < 0) {
            throw new IllegalStateException("vertex %d has %d edges, and %d wait; %s"
                    .formatted(vertex, before, -change, "vertex tables and assigners are not of the same checkpoint"));
        }
        vertices.countEdges(slot, Math.toIntExact(change));
        range.edgesCounted(slot, before, ledger);
    }

    /** Returns, once, the updates that were kept. */
    List<VertexUpdate> takeWaiting() {
        List<VertexUpdate> all = List.copyOf(waiting);
        waiting.clear();
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

    /** Shows the only assigner what it needs to start; see {@link BucketTable#tellRestored}. */
    void tellRestored(Supplier<byte[]> handover, Consumer<Views> answers) {
        if (!isOver() || isTold) {
            return;
        }
        isTold = true;
        long[] told = wanted.toArray();
        wanted = new VertexSet();
        if (!isAsked) {
            return;
        }
        byte @Nullable [] rest = handover.get();
        Views views = new Views();
        for (int from = 0; from < told.length || rest != null; from += RESTORED_AT_ONCE) {
            views.reset(Views.RESTORED, 0, range.first(), run, range.stride());
            views.setHandover(rest);
            rest = null;
            for (int i = from; i < Math.min(told.length, from + RESTORED_AT_ONCE); i++) {
                int slot = range.vertices().slot(told[i]);
                int at = views.addRecord();
                RecordExchange.copy(range.vertices(), slot, views.records(), at);
                range.forgetIfEmpty(slot);
            }
            answers.accept(views);
        }
    }
}
