package io.cutwater.state.bulk;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.partition.PartitionerOptions;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The request for a bulk run.
 *
 * @param options the algorithm, which {@linkplain Algorithm#isPlacedAsGraph places a graph}, and its settings
 * @param dedupe which edges are the same one, so that only the first of them counts; null: every edge counts
 * @param given what identifies the {@link GivenPlaces} that the run begins with; null for none
 */
public record BulkRequest(
        PartitionerOptions options,
        @Nullable DuplicateRule dedupe,
        @Nullable String given) {
    /** A request without given places. */
    public BulkRequest(PartitionerOptions options, @Nullable DuplicateRule dedupe) {
        this(options, dedupe, null);
    }

    /** @throws IllegalArgumentException if the algorithm, or one of its settings, is not known or out of range */
    public BulkRequest {
        Algorithm algorithm = Algorithms.of(options);
        algorithm.check(options);
        if (!algorithm.isPlacedAsGraph(options)) {
            throw new IllegalArgumentException(
                    "%s with these settings places a stream of edges, not a graph: it has no bulk run"
                            .formatted(options.algorithm()));
        }
    }

    /** Everything that the places depend on beside the input, the same for equal requests in every process. */
    String fingerprint() {
        return "%s %s k=%d seed=%d %s dedupe=%s%s%s"
                .formatted(
                        options.kind().label(),
                        options.algorithm(),
                        options.partitionCount(),
                        options.seed(),
                        new TreeMap<>(options.settings()),
                        dedupe == null ? "no" : dedupe.label(),
                        options.training() == null ? "" : " " + options.training(),
                        given == null ? "" : " given=" + given);
    }
}
