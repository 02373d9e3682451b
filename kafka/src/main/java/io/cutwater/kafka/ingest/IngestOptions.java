package io.cutwater.kafka.ingest;

import io.cutwater.kafka.event.EdgeEventFormat;
import java.util.Map;

/**
 * Options of the ingest of edges.
 *
 * @param topic of the edges
 * @param deadLetterTopic of the rejected records
 * @param edgesPerRecord 1 to 16384, for the format that holds many; {@link #DEFAULT_EDGES_PER_RECORD} is usual
 * @param edgesPerSecond largest rate, 0 for none
 * @param properties further client properties, such as those of TLS
 * @param operation the operation that the edges stand for
 */
public record IngestOptions(
        String bootstrapServers,
        String topic,
        String deadLetterTopic,
        EdgeEventFormat format,
        int edgesPerRecord,
        long edgesPerSecond,
        Map<String, String> properties,
        EdgeOperation operation) {
    public static final int DEFAULT_EDGES_PER_RECORD = 2048;

    /** Records of this many edges with all columns take half of the largest message that brokers allow by default. */
    private static final int MAX_EDGES_PER_RECORD = 16384;

    public IngestOptions {
        if (edgesPerRecord < 1 || edgesPerRecord > MAX_EDGES_PER_RECORD) {
            throw new IllegalArgumentException(
                    "edgesPerRecord must be in [1, %d]: %d".formatted(MAX_EDGES_PER_RECORD, edgesPerRecord));
        }
        if (edgesPerSecond < 0) {
            throw new IllegalArgumentException("edgesPerSecond must be at least 0: " + edgesPerSecond);
        }
        if (operation == EdgeOperation.REMOVE && !format.holdsRemovals()) {
            throw new IllegalArgumentException(
                    "format %s only adds edges; use the formats batch or json to remove some".formatted(format));
        }
        properties = Map.copyOf(properties);
    }

    /** Creates options for edges that are added. */
    public IngestOptions(
            String bootstrapServers,
            String topic,
            String deadLetterTopic,
            EdgeEventFormat format,
            int edgesPerRecord,
            long edgesPerSecond,
            Map<String, String> properties) {
        this(
                bootstrapServers,
                topic,
                deadLetterTopic,
                format,
                edgesPerRecord,
                edgesPerSecond,
                properties,
                EdgeOperation.ADD);
    }

    /** Creates options without a rate limit and with records of the default size. */
    static IngestOptions of(String bootstrapServers, String topic, String deadLetterTopic, EdgeEventFormat format) {
        return new IngestOptions(
                bootstrapServers, topic, deadLetterTopic, format, DEFAULT_EDGES_PER_RECORD, 0, Map.of());
    }
}
