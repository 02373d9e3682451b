package io.cutwater.kafka.ingest;

import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;

/** A source of edges in batches. */
@FunctionalInterface
public interface EdgeSupplier {
    /**
     * Appends the next edges and rejected records to an empty batch.
     *
     * @return false at the end; then nothing was appended
     */
    boolean next(EdgeBatch into) throws IOException;
}
