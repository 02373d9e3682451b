package io.cutwater.kafka.ingest;

import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.state.graph.Hashing;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file to ingest and its identity.
 *
 * @param id null to identify the file by its absolute path and size
 */
public record IngestFile(
        Path path, EdgeFileFormat format, @Nullable String id) {
    /** Creates a file identified by its path and size. */
    public IngestFile(Path path, EdgeFileFormat format) {
        this(path, format, null);
    }

    public IngestFile {
        path = path.toAbsolutePath().normalize();
    }

    /**
     * Returns the SHA-256 of everything that identifies the work. The format is part of it: a position has no meaning
     * in another format.
     */
    public byte[] key(String topic, EdgeOperation operation, long bytes) {
        String identity = id == null ? "path\0" + path + '\0' + bytes : "id\0" + id;
        return Hashing.sha256()
                .digest((topic
                                + '\0'
                                + format
                                + '\0'
                                + identity
                                + (operation == EdgeOperation.REMOVE ? "\0remove" : ""))
                        .getBytes(StandardCharsets.UTF_8));
    }
}
