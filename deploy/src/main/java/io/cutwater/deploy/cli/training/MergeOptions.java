package io.cutwater.deploy.cli.training;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.trainer.averaging.RefreshPolicy;
import io.cutwater.trainer.feature.ShapeOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a training that follows a growing graph. */
@Heading("Growing graph")
@SuppressWarnings("NullAway.Init") // picocli sets options
final class MergeOptions {
    @Option(
            names = "--merge-every",
            paramLabel = "N",
            description = "With --topic: epochs between merges of new data; 0 for never. Default: 1")
    private @Nullable Integer mergeEvery;

    @Option(
            names = "--follow",
            description = "With --topic: go on after --epochs, with a round for new data, until SIGTERM.")
    private boolean follows;

    @Option(
            names = "--classes",
            paramLabel = "N",
            description = "Number of classes of the model. Default: those in the data")
    private @Nullable Integer classes;

    @Option(
            names = "--max-classes",
            paramLabel = "N",
            defaultValue = "" + ShapeOptions.DEFAULT_MAX_CLASSES,
            description = "Labels from N on are ignored (topic) or refused (files). Default: ${DEFAULT-VALUE}")
    private int maxClasses;

    @Option(
            names = "--feature-count",
            paramLabel = "N",
            description = "With --topic: number of features of a vertex. Default: the most frequent number")
    private @Nullable Integer featureCount;

    boolean follows() {
        return follows;
    }

    /**
     * @throws IllegalArgumentException if an option is out of range or has no effect; the message is meant for users
     */
    RefreshPolicy refreshPolicy(boolean isTopic) {
        if (mergeEvery != null && !isTopic) {
            throw new IllegalArgumentException("--merge-every needs --topic shards; leave it out");
        }
        return new RefreshPolicy(mergeEvery != null ? mergeEvery : isTopic ? 1 : 0, follows);
    }

    /** @throws IllegalArgumentException if an option is out of range; the message is meant for users */
    ShapeOptions shape() {
        return new ShapeOptions(given("--feature-count", featureCount), given("--classes", classes), maxClasses, false);
    }

    private static int given(String option, @Nullable Integer number) {
        if (number != null && number < 1) {
            throw new IllegalArgumentException("%s must be at least 1: %d".formatted(option, number));
        }
        return number == null ? 0 : number;
    }
}
