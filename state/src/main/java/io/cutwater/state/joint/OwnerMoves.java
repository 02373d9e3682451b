package io.cutwater.state.joint;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which vertices that have an owner may get another one by a plan, and the edges that are placed while it is made. The
 * plan goes by what these vertices had when it began; without these edges, the tables say that at any later time, and
 * behind a restart.
 *
 * <p>The bytes, in pieces of at most {@value #PIECE_EDGES} edges, big-endian: kind = 86, version = 1 (1 byte each),
 * {@code most} (8 bytes); then source, target (8 bytes each) and place (4 bytes) of each edge.
 */
public final class OwnerMoves {
    private static final byte KIND = 'V';
    private static final byte VERSION = 1;
    private static final int HEADER = 2 + Long.BYTES;
    private static final int EDGE_BYTES = 2 * Long.BYTES + Integer.BYTES;
    private static final int PIECE_EDGES = 1 << 17;

    private final long most;
    private long[] ends = {};
    private int[] places = {};
    private int size;

    /** @param most placed edges that a vertex may have to move; below 0 if none may */
    public OwnerMoves(long most) {
        this.most = most;
    }

    /** No vertex moves. */
    public static OwnerMoves none() {
        return new OwnerMoves(-1);
    }

    /** Returns whether vertices may move. */
    public boolean areWanted() {
        return most >= 0;
    }

    /** Returns how many placed edges a vertex may have to move. */
    public long most() {
        return most;
    }

    /** An edge has been placed, whose endpoints had their owners; a {@link io.cutwater.state.graph.Place}. */
    public void placed(long source, long target, int place) {
        if (size == places.length) {
            ends = Arrays.copyOf(ends, Math.max(128, 4 * size));
            places = Arrays.copyOf(places, ends.length / 2);
        }
        ends[2 * size] = source;
        ends[2 * size + 1] = target;
        places[size++] = place;
    }

    /** Returns the number of edges that have been placed. */
    public int size() {
        return size;
    }

    public long source(int edge) {
        return ends[2 * edge];
    }

    public long target(int edge) {
        return ends[2 * edge + 1];
    }

    public int place(int edge) {
        return places[edge];
    }

    public List<byte[]> toBytes() {
        List<byte[]> pieces = new ArrayList<>();
        int at = 0;
        do {
            int end = Math.min(size, at + PIECE_EDGES);
            ByteBuffer out = ByteBuffer.allocate(HEADER + (end - at) * EDGE_BYTES);
            out.put(KIND).put(VERSION).putLong(most);
            for (; at < end; at++) {
                out.putLong(source(at)).putLong(target(at)).putInt(places[at]);
            }
            pieces.add(out.array());
        } while (at < size);
        return pieces;
    }

    private static boolean isMoves(byte[] piece) {
        return piece.length >= HEADER && piece[0] == KIND;
    }

    /** Returns the pieces of a snapshot that are not of this kind. */
    public static List<byte[]> others(List<byte[]> snapshot) {
        return snapshot.stream().filter(piece -> !isMoves(piece)).toList();
    }

    /**
     * Returns those of a snapshot; none may move if it has no such pieces.
     *
     * @throws IllegalStateException if they are of another version, or damaged
     */
    public static OwnerMoves of(List<byte[]> snapshot) {
        OwnerMoves moves = none();
        for (byte[] piece : snapshot) {
            if (!isMoves(piece)) {
                continue;
            }
            if (piece[1] != VERSION) {
                throw new IllegalStateException("the checkpoint has moves of a plan in version %d; this is version %d"
                        .formatted(piece[1], VERSION));
            }
            ByteBuffer in = ByteBuffer.wrap(piece, 2, piece.length - 2);
            long most = in.getLong();
            if (!moves.areWanted()) {
                moves = new OwnerMoves(most);
            }
            if (in.remaining() % EDGE_BYTES != 0) {
                throw new IllegalStateException(
                        "moves of a plan in the checkpoint have %d bytes, which is no number of edges"
                                .formatted(piece.length));
            }
            while (in.hasRemaining()) {
                moves.placed(in.getLong(), in.getLong(), in.getInt());
            }
        }
        return moves;
    }
}
