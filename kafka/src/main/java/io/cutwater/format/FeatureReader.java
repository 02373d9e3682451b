package io.cutwater.format;

import java.io.Closeable;
import java.io.IOException;

/** Reads a file that has one row of numbers for each vertex. */
public interface FeatureReader extends Closeable {
    /** The largest number of features. */
    int MAX_FEATURES = 1 << 20;

    /** A row without a label. */
    int NO_LABEL = -1;

    /** Moves on to the next row; false at the end. */
    boolean next() throws IOException;

    /** The features of the row, good until the next one; longer than {@link #featureCount}, and 0 there, perhaps. */
    float[] features();

    /** How many features a row has, as far as the rows so far tell. */
    int featureCount();

    /** {@link #NO_LABEL} for none. */
    default int label() {
        return NO_LABEL;
    }

    default VertexSplit split() {
        return VertexSplit.NONE;
    }

    /** The id of the row's vertex, if rows have ids. */
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

    /** Bytes of the (compressed) file consumed so far. */
    long bytesRead();
}
