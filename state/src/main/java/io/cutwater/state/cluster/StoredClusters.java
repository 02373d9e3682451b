package io.cutwater.state.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Clusters as bytes, big-endian, in pieces of a megabyte at most:
 *
 * <pre>
 *   1 byte    version = 2
 *   4 bytes   kind: 0 clusters with numbers, 1 free numbers, 2 clusters with ids
 *   4 bytes   entries
 *   4 bytes   kinds 0 and 1: entries in the pieces before
 *   kind 0    8 bytes volume, 4 bytes partition of each cluster
 *   kind 1    4 bytes number
 *   kind 2    8 bytes id, 8 bytes volume, 4 bytes partition of each cluster
 * </pre>
 *
 * Version 1 had neither kind 2 nor the entries before, so that its pieces must come in their order.
 */
final class StoredClusters {
    /** Receives what is stored. */
    interface Receiver {
        void numbered(int number, long volume, int partition);

        /** @param at the place in the list of free numbers */
        void free(int at, int number);

        /** There are clusters with ids, maybe without one in the bytes. */
        void shared();

        void shared(long id, long volume, int partition);
    }

    private static final byte VERSION = 2;
    private static final byte WITHOUT_ORDER = 1;
    private static final int NUMBERED = 0;
    private static final int FREE = 1;
    private static final int SHARED = 2;
    private static final int PER_PIECE = 48 * 1024;
    private static final int HEADER_BYTES = 1 + 3 * Integer.BYTES;
    private static final int NUMBERED_BYTES = Long.BYTES + Integer.BYTES;
    private static final int SHARED_BYTES = 2 * Long.BYTES + Integer.BYTES;

    private final List<byte[]> pieces = new ArrayList<>();

    void addNumbered(long[] volumes, int[] partitions, int count) {
        for (int from = 0; from < count; from += PER_PIECE) {
            int to = Math.min(count, from + PER_PIECE);
            ByteBuffer piece = begin(NUMBERED, to - from, NUMBERED_BYTES).putInt(from);
            for (int cluster = from; cluster < to; cluster++) {
                piece.putLong(volumes[cluster]).putInt(partitions[cluster]);
            }
            pieces.add(piece.array());
        }
    }

    void addFree(int[] free, int count) {
        for (int from = 0; from < count; from += PER_PIECE) {
            int to = Math.min(count, from + PER_PIECE);
            ByteBuffer piece = begin(FREE, to - from, Integer.BYTES).putInt(from);
            for (int i = from; i < to; i++) {
                piece.putInt(free[i]);
            }
            pieces.add(piece.array());
        }
    }

    /** @param ids 0 for numbers that are free; @param count numbers, or 0 to say only that clusters have ids */
    void addShared(SharedClusters ids, long[] volumes, int[] partitions, int count) {
        int cluster = 0;
        do {
            int entries = 0;
            int from = cluster;
            for (; cluster < count && entries < PER_PIECE; cluster++) {
                entries += ids.id(cluster) == 0 ? 0 : 1;
            }
            ByteBuffer piece = begin(SHARED, entries, SHARED_BYTES);
            for (int i = from; i < cluster; i++) {
                if (ids.id(i) != 0) {
                    piece.putLong(ids.id(i)).putLong(volumes[i]).putInt(partitions[i]);
                }
            }
            pieces.add(piece.array());
        } while (cluster < count);
    }

    private static ByteBuffer begin(int kind, int entries, int bytes) {
        int header = kind == SHARED ? HEADER_BYTES - Integer.BYTES : HEADER_BYTES;
        return ByteBuffer.allocate(header + bytes * entries)
                .put(VERSION)
                .putInt(kind)
                .putInt(entries);
    }

    List<byte[]> pieces() {
        return pieces;
    }

    /** @throws IllegalStateException if the bytes are of another version, or of version 1 in more pieces than one */
    static void requireOrder(List<byte[]> pieces) {
        long numbered = pieces.stream()
                .filter(piece -> piece[0] == WITHOUT_ORDER
                        && ByteBuffer.wrap(piece, 1, Integer.BYTES).getInt() == NUMBERED)
                .count();
        if (numbered > 1) {
            throw new IllegalStateException("the savepoint is of an earlier build, whose clusters several tasks cannot"
                    + " put in order; resume it as it was, and with other tasks what the job stops with then");
        }
    }

    /** @throws IllegalStateException if the bytes are of another version */
    static void read(List<byte[]> pieces, Receiver into) {
        int[] before = new int[2]; // entries of each kind, in version 1
        for (byte[] bytes : pieces) {
            ByteBuffer piece = ByteBuffer.wrap(bytes);
            byte version = piece.get();
            if (version < WITHOUT_ORDER || version > VERSION) {
                throw new IllegalStateException(
                        "clusters of version %d; this build reads %d to %d".formatted(version, WITHOUT_ORDER, VERSION));
            }
            int kind = piece.getInt();
            int entries = piece.getInt();
            if (kind == SHARED) {
                into.shared();
                for (int i = 0; i < entries; i++) {
                    into.shared(piece.getLong(), piece.getLong(), piece.getInt());
                }
                continue;
            }
            int from = version == WITHOUT_ORDER ? before[kind] : piece.getInt();
            before[kind] = from + entries;
            for (int i = from; i < from + entries; i++) {
                if (kind == NUMBERED) {
                    into.numbered(i, piece.getLong(), piece.getInt());
                } else {
                    into.free(i, piece.getInt());
                }
            }
        }
    }
}
