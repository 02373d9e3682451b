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

/** A folder for mapped files, which goes away when it is closed. */
public final class MappedFolder implements AutoCloseable {
    private final Path path;

    /** @param parent must exist */
    public MappedFolder(Path parent) throws IOException {
        this(parent, "cutwater-train-");
    }

    /** @param prefix of its name */
    public MappedFolder(Path parent, String prefix) throws IOException {
        path = Files.createTempDirectory(parent, prefix);
    }

    public Path path() {
        return path;
    }

    /** Makes a folder in it. */
    public Path folder(String name) throws IOException {
        return Files.createDirectory(path.resolve(name));
    }

    /**
     * A file that is mapped has its room on disk, and in memory, until the garbage collector finds its buffers; without
     * bytes it has none at once. Nobody reads those buffers any more.
     */
    private static void empty(Path file) throws IOException {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            // No channel: one fails in a thread that is interrupted, and such a thread is often the one that clears up.
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
                    if (failure instanceof NoSuchFileException) { // a worker has just removed what is its own
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
            throw new UncheckedIOException("%s cannot be removed".formatted(path), e);
        }
    }
}
