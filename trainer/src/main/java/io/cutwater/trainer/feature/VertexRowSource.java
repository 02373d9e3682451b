package io.cutwater.trainer.feature;

import io.cutwater.format.VertexSplit;
import java.io.IOException;

/** Where rows of vertex data come from. They may be read any number of times, with the same result. */
public interface VertexRowSource {
    /** Takes a row. */
    @FunctionalInterface
    interface RowConsumer {
        /**
         * Takes the next row.
         *
         * @param features as many as {@link #columns} count, and perhaps more; good only until the call returns
         * @param label −1 for none
         */
        void accept(long vertex, float[] features, int label, VertexSplit split) throws IOException;
    }

    /** Features of a vertex. */
    int columns();

    /** Reads the row of each vertex once. */
    void readAll(RowConsumer consumer) throws IOException;

    /**
     * Reads the rows of a shard's vertices, those of other owners included; rows of other vertices may be among them.
     */
    void readShard(int shard, RowConsumer consumer) throws IOException;

    /** The vertices that there are even if no edge has them. */
    VertexIds alone() throws IOException;
}
