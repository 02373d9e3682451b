package io.cutwater.state.joint;

import java.util.Arrays;

/**
 * The edges of a buffer at each vertex that owners are chosen for, the oldest first, side by side: so a vertex that
 * gets its owner needs no walk along the chain of its edges, which are anywhere in a large buffer.
 */
public final class WaitingEdges {
    private final long[] ids; // of the endpoints
    private final int[] slots; // of the endpoints
    private final int[] starts; // in the columns, of each vertex
    private final int[] edges; // twice the number, and 1 more at the target
    private final int[] others; // endpoint at the other end

    /**
     * @param ids of the endpoints of all edges
     * @param slots where a table has these
     * @param sources, targets endpoints of each edge
     * @param numbers of the endpoints that owners are chosen for, 0 to {@code count} − 1; negative for the others
     */
    WaitingEdges(long[] ids, int[] slots, int[] sources, int[] targets, int[] numbers, int count) {
        this.ids = ids;
        this.slots = slots;
        starts = new int[count + 1];
        for (int i = 0; i < sources.length; i++) {
            if (numbers[sources[i]] >= 0) {
                starts[numbers[sources[i]] + 1]++;
            }
            if (numbers[targets[i]] >= 0 && targets[i] != sources[i]) {
                starts[numbers[targets[i]] + 1]++;
            }
        }
        Arrays.parallelPrefix(starts, Math::addExact);
        edges = new int[starts[count]];
        others = new int[edges.length];
        int[] next = starts.clone();
        for (int i = 0; i < sources.length; i++) {
            if (numbers[sources[i]] >= 0) {
                add(next[numbers[sources[i]]]++, 2 * i, targets[i]);
            }
            if (numbers[targets[i]] >= 0 && targets[i] != sources[i]) {
                add(next[numbers[targets[i]]]++, 2 * i + 1, sources[i]);
            }
        }
    }

    private void add(int at, int edge, int other) {
        edges[at] = edge;
        others[at] = other;
    }

    /** Returns where the edges of a vertex begin; they end where those of the next number begin. */
    public int start(int number) {
        return starts[number];
    }

    /** Returns the number of an edge in the buffer, the oldest being 0. */
    public int edge(int at) {
        return edges[at] >>> 1;
    }

    /** Returns whether the vertex is the source of an edge. */
    public boolean isSource(int at) {
        return (edges[at] & 1) == 0;
    }

    /** Returns the vertex at the other end of an edge. */
    public long other(int at) {
        return ids[others[at]];
    }

    /** Returns where the table had that vertex when the owners were chosen. */
    public int slotOfOther(int at) {
        return slots[others[at]];
    }
}
