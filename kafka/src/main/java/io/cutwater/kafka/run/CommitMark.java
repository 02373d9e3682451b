package io.cutwater.kafka.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A record of topic {@code commits}: a writer of the shards commits it with its part of a checkpoint. A checkpoint is
 * committed when all of its writers have done so.
 *
 * @param checkpoint Flink's number
 * @param writer 0 to {@code writers} − 1, which is also the topic partition of its marks
 * @param writers that have a part of the checkpoint
 */
public record CommitMark(long checkpoint, int writer, int writers) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VERSION = 1;
    /** Largest number of partitions, and so of writers. */
    private static final int MAX_WRITERS = 4_096;

    public CommitMark {
        if (writer < 0 || writer >= writers || writers > MAX_WRITERS) {
            throw new IllegalArgumentException(
                    "writer %d of %d, of at most %d".formatted(writer, writers, MAX_WRITERS));
        }
    }

    /** Returns the key of the record, the same for all marks of a writer. */
    public byte[] key() {
        return Integer.toString(writer).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the value of the record. */
    public byte[] toBytes() {
        return JSON.createObjectNode()
                .put("version", VERSION)
                .put("checkpoint", checkpoint)
                .put("writer", writer)
                .put("writers", writers)
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    /** @throws IllegalArgumentException if the bytes are not a mark that this build can read */
    public static CommitMark read(byte[] value) {
        try {
            JsonNode tree = JSON.readTree(value);
            int version = tree.path("version").asInt();
            if (version != VERSION) {
                throw new IllegalArgumentException(
                        "a mark of version %d; this build reads %d".formatted(version, VERSION));
            }
            return new CommitMark(
                    tree.required("checkpoint").longValue(),
                    tree.required("writer").intValue(),
                    tree.required("writers").intValue());
        } catch (IOException e) {
            throw new IllegalArgumentException("not the mark of a commit: " + e.getMessage(), e);
        }
    }
}
