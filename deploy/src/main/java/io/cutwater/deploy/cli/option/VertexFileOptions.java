package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.format.input.VertexFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The files of what is known of vertices. */
@Heading("Vertex data")
@SuppressWarnings("NullAway.Init") // picocli sets the command
public final class VertexFileOptions {
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

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    public boolean isGiven() {
        return features != null || labels != null || split != null;
    }

    /** Null if none is given; else those that are, every one of which can be read now. */
    public @Nullable VertexFiles files() {
        require("--features", features);
        require("--labels", labels);
        require("--split", split);
        return isGiven() ? new VertexFiles(features, labels, split) : null;
    }

    private void require(String option, @Nullable Path file) {
        if (file != null) {
            ReadableFile.require(spec, option, file);
        }
    }
}
