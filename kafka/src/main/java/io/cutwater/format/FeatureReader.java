package io.cutwater.format;

import java.io.Closeable;
import java.io.IOException;

/** A reader of a file that has one row of numbers for each vertex. */
public interface FeatureReader extends Closeable {
    /** The largest number of features of a vertex. */
    int MAX_FEATURES = 1 << 20;

    /** The label of a row without one. */
    int NO_LABEL = -1;

    /** Advances to the next row; returns false at the end. */
    boolean next() throws IOException;

    /**
     * Returns the features of the row, valid until the next row. The array may be longer than {@link #featureCount};
     * entries beyond it are 0.
     */
    float[] features();

    /** Returns the number of features of a row, as far as the rows read so far show it. */
    int featureCount();

    /** Returns the label, {@link #NO_LABEL} for none. */
    default int label() {
        return NO_LABEL;
    }

    default VertexSplit split() {
        return VertexSplit.NONE;
    }

    /** Returns the id of the row's vertex, if rows have ids. */
    default long vertex() {
        throw new UnsupportedOperationException("rows have no ids");
    }

    default boolean hasIds() {
        return false;
    }

    default boolean hasLabels() {
        return false;
    }

    default boolean hasSplit() {
        return false;
    }

    /** Returns the bytes of the (compressed) file read so far. */
    long bytesRead();
}
