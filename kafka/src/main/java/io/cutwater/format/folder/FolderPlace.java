package io.cutwater.format.folder;

import io.cutwater.format.file.FileOperations;
import io.cutwater.state.scratch.LockFile;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Predicate;

/**
 * A folder that appears as a whole or not at all. It is made in a hidden folder beside it, {@code .NAME.partial}, which
 * one run at a time locks, and renamed at the end.
 */
final class FolderPlace implements Closeable {
    private static final String LOCK = "cutwater.lock";

    private final Kind kind;
    private final Path dir;
    private final boolean overwrite;
    private final Path work;
    private final LockFile lock;
    private boolean isClosed;

    /**
     * The kind of folder.
     *
     * @param name for messages
     * @param isComplete tests whether a folder is a complete one of this kind: only such a folder is ever replaced
     */
    record Kind(String name, Predicate<Path> isComplete) {}

    private FolderPlace(Kind kind, Path dir, boolean overwrite, Path work, LockFile lock) {
        this.kind = kind;
        this.dir = dir;
        this.overwrite = overwrite;
        this.work = work;
        this.lock = lock;
    }

    /**
     * Checks that a folder may be written: it must be missing, empty or, with {@code overwrite}, a complete one of its
     * kind.
     *
     * @throws IOException if the folder may not be written; the message is meant for users
     */
    static void refuseComplete(Kind kind, Path dir, boolean overwrite) throws IOException {
        if (!Files.exists(dir)) {
            return;
        }
        if (!Files.isDirectory(dir)) {
            throw new IOException("'%s' is a file; choose another %s".formatted(dir, kind.name()));
        }
        if (kind.isComplete().test(dir)) {
            if (!overwrite) {
                throw new IOException(
                        "'%s' holds a complete %s already; choose another one, or replace it with --overwrite"
                                .formatted(dir, kind.name()));
            }
            return;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir)) {
            for (Path entry : entries) {
                throw new IOException(
                        "'%s' is not empty and does not hold a Cutwater %s (it holds '%s'), so it is not replaced, with or without --overwrite; choose another folder"
                                .formatted(dir, kind.name(), entry.getFileName()));
            }
        }
    }

    /**
     * Creates the working folder and locks it until {@link #close}.
     *
     * @throws IOException if {@link #refuseComplete} refuses, or another run is writing the same folder; the message is
     *     meant for users
     */
    static FolderPlace open(Kind kind, Path dir, boolean overwrite) throws IOException {
        Path absolute =
                Files.exists(dir) ? dir.toRealPath() : dir.toAbsolutePath().normalize();
        Path name = absolute.getFileName();
        if (name == null) {
            throw new IOException("'%s' cannot be the %s; choose one below it".formatted(dir, kind.name()));
        }
        Path work = absolute.resolveSibling("." + name + ".partial");
        refuseComplete(kind, absolute, overwrite);
        boolean isOurs = !Files.exists(work) || Files.exists(work.resolve(LOCK)) || isEmpty(work);
        if (!isOurs) {
            throw new IOException(
                    "'%s' is needed as working folder and holds something else; move it away".formatted(work));
        }
        Files.createDirectories(work);
        FolderPlace folder = new FolderPlace(kind, absolute, overwrite, work, lock(dir, work.resolve(LOCK)));
        boolean isFree = false;
        try {
            takeBackReplaced(kind, absolute, work);
            refuseComplete(kind, absolute, overwrite);
            isFree = true;
            return folder;
        } finally {
            if (!isFree) {
                folder.close();
            }
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            return !entries.iterator().hasNext();
        }
    }

    private static LockFile lock(Path dir, Path file) throws IOException {
        LockFile lock = LockFile.tryLock(file);
        // The previous run may have deleted the file between opening and locking it here.
        if (lock == null || !Files.exists(file)) {
            if (lock != null) {
                lock.close();
            }
            throw new IOException("another run is writing '%s'; wait for it, or choose another folder".formatted(dir));
        }
        return lock;
    }

    /** Returns a folder in the working folder. */
    Path inWork(String name) {
        return work.resolve(name);
    }

    /** Returns an empty folder; the next run empties it again if this one is killed. */
    Path emptied(String name) throws IOException {
        Path folder = work.resolve(name);
        TemporaryFolder.delete(folder);
        return Files.createDirectories(folder);
    }

    /** Renames finished files, already forced to the disk, to their place. */
    void moveToPlace(Path output) throws IOException {
        refuseComplete(kind, dir, overwrite);
        Path replaced = work.resolve("replaced");
        if (Files.exists(dir)) {
            TemporaryFolder.delete(replaced);
            move(dir, replaced);
        }
        move(output, dir);
        FileOperations.force(List.of(FileOperations.parent(dir)));
        TemporaryFolder.delete(replaced);
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new IOException(
                    "'%s' cannot be moved to '%s' (%s); if the folder is a mount point, choose a folder below it"
                            .formatted(from, to, e.getMessage()),
                    e);
        }
    }

    /** Restores the old folder that a killed run had moved aside before the new one was in place. */
    private static void takeBackReplaced(Kind kind, Path dir, Path work) throws IOException {
        Path replaced = work.resolve("replaced");
        if (!Files.exists(dir) && kind.isComplete().test(replaced)) {
            Files.move(replaced, dir, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Deletes the working folder and releases the lock; without {@link #moveToPlace} nothing remains. */
    @Override
    public void close() throws IOException {
        try (lock) {
            if (!isClosed) {
                isClosed = true;
                takeBackReplaced(kind, dir, work);
                TemporaryFolder.delete(work);
            }
        }
    }
}
