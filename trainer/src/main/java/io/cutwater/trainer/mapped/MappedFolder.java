package io.cutwater.trainer.mapped;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A temporary folder for memory-mapped files, which is deleted on close. */
public final class MappedFolder implements AutoCloseable {
    private final Path path;

    /** @param parent existing folder */
    public MappedFolder(Path parent) throws IOException {
        this(parent, "cutwater-train-");
    }

    /** @param prefix prefix of the folder's name */
    public MappedFolder(Path parent, String prefix) throws IOException {
        path = Files.createTempDirectory(parent, prefix);
    }

    public Path path() {
        return path;
    }

    /** Creates a subfolder. */
    public Path folder(String name) throws IOException {
        return Files.createDirectory(path.resolve(name));
    }

    /**
     * Truncates a file, which frees its disk space and memory at once. Otherwise a mapped file occupies both until the
     * garbage collector finds its buffers, which are no longer read.
     */
    private static void empty(Path file) throws IOException {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            // A FileChannel would fail in an interrupted thread, which is often the one that deletes the folder.
            try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                open.setLength(0);
            }
        }
    }

    @Override
    public void close() {
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    empty(file);
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                    if (failure instanceof NoSuchFileException) { // a worker has just deleted its own files
                        return FileVisitResult.CONTINUE;
                    }
                    throw failure;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                    Files.deleteIfExists(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete %s".formatted(path), e);
        }
    }
}
