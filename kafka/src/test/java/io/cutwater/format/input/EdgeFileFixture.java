package io.cutwater.format.input;

import com.github.luben.zstd.ZstdOutputStream;
import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.file.Compression;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Writes edge files and reads them back as lines of text, for comparing. */
public final class EdgeFileFixture {
    private EdgeFileFixture() {}

    public static Path write(Path file, String content) {
        return write(file, content.getBytes(StandardCharsets.UTF_8));
    }

    public static Path write(Path file, byte[] content) {
        try {
            return Files.write(file, compress(content, Compression.ofName(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] compress(byte[] content, Compression compression) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (OutputStream out = switch (compression) {
            case NONE -> bytes;
            case GZIP -> new GZIPOutputStream(bytes);
            case ZSTD -> new ZstdOutputStream(bytes);
        }) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    /** The edges as {@code u,v[,weight][,timestamp]} and the rejected records as {@code line: reason}. */
    public static List<String> readAll(Path file) throws IOException {
        try (EdgeFileReader reader = open(file)) {
            List<String> all = new ArrayList<>();
            EdgeBatch batch = new EdgeBatch();
            while (reader.read(batch, 1000)) {
                drain(batch, all);
            }
            return all;
        }
    }

    public static EdgeFileReader open(Path file) throws IOException {
        return EdgeFiles.open(file, EdgeFileFormat.ofName(file), EdgeFilePosition.START);
    }

    static void drain(EdgeBatch batch, List<String> into) {
        for (int i = 0; i < batch.size(); i++) {
            String weight = Double.isNaN(batch.weight(i)) ? "" : ",w" + batch.weight(i);
            String timestamp = batch.timestamp(i) == EdgeBatch.NO_TIMESTAMP ? "" : ",t" + batch.timestamp(i);
            into.add(batch.source(i) + "," + batch.target(i) + weight + timestamp);
        }
        for (RejectedRecord rejected : batch.rejected()) {
            into.add("%d: %s [%s]"
                    .formatted(
                            rejected.offset(),
                            rejected.reason(),
                            new String(rejected.value(), StandardCharsets.UTF_8)));
        }
        batch.clear();
    }
}
