package io.cutwater.format.input;

import io.cutwater.format.FeatureReader;
import io.cutwater.format.csv.CsvFeatureReader;
import io.cutwater.format.file.ByteSource;
import io.cutwater.format.file.Compression;
import io.cutwater.format.npy.NpyFeatureReader;
import io.cutwater.format.text.NameIds;
import io.cutwater.format.text.SvmFeatureReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Opens files of vertex features in every format. */
final class FeatureFiles {
    private FeatureFiles() {}

    /**
     * Opens a file; its name determines the format.
     *
     * @param featureCount the least number of features of a row, for a format whose rows do not show it; 0 if unknown
     * @param readsLabels whether to read labels beside the features
     * @param names the ids of vertices that are text; null for ids that are integers
     * @throws IOException if the file cannot be read, or does not begin as its format requires; the message is meant
     *     for users
     */
    static FeatureReader open(Path file, int featureCount, boolean readsLabels, @Nullable NameIds names)
            throws IOException {
        ByteSource.checkReadable(file);
        if (bareName(file).endsWith(".npy")) {
            Compression compression = Compression.ofName(file);
            if (compression != Compression.NONE) {
                throw new IOException("%s: npy files are read as they are, not in %s. Decompress it first."
                        .formatted(file, compression.suffix()));
            }
            return new NpyFeatureReader(file);
        }
        return isTable(file)
                ? new CsvFeatureReader(file, names)
                : new SvmFeatureReader(file, featureCount, readsLabels, names);
    }

    /** Returns whether the file is a table whose columns may have names. */
    private static boolean isTable(Path file) {
        String bare = bareName(file);
        return bare.endsWith(".csv") || bare.endsWith(".tsv");
    }

    /** Returns the file's name in lower case, without the suffix of the compression. */
    private static String bareName(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.substring(
                0, name.length() - Compression.ofName(file).suffix().length());
    }
}
