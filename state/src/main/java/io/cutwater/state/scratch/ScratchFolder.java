package io.cutwater.state.scratch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A folder on local disk for files that one process writes and reads again; their names end in {@code .scratch}. */
public final class ScratchFolder {
    private static final String SUFFIX = ".scratch";
    private static final long MEGABYTE = 1 << 20;

    private final Path folder;
    private long needed;

    /** Makes the folder if it is not there. */
    public ScratchFolder(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    /** The path of a scratch file. */
    public Path file(String name) {
        return folder.resolve(name + SUFFIX);
    }

    /** Opens a file for reading and writing; an empty one, if it was there or not. */
    public FileChannel create(String name) throws IOException {
        return FileChannel.open(
                file(name),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    /** Opens a file for reading. */
    public FileChannel open(String name) throws IOException {
        return FileChannel.open(file(name), StandardOpenOption.READ);
    }

    /** Deletes a file if it exists. */
    public void delete(String name) throws IOException {
        Files.deleteIfExists(file(name));
    }

    /** Deletes all scratch files in the folder, those of a process that was killed among them. */
    public void clear() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Deletes the folder with all scratch files in it, unless there is something else. */
    public void delete() throws IOException {
        clear();
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            // What else is in there is not ours.
        }
    }

    /** Sets the bytes that all files together may take, for error messages. */
    public void need(long bytes) {
        needed = bytes;
    }

    /**
     * Checks the free space.
     *
     * @param more bytes that are still to be written
     * @throws IOException if there is not
     */
    public void checkRoom(long more) throws IOException {
        long usable = Files.getFileStore(folder).getUsableSpace();
        if (usable < more) {
            throw full(more - usable, null);
        }
    }

    private IOException full(long missing, @Nullable IOException cause) {
        return new IOException(
                "the scratch folder %s is full: %d MB more are needed there, about %d MB in all; make room or name another folder"
                        .formatted(folder, missing / MEGABYTE + 1, needed / MEGABYTE + 1),
                cause);
    }

    /** Writes the rest of a buffer at a position of a file. */
    public void write(FileChannel file, ByteBuffer buffer, long position) throws IOException {
        try {
            for (long at = position; buffer.hasRemaining(); ) {
                at += file.write(buffer, at);
            }
        } catch (ClosedChannelException e) {
            throw e; // the thread was interrupted
        } catch (IOException e) {
            if (Files.getFileStore(folder).getUsableSpace() < buffer.remaining() + MEGABYTE) {
                throw full(buffer.remaining(), e);
            }
            throw e;
        }
    }
}
