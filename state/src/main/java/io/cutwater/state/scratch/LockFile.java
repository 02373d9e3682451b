package io.cutwater.state.scratch;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * An exclusive lock on a file, against other processes and within this one. The operating system releases it when the
 * process ends.
 */
public final class LockFile implements Closeable {
    private final FileChannel channel;

    private LockFile(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Locks a file, which is created if missing.
     *
     * @return null if it is locked already, by another process or by this one
     */
    public static @Nullable LockFile tryLock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean isLocked = false;
        try {
            isLocked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // Locked by this process.
        } finally {
            if (!isLocked) {
                channel.close();
            }
        }
        return isLocked ? new LockFile(channel) : null;
    }

    /** Releases the lock; the file stays. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
