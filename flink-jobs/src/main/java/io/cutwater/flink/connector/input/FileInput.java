package io.cutwater.flink.connector.input;

import io.cutwater.flink.connector.file.EdgeFileSource.EdgeFile;
import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads files one after the other. */
final class FileInput implements OrderedInput {
    private final List<EdgeFile> files;
    private InputPosition next;
    private @Nullable EdgeFileReader reader;
    private long bytesBefore;

    FileInput(List<EdgeFile> files, InputPosition from) {
        this.files = files;
        next = from;
        bytesBefore =
                files.stream().limit(from.part()).mapToLong(EdgeFile::bytes).sum();
    }

    @Override
    public boolean read(EdgeBatch into) throws IOException {
        while (next.part() < files.size()) {
            EdgeFileReader open = reader;
            if (open == null) {
                EdgeFile file = files.get(next.part());
                open = EdgeFiles.open(Path.of(file.path()), file.format(), next.within());
                reader = open;
            }
            if (open.read(into, EdgeBatch.DEFAULT_CAPACITY)) {
                into.setProgress(bytesBefore + open.bytesRead());
                next = new InputPosition(next.part(), open.position());
                return true;
            }
            open.close();
            reader = null;
            bytesBefore += files.get(next.part()).bytes();
            next = new InputPosition(next.part() + 1, EdgeFilePosition.START);
        }
        return false;
    }

    @Override
    public InputPosition position() {
        return next;
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
        }
    }
}
