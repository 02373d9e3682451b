package io.cutwater.kafka.ingest;

import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.state.graph.Hashing;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file to ingest and its identity.
 *
 * @param id null to identify the file by its absolute path and size
 * @param mapping the fields that make an edge; null for a file of edges
 * @param areTexts whether the ends of edges are text, which goes to the topic as it is
 */
public record IngestFile(
        Path path,
        EdgeFileFormat format,
        @Nullable String id,
        @Nullable FieldMapping mapping,
        boolean areTexts) {
    /** Creates a file of edges identified by its path and size. */
    public IngestFile(Path path, EdgeFileFormat format) {
        this(path, format, null, null, false);
    }

    public IngestFile(Path path, EdgeFileFormat format, @Nullable String id) {
        this(path, format, id, null, false);
    }

    public IngestFile {
        path = path.toAbsolutePath().normalize();
    }

    /**
     * Returns the SHA-256 of everything that identifies the work. The format is part of it, because a position has no
     * meaning in another format, and so is the mapping, because other fields are other edges.
     */
    public byte[] key(String topic, EdgeOperation operation, long bytes) {
        String identity = id == null ? "path\0" + path + '\0' + bytes : "id\0" + id;
        return Hashing.sha256()
                .digest((topic
                                + '\0'
                                + format
                                + '\0'
                                + identity
                                + (operation == EdgeOperation.REMOVE ? "\0remove" : "")
                                + (mapping == null ? "" : "\0" + mapping)
                                + (areTexts ? "\0text" : ""))
                        .getBytes(StandardCharsets.UTF_8));
    }
}
