package io.cutwater.trainer.feature;

import io.cutwater.format.VertexSplit;
import java.io.IOException;

/** A source of vertex data. Rows can be read repeatedly, with the same result. */
public interface VertexRowSource {
    /** Receives rows. */
    @FunctionalInterface
    interface RowConsumer {
        /**
         * Receives the next row.
         *
         * @param features at least {@link #columns} values; valid until the call returns
         * @param label class, −1 for none
         */
        void accept(long vertex, float[] features, int label, VertexSplit split) throws IOException;
    }

    /** Returns the number of features of a vertex. */
    int columns();

    /** Reads the row of every vertex once. */
    void readAll(RowConsumer consumer) throws IOException;

    /** Reads the rows of a shard's vertices, including those of other owners; other rows may be included. */
    void readShard(int shard, RowConsumer consumer) throws IOException;

    /** Returns the vertices that exist even without an edge. */
    VertexIds alone() throws IOException;
}
