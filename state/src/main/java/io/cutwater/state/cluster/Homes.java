package io.cutwater.state.cluster;

import io.cutwater.state.table.NeighbourHomes;
import io.cutwater.state.table.VertexColumns;
import io.cutwater.state.table.VertexLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The number of homes on each partition, and the rule by which a home moves.
 *
 * <p>A home on a partition that is closed, or gone since there are fewer, counts as none. It stays in the vertex's
 * record until the vertex gets another, and is counted here as long.
 *
 * <p>The bytes: version = 1 (1 byte), partitions (4 bytes), homes of each (8 bytes each), big-endian. They may be of
 * fewer or more partitions than there are now.
 */
public final class Homes {
    private static final byte VERSION = 1;
    private static final double CAP_FACTOR = 1.1;
    private static final int CAP_SLACK = 8;

    /** Homes of each partition, of removed partitions too. */
    private long[] counts;

    private int open;

    /** On open partitions. */
    private long total;

    public Homes(int partitionCount) {
        counts = new long[partitionCount];
        open = partitionCount;
    }

    /** Gives a vertex a home, or another one. */
    public void move(VertexColumns vertices, int slot, int home) {
        count(vertices.storedHome(slot), -1);
        count(home, 1);
        vertices.setHome(slot, home);
    }

    private void count(int home, int change) {
        if (home != VertexColumns.NO_HOME) {
            if (home >= counts.length) {
                counts = Arrays.copyOf(counts, home + 1); // another assigner's, on a partition that is gone
            }
            counts[home] += change;
            total += home < open ? change : 0;
        }
    }

    /** Returns how many vertices have their home on a partition. */
    public long on(int partition) {
        return counts[partition];
    }

    /** Removes the home of a vertex that has no edge left. */
    public void forgetIfGone(VertexColumns vertices, int slot) {
        if (vertices.degree(slot) == 0) {
            forget(vertices, slot);
        }
    }

    /** Removes the home of a vertex, if it has one. */
    public void forget(VertexColumns vertices, int slot) {
        count(vertices.storedHome(slot), -1);
        vertices.setHome(slot, VertexColumns.NO_HOME);
    }

    /** A vertex has got a home on a partition. */
    public void add(int home) {
        count(home, 1);
    }

    /** A vertex is gone whose home was on a partition. */
    public void forget(int home) {
        count(home, -1);
    }

    /** Partitions from {@code open} on are closed from now on, the others open. */
    public void restrictTo(int open) {
        this.open = open;
        total = Arrays.stream(counts, 0, open).sum();
    }

    /**
     * Moves the home to where the neighbours' homes are: the partition p with the largest c(p) − Σc · homes(p) / cap,
     * the lowest of them on ties, of those that have a counter and, unless it is the home already, room below the cap.
     */
    public void reconsider(VertexColumns vertices, int slot) {
        long weights = vertices.neighbourHomeWeights(slot);
        long places = vertices.neighbourHomePlaces(slot);
        int home = vertices.home(slot);
        int sum = 0;
        for (int i = 0; i < NeighbourHomes.COUNTERS; i++) {
            sum += NeighbourHomes.weight(weights, i);
        }
        double cap = CAP_FACTOR * total / open + CAP_SLACK;
        double perHome = sum / cap;
        double bestScore = Double.NEGATIVE_INFINITY;
        int best = home;
        for (int i = 0; i < NeighbourHomes.COUNTERS; i++) {
            int weight = NeighbourHomes.weight(weights, i);
            int partition = NeighbourHomes.partition(places, i);
            if (weight == 0 || partition >= open || counts[partition] >= cap && partition != home) {
                continue;
            }
            double score = weight - perHome * counts[partition];
            if (score > bestScore || score == bestScore && partition < best) {
                bestScore = score;
                best = partition;
            }
        }
        if (best != home) {
            move(vertices, slot, best);
        }
    }

    public byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(1 + Integer.BYTES + Long.BYTES * counts.length);
        out.put(VERSION).putInt(counts.length);
        for (long count : counts) {
            out.putLong(count);
        }
        return out.array();
    }

    /**
     * Adds the homes of a snapshot; of several assigners each has a part of them, which may be below 0.
     *
     * @throws IllegalStateException if the bytes are not of this version, or are cut short
     */
    public void restore(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int partitions = bytes.length < 1 + Integer.BYTES ? -1 : in.getInt(1);
        if (partitions < 1
                || partitions > VertexLayout.MAX_PARTITIONS
                || bytes.length != 1 + Integer.BYTES + Long.BYTES * partitions
                || bytes[0] != VERSION) {
            throw new IllegalStateException("%d bytes of version %d are no homes in version %d"
                    .formatted(bytes.length, bytes.length == 0 ? 0 : bytes[0], VERSION));
        }
        in.position(1 + Integer.BYTES);
        counts = Arrays.copyOf(counts, Math.max(partitions, counts.length));
        for (int p = 0; p < partitions; p++) {
            counts[p] += in.getLong();
        }
        restrictTo(open);
    }
}
