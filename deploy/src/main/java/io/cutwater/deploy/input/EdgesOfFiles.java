package io.cutwater.deploy.input;

import io.cutwater.deploy.view.Progress;
import io.cutwater.kafka.replay.EdgeMultiset;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;

/** Reads the edges of files as a multiset in memory. */
public final class EdgesOfFiles {
    private EdgesOfFiles() {}

    /**
     * Counts the edges; malformed records are skipped.
     *
     * @throws IOException if a file cannot be read; the message is meant for users
     */
    public static EdgeMultiset count(InputRequest.Files files, Progress progress) throws IOException {
        EdgeMultiset counts = new EdgeMultiset();
        EdgeBatch batch = new EdgeBatch();
        try (EdgeFileSupplier supplier = new EdgeFileSupplier(files)) {
            while (supplier.next(batch)) {
                counts.add(batch);
                batch.clear();
                progress.update(counts.copies(), supplier.share(), "");
            }
        }
        return counts;
    }
}
