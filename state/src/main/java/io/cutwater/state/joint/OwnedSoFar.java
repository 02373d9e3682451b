package io.cutwater.state.joint;

import io.cutwater.state.rule.OwnerLoads;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * What the open partitions own when a plan begins. Edges between vertices that have owners are placed while it is made,
 * so a checkpoint has these loads, too.
 *
 * <p>The bytes: kind = 79, version = 1 (1 byte each), k (4 bytes), edges (8 bytes), then for each partition vertices
 * owned and volume (8 bytes each), big-endian.
 *
 * @param owned vertices that each partition owns
 * @param volumes sums of their degrees, buffered edges included
 * @param edges that are placed
 */
public record OwnedSoFar(long[] owned, long[] volumes, long edges) {
    private static final byte KIND = 'O';
    private static final byte VERSION = 1;
    private static final int HEADER = 2 + Integer.BYTES + Long.BYTES;

    /** Reads the loads of the open partitions; of several assigners one may have a part that is below 0. */
    public static OwnedSoFar of(OwnerLoads loads) {
        long[] owned = new long[loads.partitionCount()];
        long[] volumes = new long[owned.length];
        Arrays.setAll(owned, p -> Math.max(0, loads.owned(p)));
        Arrays.setAll(volumes, p -> Math.max(0, loads.comingVolume(p)));
        return new OwnedSoFar(owned, volumes, Math.max(0, loads.edges()));
    }

    public int partitionCount() {
        return owned.length;
    }

    public byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(HEADER + 2 * Long.BYTES * owned.length)
                .put(KIND)
                .put(VERSION)
                .putInt(owned.length)
                .putLong(edges);
        for (int p = 0; p < owned.length; p++) {
            out.putLong(owned[p]).putLong(volumes[p]);
        }
        return out.array();
    }

    private static boolean isOwned(byte[] piece) {
        return piece.length >= HEADER && piece[0] == KIND;
    }

    /** Returns the pieces of a snapshot that are not these loads. */
    public static List<byte[]> others(List<byte[]> snapshot) {
        return snapshot.stream().filter(piece -> !isOwned(piece)).toList();
    }

    /**
     * Returns the loads of a snapshot if it has them for as many partitions as are open now, and else the present ones:
     * a plan for other partitions is another plan.
     *
     * @throws IllegalStateException if they are of another version
     */
    public static OwnedSoFar of(List<byte[]> snapshot, OwnerLoads present) {
        for (byte[] piece : snapshot) {
            if (isOwned(piece)) {
                return of(ByteBuffer.wrap(piece), present);
            }
        }
        return of(present);
    }

    private static OwnedSoFar of(ByteBuffer in, OwnerLoads present) {
        byte version = in.get(1);
        if (version != VERSION) {
            throw new IllegalStateException(
                    "the checkpoint has loads of a plan in version %d; this is version %d".formatted(version, VERSION));
        }
        int k = in.getInt(2);
        if (in.capacity() != HEADER + 2L * Long.BYTES * k) {
            throw new IllegalStateException("the loads of a plan in the checkpoint have %d bytes for %d partitions"
                    .formatted(in.capacity(), k));
        }
        if (k != present.partitionCount()) {
            return of(present);
        }
        long edges = in.position(2 + Integer.BYTES).getLong();
        long[] owned = new long[k];
        long[] volumes = new long[k];
        for (int p = 0; p < k; p++) {
            owned[p] = in.getLong();
            volumes[p] = in.getLong();
        }
        return new OwnedSoFar(owned, volumes, edges);
    }
}
