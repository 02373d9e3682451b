package io.cutwater.deploy.input;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.format.text.VertexNames;
import io.cutwater.kafka.ingest.EdgeSupplier;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Supplies the edges of files, one after the other. */
public final class EdgeFileSupplier implements EdgeSupplier, AutoCloseable {
    private final InputRequest.Files files;
    private final Iterator<Path> remaining;
    private final long totalBytes;
    private final @Nullable VertexNames names;
    private @Nullable EdgeFileReader reader;
    private @Nullable RejectedRecord firstRejected;
    private long bytesOfDoneFiles;

    public EdgeFileSupplier(InputRequest.Files files) throws IOException {
        this(files, null);
    }

    /** @param names maps text ids to numbers; null where ids are integers */
    public EdgeFileSupplier(InputRequest.Files files, @Nullable VertexNames names) throws IOException {
        this.files = files;
        this.names = names;
        remaining = files.paths().iterator();
        totalBytes = totalBytes(files);
    }

    /** Returns the size of all files on disk, in bytes. */
    static long totalBytes(InputRequest.Files files) throws IOException {
        long bytes = 0;
        for (Path file : files.paths()) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    @Override
    public boolean next(EdgeBatch into) throws IOException {
        while (reader != null || remaining.hasNext()) {
            if (reader == null) {
                Path file = remaining.next();
                reader = names == null
                        ? EdgeFiles.open(file, files.formatOf(file), EdgeFilePosition.START)
                        : EdgeFiles.openNamed(file, names);
            }
            if (reader.read(into, EdgeBatch.DEFAULT_CAPACITY)) {
                if (firstRejected == null && !into.rejected().isEmpty()) {
                    firstRejected = into.rejected().get(0);
                }
                return true;
            }
            bytesOfDoneFiles += reader.bytesRead();
            close();
        }
        return false;
    }

    /** Returns the share of the bytes that were read, 0 to 1. */
    public double share() {
        long bytes = bytesOfDoneFiles + (reader == null ? 0 : reader.bytesRead());
        return totalBytes == 0 ? 1 : Math.min(1, (double) bytes / totalBytes);
    }

    Optional<RejectedRecord> firstRejected() {
        return Optional.ofNullable(firstRejected);
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }
}
