package io.cutwater.state.partition;

import io.cutwater.state.table.NeighbourHomes;
import io.cutwater.state.table.VertexTable;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * How many vertices have their home on each partition, and the rule by which a home moves.
 *
 * <p>The bytes: version = 1 (1 byte), k (4 bytes), homes of each partition (8 bytes each), big-endian.
 */
public final class Homes {
    private static final byte VERSION = 1;
    private static final double CAP_FACTOR = 1.1;
    private static final int CAP_SLACK = 8;

    private final long[] counts;
    private long total;

    public Homes(int partitionCount) {
        counts = new long[partitionCount];
    }

    /** Gives a vertex a home, or another one. */
    public void move(VertexTable vertices, int slot, int home) {
        int before = vertices.home(slot);
        if (before == VertexTable.NO_HOME) {
            total++;
        } else {
            counts[before]--;
        }
        counts[home]++;
        vertices.setHome(slot, home);
    }

    /**
     * Moves the home to where the neighbours' homes are: the partition p with the largest c(p) − Σc · homes(p) / cap,
     * the lowest of them on ties, of those that have a counter and, unless it is the home already, room below the cap.
     */
    public void reconsider(VertexTable vertices, int slot) {
        long weights = vertices.neighbourHomeWeights(slot);
        long places = vertices.neighbourHomePlaces(slot);
        int home = vertices.home(slot);
        int sum = 0;
        for (int i = 0; i < NeighbourHomes.COUNTERS; i++) {
            sum += NeighbourHomes.weight(weights, i);
        }
        double cap = CAP_FACTOR * total / counts.length + CAP_SLACK;
        double perHome = sum / cap;
        double bestScore = Double.NEGATIVE_INFINITY;
        int best = home;
        for (int i = 0; i < NeighbourHomes.COUNTERS; i++) {
            int weight = NeighbourHomes.weight(weights, i);
            int partition = NeighbourHomes.partition(places, i);
            if (weight == 0 || counts[partition] >= cap && partition != home) {
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

    /** @throws IllegalStateException if the bytes are not of this version and number of partitions */
    public void restore(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length != 1 + Integer.BYTES + Long.BYTES * counts.length
                || in.get() != VERSION
                || in.getInt() != counts.length) {
            throw new IllegalStateException("%d bytes of version %d are no homes of %d partitions in version %d"
                    .formatted(bytes.length, bytes.length == 0 ? 0 : bytes[0], counts.length, VERSION));
        }
        for (int p = 0; p < counts.length; p++) {
            counts[p] = in.getLong();
        }
        total = Arrays.stream(counts).sum();
    }
}
