package io.cutwater.state.scratch;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder for scratch files below the temporary folder of a task, held by a lock, so that two attempts never share
 * one. The next attempt of the same job finds what this one left there.
 */
public final class LockedFolder implements Closeable {
    private static final String PREFIX = "cutwater-bulk-";
    private static final String LOCK = ".lock";

    private final Path path;
    private final Path lockFile;
    private final LockFile lock;

    private LockedFolder(Path path, Path lockFile, LockFile lock) {
        this.path = path;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /**
     * Returns the folder of that name, or another one if an earlier attempt that has not ended yet still locks it.
     * Removes what dead jobs have left beside it.
     */
    public static LockedFolder take(Path parent, String name) throws IOException {
        Files.createDirectories(parent);
        removeAbandoned(parent, name);
        LockedFolder own = tryTake(parent, PREFIX + name);
        while (own == null) {
            own = tryTake(parent, PREFIX + UUID.randomUUID());
        }
        return own;
    }

    private static @Nullable LockedFolder tryTake(Path parent, String folder) throws IOException {
        Path lockFile = parent.resolve(folder + LOCK);
        LockFile lock = LockFile.tryLock(lockFile);
        return lock == null ? null : new LockedFolder(parent.resolve(folder), lockFile, lock);
    }

    private static void removeAbandoned(Path parent, String own) throws IOException {
        List<Path> folders;
        try (Stream<Path> all = Files.list(parent)) {
            folders = all.filter(Files::isDirectory).toList();
        }
        for (Path folder : folders) {
            String name = folder.getFileName().toString();
            if (name.startsWith(PREFIX) && !name.equals(PREFIX + own)) {
                try (LockedFolder abandoned = tryTake(parent, name)) {
                    if (abandoned != null) {
                        TemporaryFolder.delete(folder);
                    }
                }
            }
        }
    }

    public Path path() {
        return path;
    }

    /** Releases the lock; the folder and its content stay. */
    @Override
    public void close() throws IOException {
        try (lock) {
            Files.deleteIfExists(lockFile);
        }
    }
}
