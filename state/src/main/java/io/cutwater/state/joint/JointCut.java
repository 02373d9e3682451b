package io.cutwater.state.joint;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where a buffer is cut when a checkpoint is taken, so that the same edges go on together behind a restart. All are
 * numbers of edges, the oldest ones. If the number of assigners changes, their buffers are mixed, and the cuts of the
 * checkpoint say nothing.
 *
 * <p>The bytes: kind = 67, version = 2 (1 byte each), the number of the assigner and of assigners, {@code planned},
 * {@code due}, the number of marks, and each of them (4 bytes each), big-endian. The only assigner writes version 1,
 * which has no numbers of assigners.
 *
 * @param planned places are being chosen for these; 0 for none
 * @param due these are placed before the next edge is taken; 0 for none
 * @param marks these were buffered at each of the last checkpoints but the present one, in order
 */
public record JointCut(int planned, int due, List<Integer> marks) {
    private static final JointCut NONE = new JointCut(0, 0, List.of());
    private static final byte KIND = 'C';
    private static final byte VERSION = 2;
    private static final byte OF_THE_ONLY_ASSIGNER = 1;
    private static final int HEADER = 2 + 5 * Integer.BYTES;
    private static final int SHORTEST = 2 + 3 * Integer.BYTES;

    /** Returns whether nothing has to be remembered. */
    public boolean isNone() {
        return planned == 0 && due == 0 && marks.isEmpty();
    }

    /** @param assigner 0 to {@code assigners} − 1 */
    public byte[] toBytes(int assigner, int assigners) {
        boolean isOnly = assigners == 1;
        ByteBuffer out = ByteBuffer.allocate((isOnly ? SHORTEST : HEADER) + Integer.BYTES * marks.size())
                .put(KIND)
                .put(isOnly ? OF_THE_ONLY_ASSIGNER : VERSION);
        if (!isOnly) {
            out.putInt(assigner).putInt(assigners);
        }
        out.putInt(planned).putInt(due).putInt(marks.size());
        marks.forEach(out::putInt);
        return out.array();
    }

    private static boolean isCut(byte[] piece) {
        return piece.length >= SHORTEST && piece[0] == KIND;
    }

    /** Returns the pieces of a snapshot that are not a cut. */
    public static List<byte[]> others(List<byte[]> snapshot) {
        return snapshot.stream().filter(piece -> !isCut(piece)).toList();
    }

    /**
     * Returns the cut of a snapshot that may have one of the same assigner of as many.
     *
     * @param buffered edges of the snapshot
     * @throws IllegalStateException if it is of another version, or of more edges
     */
    public static JointCut of(List<byte[]> snapshot, int buffered, int assigner, int assigners) {
        for (byte[] piece : snapshot) {
            if (isCut(piece)) {
                ByteBuffer in = ByteBuffer.wrap(piece);
                boolean isOnly = version(in) == OF_THE_ONLY_ASSIGNER;
                if ((isOnly ? 0 : in.getInt()) == assigner && (isOnly ? 1 : in.getInt()) == assigners) {
                    return of(in, buffered);
                }
            }
        }
        return NONE;
    }

    /** Reads kind and version. */
    private static byte version(ByteBuffer in) {
        byte version = in.position(1).get();
        if (version != VERSION && version != OF_THE_ONLY_ASSIGNER) {
            throw new IllegalStateException("the checkpoint has a cut of a buffer in version %d; this is version %d"
                    .formatted(version, VERSION));
        }
        return version;
    }

    private static JointCut of(ByteBuffer in, int buffered) {
        int planned = count(in, buffered);
        int due = count(in, buffered);
        int marks = count(in, in.capacity() / Integer.BYTES);
        if (in.remaining() != Integer.BYTES * marks) {
            throw new IllegalStateException(
                    "the cut of a buffer in the checkpoint has %d bytes for %d marks".formatted(in.remaining(), marks));
        }
        return new JointCut(
                planned,
                due,
                Stream.generate(() -> count(in, buffered)).limit(marks).toList());
    }

    private static int count(ByteBuffer in, int most) {
        int count = in.getInt();
        if (count < 0 || count > most) {
            throw new IllegalStateException(
                    "the cut of a buffer in the checkpoint counts %d where there are %d".formatted(count, most));
        }
        return count;
    }
}
