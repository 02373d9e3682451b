package io.cutwater.deploy.local;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A folder that is deleted with its content when it is closed. */
public final class TemporaryFolder implements AutoCloseable {
    /** A thread that still writes while the process ends may put a file into a folder that was just emptied. */
    private static final int ATTEMPTS = 20;

    private final Path path;

    private TemporaryFolder(Path path) {
        this.path = path;
    }

    /** Creates a folder in the system's temporary folder. */
    public static TemporaryFolder create() throws IOException {
        return new TemporaryFolder(Files.createTempDirectory("cutwater-"));
    }

    /** Takes over a folder that exists. */
    static TemporaryFolder at(Path folder) {
        return new TemporaryFolder(folder);
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        for (int attempt = 1; Files.exists(path); attempt++) {
            try {
                Files.walkFileTree(path, new Deletion());
            } catch (NoSuchFileException | DirectoryNotEmptyException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
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
