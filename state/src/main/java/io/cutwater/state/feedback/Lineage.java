package io.cutwater.state.feedback;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A series of updates: for each bucket the last sequence number given, and the updates that are not confirmed yet. It
 * belongs to one assigner at a time, and is handed on when their number changes.
 */
public final class Lineage {
    private final long id;
    private final long[] lastSequence;
    private final List<Deque<VertexUpdate>> unconfirmed;

    /** @param id random, so that no two are ever the same in a job's life */
    public Lineage(long id, int buckets) {
        this(id, new long[buckets], List.of());
    }

    /**
     * A lineage out of a checkpoint.
     *
     * @param lastSequence per bucket, 0 for none; taken over
     * @param unconfirmed in the order of their sequence within each bucket
     */
    public Lineage(long id, long[] lastSequence, List<VertexUpdate> unconfirmed) {
        this.id = id;
        this.lastSequence = lastSequence;
        this.unconfirmed = new ArrayList<>(lastSequence.length);
        for (int bucket = 0; bucket < lastSequence.length; bucket++) {
            this.unconfirmed.add(new ArrayDeque<>(0));
        }
        for (VertexUpdate update : unconfirmed) {
            this.unconfirmed.get(update.bucket()).add(update);
        }
    }

    public long id() {
        return id;
    }

    long nextSequence(int bucket) {
        return ++lastSequence[bucket];
    }

    /** The last sequence number given in each bucket; a copy. */
    public long[] lastSequences() {
        return lastSequence.clone();
    }

    long lastSequence(int bucket) {
        return lastSequence[bucket];
    }

    Deque<VertexUpdate> unconfirmed(int bucket) {
        return unconfirmed.get(bucket);
    }

    /** Returns the updates that the table has not confirmed, bucket by bucket. */
    public List<VertexUpdate> unconfirmed() {
        List<VertexUpdate> all = new ArrayList<>();
        unconfirmed.forEach(all::addAll);
        return all;
    }
}
