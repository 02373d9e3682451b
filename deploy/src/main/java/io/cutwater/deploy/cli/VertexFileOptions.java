package io.cutwater.deploy.cli;

import io.cutwater.kafka.file.VertexFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files of what is known of vertices. */
final class VertexFileOptions {
    @Option(
            names = "--features",
            paramLabel = "FILE",
            description = "Features of the vertices, a row for each from vertex 0 on: .npy (float32), .csv (a header"
                    + " may name columns id, label and split), any other name for libsvm.")
    private @Nullable Path features;

    @Option(
            names = "--labels",
            paramLabel = "FILE",
            description = "Labels of the vertices: an integer on each line, -1 for none.")
    private @Nullable Path labels;

    @Option(
            names = "--split",
            paramLabel = "FILE",
            description = "What the labels are for: train, val, test or none on each line.")
    private @Nullable Path split;

    boolean isGiven() {
        return features != null || labels != null || split != null;
    }

    /** Null if none is given. */
    @Nullable VertexFiles files() {
        return isGiven() ? new VertexFiles(features, labels, split) : null;
    }
}
