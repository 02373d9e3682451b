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

/** The training vertices of the graph, and the bound of their imbalance. */
@Heading("Training vertices")
final class TrainingOptions {
    private static final double IMBALANCE = 0.1;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--split",
            paramLabel = "FILE",
            description = "Split of the vertices: train, val, test or none per line; balances training vertices.")
    private @Nullable Path split;

    @Option(
            names = "--training-imbalance",
            paramLabel = "X",
            description = "With --split: allowed excess of training vertices over the average. Default: 0.1")
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
