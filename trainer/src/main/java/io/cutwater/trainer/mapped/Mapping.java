package io.cutwater.trainer.mapped;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A memory-mapped file of fixed length, in pieces, because a buffer is limited to 2 GiB. Pieces are unmapped when the
 * garbage collector finds them.
 */
final class Mapping {
    private static final int PIECE_SHIFT = 30;
    private static final long PIECE_BYTES = 1L << PIECE_SHIFT;
    /** Pieces of the files that this process has created and not forgotten. */
    private static final List<Created> CREATED = new ArrayList<>();

    private record Created(Path folder, WeakReference<MappedByteBuffer> piece) {}

    private Mapping() {}

    /** Creates a file of zeros. All pieces but the last have {@value #PIECE_BYTES} bytes. */
    static ByteBuffer[] create(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer[] pieces = map(channel, FileChannel.MapMode.READ_WRITE, bytes);
            remember(file, pieces);
            return pieces;
        }
    }

    private static void remember(Path file, MappedByteBuffer[] pieces) {
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        synchronized (CREATED) {
            CREATED.removeIf(created -> created.piece().get() == null);
            for (MappedByteBuffer piece : pieces) {
                CREATED.add(new Created(folder, new WeakReference<>(piece)));
            }
        }
    }

    /** Returns the pieces of the files that this process has created in a folder, or in all, and still uses. */
    static List<MappedByteBuffer> created(@Nullable Path folder) {
        Path absolute = folder == null ? null : folder.toAbsolutePath();
        synchronized (CREATED) {
            return CREATED.stream()
                    .filter(created -> absolute == null || created.folder().equals(absolute))
                    .map(created -> created.piece().get())
                    .filter(Objects::nonNull)
                    .toList();
        }
    }

    /** Opens a file that another process created, read-only. */
    static ByteBuffer[] open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return map(channel, FileChannel.MapMode.READ_ONLY, channel.size());
        }
    }

    /** Maps the first bytes of a file. */
    static MappedByteBuffer[] map(FileChannel channel, FileChannel.MapMode mode, long bytes) throws IOException {
        MappedByteBuffer[] pieces = new MappedByteBuffer[(int) ((bytes + PIECE_BYTES - 1) >>> PIECE_SHIFT)];
        for (int i = 0; i < pieces.length; i++) {
            long from = (long) i << PIECE_SHIFT;
            pieces[i] = channel.map(mode, from, Math.min(PIECE_BYTES, bytes - from));
            pieces[i].order(ByteOrder.nativeOrder());
        }
        return pieces;
    }

    /** Returns log₂ of the number of elements in a full piece. */
    static int shift(int elementBytes) {
        return PIECE_SHIFT - Integer.numberOfTrailingZeros(elementBytes);
    }
}
