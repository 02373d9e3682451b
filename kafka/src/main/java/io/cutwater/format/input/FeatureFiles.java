package io.cutwater.format.input;

import io.cutwater.format.FeatureReader;
import io.cutwater.format.csv.CsvFeatureReader;
import io.cutwater.format.file.ByteSource;
import io.cutwater.format.file.Compression;
import io.cutwater.format.npy.NpyFeatureReader;
import io.cutwater.format.text.SvmFeatureReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** Opens files of vertex features in every format. */
final class FeatureFiles {
    private FeatureFiles() {}

    /**
     * Opens a file; its format is told from its name.
     *
     * @param featureCount how many features a row has at least, for a format whose rows do not tell: 0 to find out
     * @param readsLabels whether labels that stand beside the features are wanted
     * @throws IOException with a sentence, when it cannot be read or does not begin as its format does
     */
    static FeatureReader open(Path file, int featureCount, boolean readsLabels) throws IOException {
        ByteSource.checkReadable(file);
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
}
