package io.cutwater.deploy.cli.training;

import io.cutwater.deploy.cli.converter.AverageEveryConverter;
import io.cutwater.deploy.cli.converter.DurationConverter;
import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.RefreshPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The epochs of a training, and how workers go through them together. */
@Heading("Training")
final class RoundOptions {
    @Option(
            names = "--epochs",
            paramLabel = "N",
            defaultValue = "100",
            description = "Number of epochs. Default: ${DEFAULT-VALUE}")
    private int epochs;

    @Option(
            names = "--average-every",
            paramLabel = "N|batch|Nbatches|gradients",
            converter = AverageEveryConverter.class,
            description =
                    "Epochs or mini-batches between two averages of models; or gradients, in each step. Default: 1; sync: gradients; full graph: 10")
    private @Nullable AverageEvery averageEvery;

    @Option(
            names = "--evaluate-every",
            paramLabel = "N",
            defaultValue = "1",
            description = "Test the average after every N epochs, and after the last. Default: ${DEFAULT-VALUE}")
    private int evaluateEvery;

    @Option(
            names = "--patience",
            paramLabel = "N",
            defaultValue = "0",
            description = "Stop after N epochs without a lower validation loss; 0 for never. Default: ${DEFAULT-VALUE}")
    private int patience;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Parallel shards; of a coordinator: workers to wait for. Default: one per processor or GPU")
    private @Nullable Integer workers;

    @Option(
            names = "--round-wait",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = "Longest wait of a round for a worker. Default: ${DEFAULT-VALUE}")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Duration roundWait;

    int epochs() {
        return epochs;
    }

    /**
     * Returns the rounds.
     *
     * @param modes which average as often as usual if the user says nothing
     * @param usualWorkers number of workers if the user says nothing
     * @throws IllegalArgumentException if an option is out of range; the message names it
     */
    AveragingOptions averaging(ModeOptions modes, int usualWorkers, RefreshPolicy refresh) {
        return new AveragingOptions(
                epochs,
                evaluateEvery,
                averageEvery == null ? modes.usualRound() : averageEvery,
                workers == null ? usualWorkers : workers,
                roundWait,
                patience,
                refresh);
    }
}
