package io.cutwater.state.feedback.bucket;

import io.cutwater.state.edges.EdgeSlots;
import io.cutwater.state.graph.EdgeBatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The removals of a bucket that were asked for and that the assigner has not answered with an update yet: how many of
 * each edge. An answer has one copy more of the edge than removals before it are unanswered, because these may take all
 * the older ones.
 *
 * <pre>
 *   4 bytes  number of edges
 *   each     8 bytes source, 8 bytes target, 4 bytes removals, and the key if an edge has one ({@link #hasKeys})
 * </pre>
 */
public final class PendingRemovals {
    private static final int EDGE_BYTES = 2 * Long.BYTES + Integer.BYTES;

    private final EdgeSlots edges = new EdgeSlots();
    private int[] removals = new int[edges.bound()];

    /** Adds removals of an edge; returns how many there are now. */
    public int ask(long source, long target, long key, int count) {
        int slot = edges.find(source, target, key);
        if (slot == EdgeSlots.NONE) {
            slot = edges.add(source, target, key);
            if (removals.length < edges.bound()) {
                removals = Arrays.copyOf(removals, edges.bound());
            }
            removals[slot] = 0;
        }
        removals[slot] = Math.addExact(removals[slot], count);
        return removals[slot];
    }

    /**
     * The assigner has answered a removal of an edge.
     *
     * @throws IllegalStateException if none is pending
     */
    public void answered(long source, long target, long key) {
        int slot = edges.find(source, target, key);
        if (slot == EdgeSlots.NONE) {
            throw new IllegalStateException(
                    "a removal of edge (%d, %d) is answered that nobody asked for; please report this as a defect"
                            .formatted(source, target));
        }
        if (--removals[slot] == 0) {
            edges.remove(slot);
        }
    }

    /** Receives an edge and how many of its removals are pending. */
    @FunctionalInterface
    public interface Consumer {
        void accept(long source, long target, long key, int removals);
    }

    /** Passes each of some edges, all of which have pending removals, to the consumer once. */
    public void forEachOf(EdgeBatch some, Consumer consumer) {
        BitSet seen = new BitSet();
        for (int i = 0; i < some.size(); i++) {
            int slot = edges.find(some.source(i), some.target(i), some.key(i));
            if (!seen.get(slot)) {
                seen.set(slot);
                consumer.accept(some.source(i), some.target(i), some.key(i), removals[slot]);
            }
        }
    }

    public boolean isEmpty() {
        return edges.size() == 0;
    }

    /** Returns whether an edge has a key; then {@link #writeTo} writes one for each. */
    public boolean hasKeys() {
        boolean hasKeys = false;
        for (int slot : edges.slots()) {
            hasKeys |= edges.key(slot) != EdgeBatch.NO_KEY;
        }
        return hasKeys;
    }

    /** Returns the length of what {@link #writeTo} writes. */
    public int bytes() {
        return Math.addExact(
                Integer.BYTES, Math.multiplyExact(EDGE_BYTES + (hasKeys() ? Long.BYTES : 0), edges.size()));
    }

    public void writeTo(ByteBuffer out) {
        out.putInt(edges.size());
        boolean hasKeys = hasKeys();
        for (int slot : edges.slots()) {
            out.putLong(edges.source(slot)).putLong(edges.target(slot)).putInt(removals[slot]);
            if (hasKeys) {
                out.putLong(edges.key(slot));
            }
        }
    }

    /** Adds what {@link #writeTo} wrote. */
    public void readFrom(ByteBuffer in, boolean hasKeys) {
        for (int count = in.getInt(); count > 0; count--) {
            long source = in.getLong();
            long target = in.getLong();
            int ofEdge = in.getInt();
            ask(source, target, hasKeys ? in.getLong() : EdgeBatch.NO_KEY, ofEdge);
        }
    }
}
