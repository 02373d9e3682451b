package io.cutwater.deploy.compare;

import io.cutwater.deploy.local.InputRequest;
import io.cutwater.state.partition.EdgePartitioner;
import io.cutwater.state.partition.EdgePartitioners;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is compared on what.
 *
 * @param shuffleSeed of a random order of the edges; null: as they come
 * @param candidates in the order of the rows
 * @param partitions k
 * @param seed of every hash and every random choice
 * @param imbalance how far the fullest partition may be above the average, for edge algorithms that can bound it
 */
public record CompareRequest(
        InputRequest.Files input,
        @Nullable Long shuffleSeed,
        List<Candidate> candidates,
        int partitions,
        long seed,
        double imbalance) {
    /** @throws IllegalArgumentException with a sentence, if an edge algorithm does not take what is asked */
    public CompareRequest {
        candidates = List.copyOf(candidates);
        for (Candidate candidate : candidates) {
            if (candidate.kind() == PartitioningKind.EDGE) {
                EdgePartitioners.create(options(candidate, partitions, seed, imbalance));
            }
        }
    }

    /** A new partitioner for an edge candidate. */
    EdgePartitioner edgePartitioner(Candidate candidate) {
        return EdgePartitioners.create(options(candidate, partitions, seed, imbalance));
    }

    private static PartitionerOptions options(Candidate candidate, int partitions, long seed, double imbalance) {
        Map<String, String> settings = EdgePartitioners.hasSetting(candidate.algorithm(), "imbalance")
                ? Map.of("imbalance", Double.toString(imbalance))
                : Map.of();
        return new PartitionerOptions(candidate.algorithm(), partitions, seed, candidate.passes(), settings);
    }
}
