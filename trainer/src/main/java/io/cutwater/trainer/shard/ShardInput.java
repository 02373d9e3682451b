package io.cutwater.trainer.shard;

import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;

/** The vertices and edges of one shard. Both can be read repeatedly, with the same result. */
public interface ShardInput {
    /** Receives vertices. */
    @FunctionalInterface
    interface VertexConsumer {
        /**
         * Receives the next vertex.
         *
         * @param isOwned whether the shard owns the vertex or has its master, which exactly one shard does
         * @param degree number of edges of the vertex in the whole graph
         */
        void accept(long vertex, boolean isOwned, long degree) throws IOException;
    }

    /** Receives edges. */
    @FunctionalInterface
    interface EdgeConsumer {
        /** Receives the next edges, which are valid until the call returns. */
        void accept(EdgeBatch edges) throws IOException;
    }

    /** Reads the vertices in ascending order, each once. */
    void readVertices(VertexConsumer consumer) throws IOException;

    /** Reads the edges, whose endpoints are all among the vertices. */
    void readEdges(EdgeConsumer consumer) throws IOException;
}
