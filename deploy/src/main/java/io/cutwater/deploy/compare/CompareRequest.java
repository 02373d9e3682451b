package io.cutwater.deploy.compare;

import io.cutwater.deploy.input.InputRequest;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.TrainingVertices;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Options of a comparison.
 *
 * @param last of a topic: the number of its newest edges that are compared, at least 1
 * @param shuffleSeed of a random order of the edges; null for the order of the input
 * @param candidates in the order of the rows
 * @param partitionCounts each k, in the order of the tables
 * @param seed of every hash and every random choice
 * @param imbalance how far the fullest partition may be above the average, for edge algorithms that can bound it
 * @param settings for the algorithms that have such settings
 * @param training training vertices, for the algorithms that spread them; null for none
 */
public record CompareRequest(
        InputRequest input,
        long last,
        @Nullable Long shuffleSeed,
        List<Candidate> candidates,
        List<Integer> partitionCounts,
        long seed,
        double imbalance,
        Map<String, String> settings,
        @Nullable TrainingVertices training) {
    /**
     * @throws IllegalArgumentException if no algorithm has a setting, or one does not accept its value; the message is
     *     meant for users
     */
    public CompareRequest {
        candidates = List.copyOf(candidates);
        partitionCounts = List.copyOf(partitionCounts);
        settings = Map.copyOf(settings);
        for (String name : new TreeSet<>(settings.keySet())) {
            if (candidates.stream().noneMatch(candidate -> candidate.hasSetting(name))) {
                throw new IllegalArgumentException("none of %s has a setting named '%s'; leave it out"
                        .formatted(
                                candidates.stream()
                                        .map(Candidate::algorithm)
                                        .distinct()
                                        .collect(Collectors.joining(", ")),
                                name));
            }
        }
        for (Candidate candidate : candidates) {
            for (int partitionCount : partitionCounts) {
                PartitionerOptions options = options(candidate, partitionCount, seed, imbalance, settings);
                candidate.description().check(options);
            }
        }
    }

    PartitionerOptions options(Candidate candidate, int partitionCount) {
        return options(candidate, partitionCount, seed, imbalance, settings).withTraining(training);
    }

    private static PartitionerOptions options(
            Candidate candidate, int partitionCount, long seed, double imbalance, Map<String, String> settings) {
        Map<String, String> own = candidate.settings(settings);
        // Vertex algorithms are compared with their own slacks.
        Map<String, String> set = candidate.kind() == PartitioningKind.EDGE
                ? candidate.description().withImbalance(candidate.passes(), own, imbalance)
                : own;
        return new PartitionerOptions(
                candidate.kind(), candidate.algorithm(), partitionCount, seed, candidate.passes(), set);
    }
}
