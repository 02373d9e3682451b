package io.cutwater.state.bulk;

import io.cutwater.state.algorithm.Ability;
import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.parts.GraphPart;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The request for a bulk run.
 *
 * @param options the algorithm, which {@linkplain Algorithm#isPlacedAsGraph places a graph}, and its settings
 * @param dedupe which edges are the same one, so that only the first of them counts; null: every edge counts
 * @param given what identifies the {@link GivenPlaces} that the run begins with; null for none
 * @param parts parts of the graph, each of which has a thread; the places depend on their number
 */
public record BulkRequest(
        PartitionerOptions options,
        @Nullable DuplicateRule dedupe,
        @Nullable String given,
        int parts) {
    /** A request without given places, for one part. */
    public BulkRequest(PartitionerOptions options, @Nullable DuplicateRule dedupe) {
        this(options, dedupe, null, 1);
    }

    /**
     * @throws IllegalArgumentException if the algorithm, or one of its settings, is not known or out of range, or if
     *     the algorithm does not place parts and there are several
     */
    public BulkRequest {
        Algorithm algorithm = Algorithms.of(options);
        algorithm.check(options);
        if (!algorithm.isPlacedAsGraph(options)) {
            throw new IllegalArgumentException(
                    "%s with these settings places a stream of edges, not a graph: it has no bulk run"
                            .formatted(options.algorithm()));
        }
        checkParts(options, parts);
        if (parts > 1 && given != null) {
            throw new IllegalArgumentException("given places are taken over in one thread, not in " + parts);
        }
    }

    /** Returns whether a bulk run can place several parts of a graph at the same time with these options. */
    public static boolean placesParts(PartitionerOptions options) {
        Algorithm algorithm = Algorithms.of(options);
        return algorithm.isPlacedAsGraph(options) && algorithm.abilities().contains(Ability.PARTS);
    }

    /**
     * Checks that a bulk run can place so many parts at the same time.
     *
     * @throws IllegalArgumentException if it cannot; the message is meant for users
     */
    public static void checkParts(PartitionerOptions options, int parts) {
        if (parts < 1 || parts > GraphPart.MOST_SHARED) {
            throw new IllegalArgumentException(
                    "--parallelism of bulk passes must be from 1 to %d: %d".formatted(GraphPart.MOST_SHARED, parts));
        }
        if (parts > 1 && !placesParts(options)) {
            throw new IllegalArgumentException(
                    "--algorithm %s of kind %s makes bulk passes in one thread, but --parallelism is %d; omit --parallelism"
                            .formatted(options.algorithm(), options.kind().label(), parts));
        }
    }

    /**
     * Checks that so many tasks can deal the edges among themselves.
     *
     * @throws IllegalArgumentException if they cannot
     */
    void requireDealing(int tasks) {
        if (tasks != parts || dedupe != null || given != null || options.training() != null || !placesParts(options)) {
            throw new IllegalArgumentException("%d tasks cannot place %s".formatted(tasks, fingerprint()));
        }
    }

    /** Everything that the places depend on beside the input, the same for equal requests in every process. */
    String fingerprint() {
        return "%s %s k=%d seed=%d %s dedupe=%s%s%s%s"
                .formatted(
                        options.kind().label(),
                        options.algorithm(),
                        options.partitionCount(),
                        options.seed(),
                        new TreeMap<>(options.settings()),
                        dedupe == null ? "no" : dedupe.label(),
                        options.training() == null ? "" : " " + options.training(),
                        given == null ? "" : " given=" + given,
                        parts == 1 ? "" : " parts=" + parts);
    }
}
