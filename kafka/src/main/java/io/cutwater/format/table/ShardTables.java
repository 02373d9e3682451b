package io.cutwater.format.table;

import io.cutwater.format.file.OutputFiles;
import io.cutwater.state.graph.EdgeBatch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** The three tables of an output folder in one format: written in a completion, read back from a complete folder. */
public interface ShardTables {
    /** Edges that a reader hands over at once. */
    int READ_EDGES = 8192;

    void writeEdges(OutputFiles out, int shard, StagedShard edges) throws IOException;

    void writeVertices(OutputFiles out, int shard, ShardVertexFile vertices) throws IOException;

    BookWriter openBook(OutputFiles out, long vertexCount, long replicaTotal) throws IOException;

    void readEdges(Path root, int shard, EdgeConsumer edges) throws IOException;

    void readVertices(Path root, int shard, VertexConsumer vertices) throws IOException;

    void readBook(Path root, BookConsumer book) throws IOException;

    /** Takes the rows of the partition book in ascending order of their vertices. */
    interface BookWriter extends Closeable {
        /** Appends the row that the sorted rows stand at. */
        void add(VertexSort sorted) throws IOException;
    }

    /** Takes the edges of a shard in their order. */
    @FunctionalInterface
    interface EdgeConsumer {
        /**
         * Takes the next edges of a shard.
         *
         * @param edges good only until the call returns
         */
        void accept(int shard, EdgeBatch edges) throws IOException;
    }

    /** Takes the vertices of a shard in ascending order. */
    @FunctionalInterface
    interface VertexConsumer {
        /**
         * Takes the next vertex of a shard.
         *
         * @param isHome whether the shard holds its master or, in a vertex partitioning, owns it
         * @param degree edges of the vertex in the whole graph
         */
        void accept(int shard, long vertex, boolean isHome, long degree) throws IOException;
    }

    /** Takes the rows of the partition book in ascending order of their vertices. */
    @FunctionalInterface
    interface BookConsumer {
        /**
         * Takes the next row.
         *
         * @param partition the master's, or the owner
         * @param replicas partitions in ascending order; good only until the call returns
         * @param replicaCount how many entries of {@code replicas} count
         */
        void accept(long vertex, int partition, int[] replicas, int replicaCount) throws IOException;
    }
}
