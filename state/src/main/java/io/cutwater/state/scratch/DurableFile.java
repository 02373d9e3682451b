package io.cutwater.state.scratch;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Replaces files so that a reader sees all of the old content or all of the new one, also after a power failure. */
public final class DurableFile {
    private static final String BESIDE = ".partial";

    private DurableFile() {}

    /** Writes the content of a file. */
    public interface Content {
        void write(OutputStream out) throws IOException;
    }

    /**
     * Writes a file beside, forces it to the disk, renames it, and forces the name to the disk.
     *
     * @param file may exist; its folder must
     * @throws IOException if the content cannot be written; the old file then stays as it is
     */
    public static void replace(Path file, Content content) throws IOException {
        Path beside = file.resolveSibling(file.getFileName() + BESIDE);
        try (FileChannel channel = FileChannel.open(
                        beside,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)) {
            content.write(out);
            out.flush();
            channel.force(true);
        }
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            force(folder);
        }
    }

    /** Forces the bytes of a file, or the names in a folder, to the disk. */
    public static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
