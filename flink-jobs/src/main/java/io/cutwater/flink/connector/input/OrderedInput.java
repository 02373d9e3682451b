package io.cutwater.flink.connector.input;

import io.cutwater.kafka.event.EdgeRecordDecoder;
import io.cutwater.state.graph.EdgeBatch;
import java.io.Closeable;
import java.io.IOException;

/**
 * A bounded input in a fixed order: files one after the other, or a topic partition by partition. The same edges and
 * rejected records come in the same order, however the reads are divided, and wherever the input is closed and opened
 * again at {@link #position}. Used by one thread.
 */
public interface OrderedInput extends Closeable {
    String NO_REMOVALS = "the record removes an edge, but the topic is read as one that only adds edges";

    /** @throws IOException if the input cannot be read from there; the message is meant for users */
    static OrderedInput open(EdgeInput input, InputPosition from) throws IOException {
        if (input instanceof EdgeInput.Files files) {
            return new FileInput(files.files(), from);
        }
        if (input instanceof EdgeInput.Topic topic) {
            return new TopicInput(topic, new EdgeRecordDecoder(topic.format(), NO_REMOVALS), from);
        }
        if (input instanceof EdgeInput.Net net) {
            return new TopicInput(
                    net.topic(), new EdgeRecordDecoder(net.topic().format(), null, net.removesVertices()), from);
        }
        throw new IllegalArgumentException("an input that is placed in bulk has an end and an order: " + input);
    }

    /**
     * Appends about a batch of edges (of {@link EdgeInput.Net}, edges and removals) and the records rejected between
     * them, and sets its {@link EdgeBatch#progress}.
     *
     * @return false at the end, with nothing added
     */
    boolean read(EdgeBatch into) throws IOException, InterruptedException;

    /** Returns the position of the next read. */
    InputPosition position();
}
