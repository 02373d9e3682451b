package io.cutwater.state.passes;

import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.parts.Outbox;
import java.util.Arrays;

/**
 * Changes of counts and loads that the parts of a graph tell each other. A part sends what it has changed at copies of
 * a vertex to the part of the vertex, which tells all changes to the other parts that have a copy. Then every part has
 * the counts that all of them have made together.
 */
public final class CountChanges {
    private static final int FLAGS = 2;
    private static final int REMOVED = 1;
    private static final int TRANSITION = 2; // the first edge of a vertex on a partition, or the last
    private static final int PARTITION_BITS = 12;
    private static final int PARTITION_MASK = (1 << PARTITION_BITS) - 1;
    private static final int NET_BITS = 20;
    private static final int MOST = (1 << NET_BITS - 1) - 1;
    private static final int HERE = -1;
    private static final int DIGIT_BITS = 11;
    private static final int DIGIT_MASK = (1 << DIGIT_BITS) - 1;

    private final GraphPart part;
    private final EdgeCounts counts;
    private final long[] edgesBefore;
    private final long[] replicasBefore;
    private final long[] ownReplicas; // what changed at the part's own vertices
    private long[] changes = new long[1 << 10]; // slot, partition, flags
    private long[] sorted = {};
    private int size;

    // Net changes at own vertices: slot and partition as above, how much, and which part made them.
    private long[] at = new long[1 << 10];
    private int[] by = new int[1 << 10];
    private int[] madeBy = new int[1 << 10];
    private int netSize;

    /**
     * Begins to take changes down.
     *
     * @param edges of each partition, in all parts; {@code replicas} likewise
     */
    public CountChanges(GraphPart part, EdgeCounts counts, long[] edges, long[] replicas) {
        this.part = part;
        this.counts = counts;
        edgesBefore = edges.clone();
        replicasBefore = replicas.clone();
        ownReplicas = new long[edges.length];
        counts.takeDown(this);
    }

    void added(int vertex, int partition, boolean isFirst) {
        add(vertex, partition, isFirst ? TRANSITION : 0);
    }

    void removed(int vertex, int partition, boolean isLast) {
        add(vertex, partition, REMOVED | (isLast ? TRANSITION : 0));
    }

    private void add(int vertex, int partition, int flags) {
        if (size == changes.length) {
            changes = Arrays.copyOf(changes, Math.addExact(size, size / 2));
        }
        changes[size++] = ((long) vertex << PARTITION_BITS | partition) << FLAGS | flags;
    }

    /**
     * Tells the changes and takes those of the other parts.
     *
     * @param edges of each partition; those of all parts afterwards
     * @param replicas likewise
     */
    public void exchange(long[] edges, long[] replicas) {
        counts.takeDown(null);
        Outbox out = new Outbox(part.parts());
        netSize = 0;
        sumUp(out);
        long[][] messages = part.exchange(out);
        for (int from = 0; from < messages.length; from++) {
            for (long word : messages[from]) {
                long position = (long) part.exported(from, rank(word)) << PARTITION_BITS | partition(word);
                keep(position, net(word), from);
                apply(position, net(word));
            }
        }
        forward(out, edges);
        takeForwarded(part.exchange(out), edges, replicas);
        System.arraycopy(edges, 0, edgesBefore, 0, edges.length);
        System.arraycopy(replicas, 0, replicasBefore, 0, replicas.length);
        Arrays.fill(ownReplicas, 0);
        counts.takeDown(this);
    }

    /** Sums up what was taken down; sends it, or keeps it if it is of an own vertex. */
    private void sumUp(Outbox out) {
        sort();
        for (int from = 0; from < size; ) {
            long position = changes[from] >>> FLAGS;
            int slot = (int) (position >>> PARTITION_BITS);
            int net = 0;
            int transitions = 0;
            int to = from;
            for (; to < size && changes[to] >>> FLAGS == position; to++) {
                int sign = (changes[to] & REMOVED) == 0 ? 1 : -1;
                net += sign;
                transitions += (changes[to] & TRANSITION) == 0 ? 0 : sign;
            }
            from = to;
            if (part.isOwn(slot)) {
                ownReplicas[(int) position & PARTITION_MASK] += transitions;
                keep(position, net, HERE);
            } else {
                send(out, part.partOf(slot), part.rankOfCopy(slot), (int) position & PARTITION_MASK, net);
            }
        }
        size = 0;
    }

