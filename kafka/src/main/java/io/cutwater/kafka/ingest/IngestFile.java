package io.cutwater.kafka.ingest;

import io.cutwater.format.input.EdgeFileFormat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * A file to ingest, and by what it is known again.
 *
 * @param id null: it is known by its absolute path and its size
 */
public record IngestFile(
        Path path, EdgeFileFormat format, @Nullable String id) {
    /** Known by its path and size. */
    public IngestFile(Path path, EdgeFileFormat format) {
        this(path, format, null);
    }

    public IngestFile {
        path = path.toAbsolutePath().normalize();
    }

    /** SHA-256 of all that makes it the same work. The format belongs to it: a position means nothing in another. */
    public byte[] key(String topic, EdgeOperation operation, long bytes) {
        String identity = id == null ? "path\0" + path + '\0' + bytes : "id\0" + id;
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest((topic
                                    + '\0'
                                    + format
                                    + '\0'
                                    + identity
                                    + (operation == EdgeOperation.REMOVE ? "\0remove" : ""))
                            .getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
