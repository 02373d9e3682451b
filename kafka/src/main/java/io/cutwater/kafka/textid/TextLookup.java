package io.cutwater.kafka.textid;

import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The texts of some vertices, in memory. */
public final class TextLookup {
    private final String topic;
    private final long[] vertices;
    private final byte[] @Nullable [] texts;

    private TextLookup(String topic, long[] vertices) {
        this.topic = topic;
        this.vertices = vertices;
        texts = new byte[vertices.length][];
    }

    /**
     * Reads the texts of vertices from topic {@code ids}.
     *
     * @param properties further client properties, such as those of TLS
     * @param vertices distinct ids, ascending
     * @return empty if the graph has no such topic that the user may see: its ids are integers
     * @throws BrokerException if the topic cannot be read, or holds a malformed record
     */
    public static Optional<TextLookup> read(
            String bootstrapServers, Map<String, ?> properties, Topics topics, long[] vertices) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            if (!admin.exists(topics.ids())) {
                return Optional.empty();
            }
        }
        TextLookup lookup = new TextLookup(topics.ids(), vertices);
        new TopicReader(bootstrapServers, properties).readAll(topics.ids(), lookup::take);
        return Optional.of(lookup);
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        try {
            int at = Arrays.binarySearch(vertices, VertexTextCodec.vertex(record.key()));
            if (at >= 0) {
                texts[at] = VertexTextCodec.text(record.value());
            }
        } catch (IllegalArgumentException e) {
            throw new BrokerException(
                    "topic %s, topic partition %d, offset %d is not the text of a vertex: %s; check --topic-prefix"
                            .formatted(record.topic(), record.partition(), record.offset(), e.getMessage()),
                    e);
        }
    }

    /**
     * Returns the text of a vertex in UTF-8.
     *
     * @param vertex one of those that were asked for
     * @throws BrokerException if the topic does not have it
     */
    public byte[] text(long vertex) {
        int at = Arrays.binarySearch(vertices, vertex);
        byte[] text = at < 0 ? null : texts[at];
        if (text == null) {
            throw new BrokerException(
                    "topic %s has no text of vertex %d, although a job with --ids text commits it with the first edge of the vertex; was the topic created again, or are its records deleted by time?"
                            .formatted(topic, vertex));
        }
        return text;
    }
}
