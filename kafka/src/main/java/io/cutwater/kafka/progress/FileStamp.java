package io.cutwater.kafka.progress;

import io.cutwater.state.graph.Hashing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The size, modification time and hashed ends of a file, which reveal a file that has changed since its ingest.
 *
 * @param bytes size of the file, in bytes
 * @param modifiedMillis modification time, in milliseconds since the epoch
 * @param endsHash first 8 bytes of the SHA-256 of the first and the last {@value #END_BYTES} bytes
 */
public record FileStamp(long bytes, long modifiedMillis, long endsHash) {
    /** The bytes hashed at each end of a file; a smaller file is hashed whole. */
    static final int END_BYTES = 64 << 10;

    private static final long UNKNOWN = Long.MIN_VALUE;

    /** Creates the stamp of an earlier version, which had the size only. */
    static FileStamp ofSize(long bytes) {
        return new FileStamp(bytes, UNKNOWN, 0);
    }

    /**
     * Creates the stamp of files that are ingested together: the sum of the sizes, the latest time, a hash of all ends.
     */
    public static FileStamp of(List<Path> files) throws IOException {
        MessageDigest digest = Hashing.sha256();
        long bytes = 0;
        long modified = UNKNOWN;
        for (Path file : files) {
            bytes += Files.size(file);
            modified = Math.max(modified, Files.getLastModifiedTime(file).toMillis());
            addEnds(digest, file);
        }
        return new FileStamp(bytes, modified, ByteBuffer.wrap(digest.digest()).getLong());
    }

    private static void addEnds(MessageDigest digest, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            addRange(digest, channel, 0, Math.min(size, END_BYTES));
            addRange(digest, channel, Math.max(END_BYTES, size - END_BYTES), size);
        }
    }

    private static void addRange(MessageDigest digest, FileChannel channel, long from, long to) throws IOException {
        if (from >= to) {
            return;
        }
        ByteBuffer range = ByteBuffer.allocate((int) (to - from));
        while (range.hasRemaining() && channel.read(range, from + range.position()) >= 0) {
            // Reads until the range is full or the file ends.
        }
        digest.update(range.flip());
    }

    /**
     * Explains why a file with this stamp is not the one that was ingested.
     *
     * @param ingested the stamp kept of the ingested file
     * @param comparesTime whether another modification time makes it another file
     * @return empty if the stamps agree; otherwise the rest of a message that begins with the name of the file
     */
    public Optional<String> differsFrom(FileStamp ingested, boolean comparesTime) {
        if (bytes != ingested.bytes) {
            return Optional.of("has %d bytes, but had %d when it was ingested".formatted(bytes, ingested.bytes));
        }
        if (ingested.modifiedMillis == UNKNOWN) {
            return Optional.empty();
        }
        if (endsHash != ingested.endsHash) {
            return Optional.of("has the size of the file that was ingested, but its content is another one");
        }
        if (comparesTime && modifiedMillis != ingested.modifiedMillis) {
            return Optional.of(
                    "was modified at %s, but at %s when it was ingested (if its content is still the same, restore the time with touch -d %s)"
                            .formatted(
                                    Instant.ofEpochMilli(modifiedMillis),
                                    Instant.ofEpochMilli(ingested.modifiedMillis),
                                    Instant.ofEpochMilli(ingested.modifiedMillis)));
        }
        return Optional.empty();
    }
}
