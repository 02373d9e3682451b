package io.cutwater.kafka.textid;

import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
        if (!exists(bootstrapServers, properties, topics)) {
            return Optional.empty();
        }
        TextLookup lookup = new TextLookup(topics.ids(), vertices);
        forEach(bootstrapServers, properties, topics, (vertex, text) -> {
            int at = Arrays.binarySearch(vertices, vertex);
            if (at >= 0) {
                lookup.texts[at] = text;
            }
        });
        return Optional.of(lookup);
    }

    /** Returns whether the graph has a topic {@code ids} that the user may see. */
    public static boolean exists(String bootstrapServers, Map<String, ?> properties, Topics topics) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            return admin.exists(topics.ids());
        }
    }

    /**
     * Returns whether the user may see a topic {@code ids} if the graph has one. If not, nothing tells whether the ids
     * stand for text.
     */
    public static boolean mayBeRead(String bootstrapServers, Map<String, ?> properties, Topics topics) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, properties)) {
            return admin.maySee(topics.ids());
        }
    }

    /**
     * Reads the vertex of a text from topic {@code ids}, which exists. The whole topic is read, and nothing else of it
     * is kept.
     *
     * @param properties further client properties, such as those of TLS
     * @return empty if no vertex has this text
     * @throws BrokerException if the topic cannot be read, or holds a malformed record
     */
    public static OptionalLong vertex(String bootstrapServers, Map<String, ?> properties, Topics topics, String text) {
        byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
        long[] vertices = {0};
        boolean[] isThere = {false};
        forEach(bootstrapServers, properties, topics, (vertex, found) -> {
            if (Arrays.equals(found, wanted)) {
                vertices[0] = vertex;
                isThere[0] = true;
            } else if (vertex == vertices[0]) {
                isThere[0] = false; // the vertex was removed
            }
        });
        return isThere[0] ? OptionalLong.of(vertices[0]) : OptionalLong.empty();
    }

    /** Receives the texts of vertices in the order of the topic. */
    private interface TextConsumer {
        /** @param text UTF-8; null if the vertex was removed */
        void accept(long vertex, byte @Nullable [] text);
    }

    private static void forEach(
            String bootstrapServers, Map<String, ?> properties, Topics topics, TextConsumer consumer) {
        new TopicReader(bootstrapServers, properties).readAll(topics.ids(), record -> {
            try {
                byte[] text = record.value() == null ? null : VertexTextCodec.text(record.value());
                consumer.accept(VertexTextCodec.vertex(record.key()), text);
            } catch (IllegalArgumentException e) {
                throw new BrokerException(
                        "topic %s, topic partition %d, offset %d is not the text of a vertex: %s; check --topic-prefix"
                                .formatted(record.topic(), record.partition(), record.offset(), e.getMessage()),
                        e);
            }
        });
    }

    /** Returns the text of a vertex; empty if it is unknown or was removed. */
    public Optional<String> find(long vertex) {
        int at = Arrays.binarySearch(vertices, vertex);
        byte[] text = at < 0 ? null : texts[at];
        return text == null ? Optional.empty() : Optional.of(new String(text, StandardCharsets.UTF_8));
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
