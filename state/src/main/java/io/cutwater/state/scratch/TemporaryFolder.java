package io.cutwater.state.scratch;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A folder that is deleted with its content when it is closed. Symbolic links in it are deleted, not followed. */
public final class TemporaryFolder implements AutoCloseable {
    private static final String PREFIX = "cutwater-";

    /** A thread that still writes while the process ends may put a file into a folder that was just emptied. */
    private static final int ATTEMPTS = 20;

    private final Path path;
    private volatile boolean isMapped;

    private TemporaryFolder(Path path, boolean isMapped) {
        this.path = path;
        this.isMapped = isMapped;
    }

    /** Creates a folder in the system's temporary folder. */
    public static TemporaryFolder create() throws IOException {
        return new TemporaryFolder(Files.createTempDirectory(PREFIX), false);
    }

    /**
     * Creates a folder in another one.
     *
     * @param parent existing folder
     * @param name part of the folder's name
     */
    public static TemporaryFolder in(Path parent, String name) throws IOException {
        return new TemporaryFolder(create(parent, name), false);
    }

    private static Path create(Path parent, String name) throws IOException {
        return Files.createTempDirectory(parent, PREFIX + name + "-");
    }

    /**
     * Creates a folder for memory-mapped files, which are truncated before they are deleted. This frees disk space and
     * memory at once; otherwise a mapped file occupies both until the garbage collector finds its buffers. Otherwise as
     * {@link #in}.
     */
    public static TemporaryFolder forMappedFiles(Path parent, String name) throws IOException {
        return new TemporaryFolder(create(parent, name), true);
    }

    /** Creates an owner for an existing folder. */
    public static TemporaryFolder at(Path folder) {
        return new TemporaryFolder(folder, false);
    }

    public Path path() {
        return path;
    }

    /** Creates a subfolder. */
    public Path folder(String name) throws IOException {
        return Files.createDirectory(path.resolve(name));
    }

    /** Keeps the content of files when they are deleted, because other processes may have mapped them. */
    public void share() {
        isMapped = false;
    }

    /** Deletes a folder with its content, if it exists. */
    public static void delete(Path folder) throws IOException {
        at(folder).close();
    }

    @Override
    public void close() throws IOException {
        for (int attempt = 1; Files.exists(path, LinkOption.NOFOLLOW_LINKS); attempt++) {
            try {
                Files.walkFileTree(path, new Deletion(isMapped));
            } catch (NoSuchFileException | DirectoryNotEmptyException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        private final boolean truncates;

        Deletion(boolean truncates) {
            this.truncates = truncates;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (truncates && attributes.isRegularFile()) {
                // A FileChannel would fail in an interrupted thread, which often deletes the folder.
                try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                    open.setLength(0);
                }
            }
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
