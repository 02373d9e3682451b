package io.cutwater.state.joint;

import io.cutwater.state.graph.VertexSlots;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** The copies of each of some edges, to be taken in their order. */
public final class EdgeCopies {
    /** Every edge is its only copy. */
    public static final EdgeCopies NONE = new EdgeCopies(new int[0], new int[0], new int[0]);

    private static final int END = -1;

    private final int[] groups;
    private final int[] oldest; // of each group
    private final int[] next; // copy of each edge

    private EdgeCopies(int[] groups, int[] oldest, int[] next) {
        this.groups = groups;
        this.oldest = oldest;
        this.next = next;
    }

    /** @param endpoints of edges 0 to {@code count} − 1, the oldest first; equal numbers for copies */
    static EdgeCopies of(int count, IntToLongFunction endpoints) {
        VertexSlots slots = new VertexSlots(count);
        int[] groups = new int[count];
        int[] oldest = new int[count];
        int[] next = new int[count];
        Arrays.fill(oldest, END);
        for (int edge = count - 1; edge >= 0; edge--) {
            int group = slots.slot(endpoints.applyAsLong(edge));
            groups[edge] = group;
            next[edge] = oldest[group];
            oldest[group] = edge;
        }
        return new EdgeCopies(groups, oldest, next);
    }

    /** Takes the oldest copy of an edge that is not taken yet; as often as there are copies. */
    public int takeOldest(int edge) {
        if (groups.length == 0) {
            return edge;
        }
        int group = groups[edge];
        int copy = oldest[group];
        oldest[group] = next[copy];
        return copy;
    }
}