    /** Sorts by digits from the lowest, flags left out, since a comparison costs more than a copy here. */
    private void sort() {
        long all = 0;
        for (int i = 0; i < size; i++) {
            all |= changes[i];
        }
        if (sorted.length < size) {
            sorted = new long[changes.length];
        }
        int[] next = new int[1 << DIGIT_BITS];
        for (int shift = FLAGS; shift < Long.SIZE - Long.numberOfLeadingZeros(all); shift += DIGIT_BITS) {
            Arrays.fill(next, 0);
            for (int i = 0; i < size; i++) {
                next[(int) (changes[i] >>> shift) & DIGIT_MASK]++;
            }
            for (int digit = 0, before = 0; digit < next.length; digit++) {
                int count = next[digit];
                next[digit] = before;
                before += count;
            }
            for (int i = 0; i < size; i++) {
                sorted[next[(int) (changes[i] >>> shift) & DIGIT_MASK]++] = changes[i];
            }
            long[] swapped = changes;
            changes = sorted;
            sorted = swapped;
        }
    }

    private void keep(long position, int net, int maker) {
        if (net == 0) {
            return;
        }
        if (netSize == at.length) {
            int larger = Math.addExact(netSize, netSize / 2);
            at = Arrays.copyOf(at, larger);
            by = Arrays.copyOf(by, larger);
            madeBy = Arrays.copyOf(madeBy, larger);
        }
        at[netSize] = position;
        by[netSize] = net;
        madeBy[netSize++] = maker;
    }

    private static void send(Outbox out, int to, int rank, int partition, int net) {
        for (int left = net; left != 0; ) {
            int some = Math.max(-MOST, Math.min(MOST, left));
            long word = ((long) rank << PARTITION_BITS | partition) << NET_BITS | some + MOST;
            out.add(to, word);
            left -= some;
        }
    }

    private static int rank(long word) {
        return (int) (word >>> NET_BITS + PARTITION_BITS);
    }

    private static int partition(long word) {
        return (int) (word >>> NET_BITS) & PARTITION_MASK;
    }

    private static int net(long word) {
        return (int) (word & (1 << NET_BITS) - 1) - MOST;
    }

    private void apply(long position, int net) {
        int slot = (int) (position >>> PARTITION_BITS);
        int partition = (int) position & PARTITION_MASK;
        int transitions = 0;
        if (net > 0) {
            transitions += counts.add(slot, partition, net) ? 1 : 0;
        }
        for (int i = 0; i > net; i--) {
            transitions -= counts.remove(slot, partition) ? 1 : 0;
        }
        if (part.isOwn(slot)) {
            ownReplicas[partition] += transitions;
        }
    }

    private void forward(Outbox out, long[] edges) {
        for (int to = 0; to < part.parts(); to++) {
            for (int p = 0; p < edges.length; p++) {
                out.add(to, edges[p] - edgesBefore[p]);
                out.add(to, ownReplicas[p]);
            }
        }
        for (int i = 0; i < netSize; i++) {
            int slot = (int) (at[i] >>> PARTITION_BITS);
            for (int to = 0; to < part.parts(); to++) {
                int rank = to == madeBy[i] || to == part.part() ? HERE : part.rankAt(to, slot);
                if (rank >= 0) {
                    send(out, to, rank, (int) at[i] & PARTITION_MASK, by[i]);
                }
            }
        }
    }

    private void takeForwarded(long[][] messages, long[] edges, long[] replicas) {
        System.arraycopy(edgesBefore, 0, edges, 0, edges.length);
        System.arraycopy(replicasBefore, 0, replicas, 0, replicas.length);
        for (int from = 0; from < messages.length; from++) {
            long[] message = messages[from];
            for (int p = 0; p < edges.length; p++) {
                edges[p] += message[2 * p];
                replicas[p] += message[2 * p + 1];
            }
            for (int i = 2 * edges.length; i < message.length; i++) {
                long word = message[i];
                apply((long) part.imported(from, rank(word)) << PARTITION_BITS | partition(word), net(word));
            }
        }
    }
}
