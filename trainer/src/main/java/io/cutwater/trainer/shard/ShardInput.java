package io.cutwater.trainer.shard;

import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;

/** Where the vertices and edges of one shard come from. Both may be read more than once, with the same result. */
public interface ShardInput {
    /** Takes a vertex. */
    @FunctionalInterface
    interface VertexConsumer {
        /**
         * Takes the next vertex.
         *
         * @param isOwned whether the shard is its owner, or its master's: one shard is
         * @param degree edges of the vertex in the whole graph
         */
        void accept(long vertex, boolean isOwned, long degree) throws IOException;
    }

    /** Takes edges. */
    @FunctionalInterface
    interface EdgeConsumer {
        /** Takes the next edges; good only until the call returns. */
        void accept(EdgeBatch edges) throws IOException;
    }

    /** Reads the vertices in ascending order, each once. */
    void readVertices(VertexConsumer consumer) throws IOException;

    /** Reads the edges; the ends of each are among the vertices. */
    void readEdges(EdgeConsumer consumer) throws IOException;
}
