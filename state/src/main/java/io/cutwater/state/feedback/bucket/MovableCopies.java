package io.cutwater.state.feedback.bucket;

import io.cutwater.state.edges.EdgeSlots;
import io.cutwater.state.graph.EdgeBatch;
import java.util.Arrays;

/**
 * Copies of edges that are about to move. The assigner asks the table of each edge's source for the oldest copies on a
 * partition, as many as are to leave it. While it waits for the answer, and until it has moved them, copies may be
 * removed: then it no longer knows which copy is the oldest, so the edge is stale and must be asked for again. Copies
 * that are added meanwhile are the latest and change nothing.
 */
public final class MovableCopies {
    private final EdgeSlots edges = new EdgeSlots();
    private int[] from = new int[edges.bound()];
    private int[] wanted = new int[edges.bound()];
    private int[] next = new int[edges.bound()];
    private int[] end = new int[edges.bound()];
    private boolean[] isStale = new boolean[edges.bound()];
    private final EdgeBatch copies = new EdgeBatch(1);
    private int taken;

    /**
     * Wants one more copy of an edge.
     *
     * @return false if copies on another partition are wanted already: the first moves might change which is the oldest
     */
    public boolean want(long source, long target, int partition) {
        int slot = edges.find(source, target, EdgeBatch.NO_KEY);
        if (slot == EdgeSlots.NONE) {
            slot = edges.add(source, target, EdgeBatch.NO_KEY);
            ensureColumns();
            from[slot] = partition;
        } else if (from[slot] != partition) {
            return false;
        }
        wanted[slot]++;
        return true;
    }

    private void ensureColumns() {
        int bound = edges.bound();
        if (from.length < bound) {
            from = Arrays.copyOf(from, bound);
            wanted = Arrays.copyOf(wanted, bound);
            next = Arrays.copyOf(next, bound);
            end = Arrays.copyOf(end, bound);
            isStale = Arrays.copyOf(isStale, bound);
        }
    }

    /** Returns the wanted edges, one row for each copy, with the partition that it is to leave as its place. */
    public EdgeBatch wanted() {
        EdgeBatch rows = new EdgeBatch(Math.max(1, edges.size()));
        for (int slot : edges.slots()) {
            for (int i = 0; i < wanted[slot]; i++) {
                rows.add(edges.source(slot), edges.target(slot));
                rows.setPlace(rows.size() - 1, from[slot]);
            }
        }
        return rows;
    }

    /** Adds what a table has of them, the copies of each edge together. */
    public void load(EdgeBatch answer) {
        for (int i = 0; i < answer.size(); i++) {
            int slot = edges.find(answer.source(i), answer.target(i), EdgeBatch.NO_KEY);
            if (end[slot] == next[slot]) {
                next[slot] = copies.size();
            }
            copies.addFrom(answer, i);
            end[slot] = copies.size();
        }
    }

    /** A copy of an edge was removed. */
    void removed(long source, long target) {
        int slot = edges.find(source, target, EdgeBatch.NO_KEY);
        if (slot != EdgeSlots.NONE) {
            isStale[slot] = true;
        }
    }

    /** Returns whether an edge must be asked for again before it can move. */
    public boolean isStale(long source, long target) {
        return isStale[edges.find(source, target, EdgeBatch.NO_KEY)];
    }

    /** Takes the next copy of an edge; false if there is none on that partition. */
    boolean take(long source, long target, int partition) {
        int slot = edges.find(source, target, EdgeBatch.NO_KEY);
        if (slot == EdgeSlots.NONE || isStale[slot] || from[slot] != partition || next[slot] == end[slot]) {
            return false;
        }
        next[slot]++;
        taken = next[slot] - 1;
        return true;
    }

    double weight() {
        return copies.weight(taken);
    }

    long timestamp() {
        return copies.timestamp(taken);
    }

    long key() {
        return copies.key(taken);
    }
}
