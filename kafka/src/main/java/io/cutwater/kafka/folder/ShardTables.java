package io.cutwater.kafka.folder;

import io.cutwater.kafka.folder.ShardFolder.BookConsumer;
import io.cutwater.kafka.folder.ShardFolder.EdgeConsumer;
import io.cutwater.kafka.folder.ShardFolder.VertexConsumer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** The three tables of an output folder in one format: written in a completion, read back from a complete folder. */
interface ShardTables {
    /** Edges that a reader hands over at once. */
    int READ_EDGES = 8192;

    void writeEdges(OutputFiles out, int shard, StagedShard edges) throws IOException;

    void writeVertices(OutputFiles out, int shard, ShardVertices vertices) throws IOException;

    BookWriter openBook(OutputFiles out, long vertexCount, long replicaTotal) throws IOException;

    void readEdges(Path root, int shard, EdgeConsumer edges) throws IOException;

    void readVertices(Path root, int shard, VertexConsumer vertices) throws IOException;

    void readBook(Path root, BookConsumer book) throws IOException;

    /** Takes the rows of the partition book in ascending order of their vertices. */
    interface BookWriter extends Closeable {
        /** Appends the row that the sorted rows stand at. */
        void add(VertexSort sorted) throws IOException;
    }
}
