package io.cutwater.kafka.file;

import io.cutwater.kafka.record.VertexSplit;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** Reads a file that has one row of numbers for each vertex. */
interface FeatureReader extends Closeable {
    /** The largest number of features. */
    int MAX_FEATURES = 1 << 20;

    /** A row without a label. */
    int NO_LABEL = -1;

    /**
     * Opens a file; its format is told from its name.
     *
     * @param featureCount how many features a row has at least, for a format whose rows do not tell: 0 to find out
     * @param readsLabels whether labels that stand beside the features are wanted
     * @throws IOException with a sentence, when it cannot be read or does not begin as its format does
     */
    static FeatureReader open(Path file, int featureCount, boolean readsLabels) throws IOException {
        EdgeFiles.checkReadable(file);
        if (bareName(file).endsWith(".npy")) {
            Compression compression = Compression.ofName(file);
            if (compression != Compression.NONE) {
                throw new IOException("%s: npy files are read as they are, not in %s. Decompress it first."
                        .formatted(file, compression.suffix()));
            }
            return new NpyFeatureReader(file);
        }
        return isTable(file) ? new CsvFeatureReader(file) : new SvmFeatureReader(file, featureCount, readsLabels);
    }

    /** Whether it is a table whose columns may have names. */
    static boolean isTable(Path file) {
        String bare = bareName(file);
        return bare.endsWith(".csv") || bare.endsWith(".tsv");
    }

    /** The file's name in lower case, without what tells the compression. */
    private static String bareName(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.substring(
                0, name.length() - Compression.ofName(file).suffix().length());
    }

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
