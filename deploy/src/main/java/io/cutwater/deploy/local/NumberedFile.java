package io.cutwater.deploy.local;

import io.cutwater.deploy.input.EdgeFileSupplier;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.view.Progress;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.text.VertexNames;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Files with text ids, rewritten as one file with numbers for ids. This happens before the job and not in it: a number
 * is the rank of a name's first appearance, so a job that continued in the middle of a file would have to read it from
 * its beginning to know the earlier names.
 *
 * @param files the one file
 * @param names all names, in memory
 * @param rejected malformed lines
 */
record NumberedFile(InputRequest.Files files, VertexNames names, List<RejectedRecord> rejected) {
    /** @param folder in which the file is written */
    static NumberedFile write(InputRequest.Files named, Path folder, Progress.Display display) throws IOException {
        VertexNames names = new VertexNames();
        List<RejectedRecord> rejected = new ArrayList<>();
        Path file = folder.resolve("numbered-edges.txt");
        long written = 0;
        try (Progress progress = display.begin("number ids");
                EdgeFileSupplier edges = new EdgeFileSupplier(named, names);
                BufferedWriter text = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
            StringBuilder line = new StringBuilder();
            for (EdgeBatch batch = new EdgeBatch(); edges.next(batch); batch.clear()) {
                for (int i = 0; i < batch.size(); i++) {
                    line.setLength(0);
                    text.append(line(batch, i, line));
                }
                rejected.addAll(batch.rejected());
                written += batch.size();
                progress.update(written, edges.share(), "");
            }
        }
        return new NumberedFile(new InputRequest.Files(List.of(file), EdgeFileFormat.TEXT), names, rejected);
    }

    private static StringBuilder line(EdgeBatch batch, int i, StringBuilder line) {
        line.append(batch.source(i)).append(',').append(batch.target(i));
        boolean hasTimestamp = batch.timestamp(i) != EdgeBatch.NO_TIMESTAMP;
        if (!Double.isNaN(batch.weight(i)) || hasTimestamp) {
            line.append(',');
        }
        if (!Double.isNaN(batch.weight(i))) {
            line.append(batch.weight(i));
        }
        if (hasTimestamp) {
            line.append(',').append(batch.timestamp(i));
        }
        return line.append('\n');
    }
}
