package io.cutwater.format.table;

import io.cutwater.format.file.OutputFiles;
import io.cutwater.state.graph.EdgeBatch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** The three tables of an output folder in one format: written on completion, and read from a complete folder. */
public interface ShardTables {
    /** The number of edges that a reader passes at once. */
    int READ_EDGES = 8192;

    void writeEdges(OutputFiles out, int shard, StagedShard edges) throws IOException;

    void writeVertices(OutputFiles out, int shard, ShardVertexFile vertices) throws IOException;

    BookWriter openBook(OutputFiles out, long vertexCount, long replicaTotal) throws IOException;

    void readEdges(Path root, int shard, EdgeConsumer edges) throws IOException;

    void readVertices(Path root, int shard, VertexConsumer vertices) throws IOException;

    void readBook(Path root, BookConsumer book) throws IOException;

    /** Writes the rows of the partition book in ascending order of their vertices. */
    interface BookWriter extends Closeable {
        /** Appends the current row of the sort. */
        void add(VertexSort sorted) throws IOException;
    }

    /** Receives the edges of a shard in order. */
    @FunctionalInterface
    interface EdgeConsumer {
        /**
         * Receives the next edges of a shard.
         *
         * @param edges valid only until the call returns
         */
        void accept(int shard, EdgeBatch edges) throws IOException;
    }

    /** Receives the vertices of a shard in ascending order. */
    @FunctionalInterface
    interface VertexConsumer {
        /**
         * Receives the next vertex of a shard.
         *
         * @param isHome whether the shard holds its master or, in a vertex partitioning, owns it
         * @param degree edges of the vertex in the whole graph
         */
        void accept(int shard, long vertex, boolean isHome, long degree) throws IOException;
    }

    /** Receives the rows of the partition book in ascending order of their vertices. */
    @FunctionalInterface
    interface BookConsumer {
        /**
         * Receives the next row.
         *
         * @param partition the master's partition, or the owner
         * @param replicas partitions in ascending order; valid only until the call returns
         * @param replicaCount the number of valid entries of {@code replicas}
         */
        void accept(long vertex, int partition, int[] replicas, int replicaCount) throws IOException;
    }
}
