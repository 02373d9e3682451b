package io.cutwater.deploy.cli;

import io.cutwater.trainer.averaging.Merging;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a training goes along with its graph. */
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

    boolean follows() {
        return follows;
    }

    /** @throws IllegalArgumentException with a sentence, if an option is out of its range or of no use */
    Merging merging(boolean isTopic) {
        if (mergeEvery != null && !isTopic) {
            throw new IllegalArgumentException("--merge-every is for a graph that grows; give --topic shards, too");
        }
        return new Merging(mergeEvery != null ? mergeEvery : isTopic ? 1 : 0, follows);
    }

    /** 0 for those that there are. */
    int classes() {
        if (classes != null && classes < 1) {
            throw new IllegalArgumentException("--classes must be at least 1: " + classes);
        }
        return classes == null ? 0 : classes;
    }
}
