package io.cutwater.format.input;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.file.ByteSource;
import io.cutwater.format.file.Compression;
import io.cutwater.format.metis.MetisEdgeReader;
import io.cutwater.format.metis.MetisHeader;
import io.cutwater.format.metis.MetisScanner;
import io.cutwater.format.npy.NpyEdgeReader;
import io.cutwater.format.parquet.ParquetEdgeReader;
import io.cutwater.format.text.NamedEnds;
import io.cutwater.format.text.TextEdgeReader;
import io.cutwater.format.text.VertexNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** Opens edge files of every format. */
public final class EdgeFiles {
    private EdgeFiles() {}

    /**
     * Opens a file for reading, from a position that an earlier reader of the same file returned or from
     * {@link EdgeFilePosition#START}.
     *
     * @throws IOException if the file cannot be read, does not have this format, or is shorter than the position; the
     *     message is meant for users
     */
    public static EdgeFileReader open(Path file, EdgeFileFormat format, EdgeFilePosition from) throws IOException {
        ByteSource.checkReadable(file);
        return switch (format) {
            case TEXT -> TextEdgeReader.open(file, from, (VertexNames) null);
            case METIS -> MetisEdgeReader.open(file, from);
            case NPY -> NpyEdgeReader.open(uncompressed(file, "npy"), from);
            case PARQUET -> ParquetEdgeReader.open(uncompressed(file, "Parquet"), from, null);
            case JSON ->
                throw new IOException(
                        "%s is JSON; write its edges to a topic with ingest --source FIELD --target FIELD."
                                .formatted(file));
        };
    }

    /**
     * Opens a file of lines whose ids are text.
     *
     * @param names assigns a number to each id
     * @throws IOException if the file cannot be read; the message is meant for users
     */
    public static EdgeFileReader openNamed(Path file, VertexNames names) throws IOException {
        ByteSource.checkReadable(file);
        return TextEdgeReader.open(file, EdgeFilePosition.START, names);
    }

    /**
     * Opens a file whose ids are text, from a position as {@link #open} takes it.
     *
     * @param ends takes the texts that are the ends of each edge
     * @throws IOException if the file cannot be read, or its format holds integers; the message is meant for users
     */
    public static EdgeFileReader openTexts(Path file, EdgeFileFormat format, EdgeFilePosition from, NamedEnds ends)
            throws IOException {
        ByteSource.checkReadable(file);
        if (format != EdgeFileFormat.TEXT) {
            throw new IOException("%s is %s, in which ids that are text are not read; write lines of text."
                    .formatted(file, format.name().toLowerCase(Locale.ROOT)));
        }
        return TextEdgeReader.open(file, from, ends);
    }

    /** Reads the number of vertices, including those without edges, from the header of a METIS file. */
    public static long metisVertices(Path file) throws IOException {
        ByteSource.checkReadable(file);
        try (MetisScanner scanner = new MetisScanner(ByteSource.open(file))) {
            return MetisHeader.read(scanner, file).vertices();
        }
    }

    /** Returns a file that is not compressed as a whole. */
    public static Path uncompressed(Path file, String format) throws IOException {
        Compression compression = Compression.ofName(file);
        if (compression != Compression.NONE) {
            throw new IOException("%s: %s files are read as they are, not in %s. Decompress it first."
                    .formatted(file, format, compression.suffix()));
        }
        return file;
    }
}
