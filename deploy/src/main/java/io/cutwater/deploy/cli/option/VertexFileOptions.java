package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.format.input.VertexFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The files with features, labels and split of the vertices. */
@Heading("Vertex data")
@SuppressWarnings("NullAway.Init") // picocli sets the command
public final class VertexFileOptions {
    @Option(
            names = "--features",
            paramLabel = "FILE",
            description = "Vertex features, in .npy (float32), .csv (with a header) or libsvm format.")
    private @Nullable Path features;

    @Option(names = "--labels", paramLabel = "FILE", description = "Vertex labels, an integer per line; -1 for none.")
    private @Nullable Path labels;

    @Option(
            names = "--split",
            paramLabel = "FILE",
            description = "Split of the vertices: train, val, test or none per line.")
    private @Nullable Path split;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    public boolean isGiven() {
        return features != null || labels != null || split != null;
    }

    /** The files that are given, which can be read; null if none is given. */
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
