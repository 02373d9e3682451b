package io.cutwater.kafka.vertex;

import java.util.Map;

/**
 * Options of the ingest of vertex data.
 *
 * @param topic of the vertices, see {@code Topics.vertices()}
 * @param progressTopic compacted topic with the progress of each file, see {@code Topics.ingestProgress()}
 * @param verticesPerSecond largest rate, 0 for none
 * @param verticesPerTransaction a transaction ends after so many, at least 1, or after a second
 * @param restart whether files are written again from their beginning, whatever their progress
 * @param properties further client properties, such as those of TLS
 */
public record VertexIngestOptions(
        String bootstrapServers,
        String topic,
        String progressTopic,
        long verticesPerSecond,
        long verticesPerTransaction,
        boolean restart,
        Map<String, String> properties) {
    public static final long DEFAULT_VERTICES_PER_TRANSACTION = 100_000;

    public VertexIngestOptions {
        if (verticesPerSecond < 0) {
            throw new IllegalArgumentException("verticesPerSecond must be at least 0: " + verticesPerSecond);
        }
        if (verticesPerTransaction < 1) {
            throw new IllegalArgumentException("verticesPerTransaction must be at least 1: " + verticesPerTransaction);
        }
        properties = Map.copyOf(properties);
    }
}
