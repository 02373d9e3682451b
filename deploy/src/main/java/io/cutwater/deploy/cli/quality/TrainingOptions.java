package io.cutwater.deploy.cli.quality;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.state.partition.TrainingVertices;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which vertices are trained on, and how evenly they are to be spread. */
@Heading("Training vertices")
public final class TrainingOptions {
    private static final double IMBALANCE = 0.1;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--split",
            paramLabel = "FILE",
            description = "Which vertices are trained on: train, val, test or none on each line, from vertex 0 on. They"
                    + " are spread over the partitions by the algorithms that can: cutwater with --passes bulk,"
                    + " sigma-vertex, ldg and fennel.")
    private @Nullable Path split;

    @Option(
            names = "--training-imbalance",
            paramLabel = "X",
            description = "With --split: how far the partition with most of them may be above the average. Default: "
                    + IMBALANCE)
    private @Nullable Double imbalance;

    /**
     * Null if it is not said which.
     *
     * @throws IOException with a sentence, if the file cannot be read
     */
    @Nullable TrainingVertices vertices() throws IOException {
        if (split == null) {
            if (imbalance != null) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--training-imbalance is for the vertices that a file names; give it with --split FILE");
            }
            return null;
        }
        try {
            return new TrainingVertices(
                    new VertexFiles(null, null, split).trainingVertices(), imbalance == null ? IMBALANCE : imbalance);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--training-imbalance: " + e.getMessage(), e);
        }
    }
}
