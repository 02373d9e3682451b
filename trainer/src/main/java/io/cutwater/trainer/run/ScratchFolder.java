package io.cutwater.trainer.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A folder for mapped files, which goes away when it is closed. */
final class ScratchFolder implements AutoCloseable {
    private final Path path;

    /** @param parent must exist */
    ScratchFolder(Path parent) throws IOException {
        path = Files.createTempDirectory(parent, "cutwater-train-");
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                    Files.delete(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be removed".formatted(path), e);
        }
    }
}
