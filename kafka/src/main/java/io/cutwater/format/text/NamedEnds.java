package io.cutwater.format.text;

import io.cutwater.state.graph.EdgeBatch;
import org.jspecify.annotations.Nullable;

/** Takes the texts at the ends of an edge. */
public interface NamedEnds {
    /**
     * Takes the text of the source.
     *
     * @param from first byte of the text
     * @param to the byte after its last one
     * @return null, or why it is no id: the rest of a sentence that begins with its name
     */
    @Nullable String readSource(byte[] record, int from, int to);

    /** Like {@link #readSource}, for the target. */
    @Nullable String readTarget(byte[] record, int from, int to);

    /** Gives both ends to the last row of a batch. */
    void set(EdgeBatch into);
}
