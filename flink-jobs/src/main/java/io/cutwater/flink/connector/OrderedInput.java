package io.cutwater.flink.connector;

import io.cutwater.kafka.event.EdgeRecordDecoder;
import io.cutwater.state.graph.EdgeBatch;
import java.io.Closeable;
import java.io.IOException;

/**
 * A bounded input in an order that is always the same: files one after the other, a topic partition by partition.
 * However the reads are cut, and wherever it is closed and opened again at {@link #position}, the same edges and
 * rejected records come in the same order. Used by one thread.
 */
public interface OrderedInput extends Closeable {
    String NO_REMOVALS = "the record takes an edge away, and the topic is read as one that only adds";

    /** @throws IOException with a sentence, if the input cannot be read from there */
    static OrderedInput open(EdgeInput input, InputPosition from) throws IOException {
        if (input instanceof EdgeInput.Files files) {
            return new FileInput(files.files(), from);
        }
        if (input instanceof EdgeInput.Topic topic) {
            return new TopicInput(topic, new EdgeRecordDecoder(topic.format(), NO_REMOVALS), from);
        }
        if (input instanceof EdgeInput.Net net) {
            return new TopicInput(net.topic(), new EdgeRecordDecoder(net.topic().format(), null), from);
        }
        throw new IllegalArgumentException("an input that is placed in bulk has an end and an order: " + input);
    }

    /**
     * Appends about a batch of edges, of {@link EdgeInput.Net} of edges and removals, and what was rejected between
     * them, and says how far it is ({@link EdgeBatch#progress}).
     *
     * @return false at the end, with nothing added
     */
    boolean read(EdgeBatch into) throws IOException, InterruptedException;

    /** Where the next read begins. */
    InputPosition position();
}
