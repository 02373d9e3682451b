package io.cutwater.trainer.journal.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Exclusive lock on a folder of journals. The operating system releases it when the process ends. */
public final class JournalLock implements Closeable {
    private final FileChannel channel;

    private JournalLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Locks a folder, which is created if missing.
     *
     * @throws IOException if another process or training has locked it; the message is meant for users
     */
    public static JournalLock take(Path folder) throws IOException {
        Files.createDirectories(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            channel.close();
            throw new IOException("%s is in use by another training; give each training a --store folder of its own"
                    .formatted(folder));
        }
        return new JournalLock(channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // locked by another training in this process
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
