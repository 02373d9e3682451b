package io.cutwater.format.folder;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** A source from which a run read its edges. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({@JsonSubTypes.Type(RunInput.File.class), @JsonSubTypes.Type(RunInput.Topic.class)})
public sealed interface RunInput {
    /**
     * A file.
     *
     * @param file the path that the user gave
     * @param bytes its size
     */
    @JsonPropertyOrder({"file", "bytes"})
    record File(String file, long bytes) implements RunInput {}

    /**
     * A topic.
     *
     * @param offsets the range read of each topic partition
     */
    @JsonPropertyOrder({"topic", "offsets"})
    record Topic(String topic, List<Offsets> offsets) implements RunInput {
        public Topic {
            offsets = List.copyOf(offsets);
        }
    }

    /**
     * The range read of one topic partition.
     *
     * @param from the first offset
     * @param to the offset after the last one
     */
    @JsonPropertyOrder({"topicPartition", "from", "to"})
    record Offsets(int topicPartition, long from, long to) {}
}
