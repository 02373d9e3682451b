package io.cutwater.deploy.cli.training;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.trainer.averaging.RefreshPolicy;
import io.cutwater.trainer.feature.ShapeOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a training goes along with its graph. */
@Heading("Growing graph")
@SuppressWarnings("NullAway.Init") // picocli sets options
final class MergeOptions {
    @Option(
            names = "--merge-every",
            paramLabel = "N",
            description = "With --topic: epochs after which what is new is merged; 0 for never. Default: 1")
    private @Nullable Integer mergeEvery;

    @Option(
            names = "--follow",
            description = "With --topic: after --epochs it goes on, with a round for what is new whenever there is any,"
                    + " until it is told to end (SIGTERM, Ctrl-C).")
    private boolean follows;

    @Option(
            names = "--classes",
            paramLabel = "N",
            description = "Classes that the model tells apart, where more may come. Default: those that there are")
    private @Nullable Integer classes;

    @Option(
            names = "--max-classes",
            paramLabel = "N",
            defaultValue = "" + ShapeOptions.DEFAULT_MAX_CLASSES,
            description = "Labels from N on are taken for mistakes: of a topic, such vertices are trained without a"
                    + " label and named; of files, they are refused. Default: ${DEFAULT-VALUE}")
    private int maxClasses;

    @Option(
            names = "--feature-count",
            paramLabel = "N",
            description = "With --topic: vertices with another number of features are trained without features."
                    + " Default: the number that most have; more than 1 %% with another one are refused")
    private @Nullable Integer featureCount;

    boolean follows() {
        return follows;
    }

    /** @throws IllegalArgumentException with a sentence, if an option is out of its range or of no use */
    RefreshPolicy refreshPolicy(boolean isTopic) {
        if (mergeEvery != null && !isTopic) {
            throw new IllegalArgumentException("--merge-every is for a graph that grows; give --topic shards, too");
        }
        return new RefreshPolicy(mergeEvery != null ? mergeEvery : isTopic ? 1 : 0, follows);
    }

    /** @throws IllegalArgumentException with a sentence, if an option is out of its range */
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
