package io.cutwater.format.folder;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.cutwater.state.table.VertexLayout;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The request of a run: together with the bytes of its input it determines every byte of the shards.
 *
 * @param version of Cutwater
 * @param parameters the algorithm's settings and all others that affect the result, by name
 * @param partitions k, 1 to {@value VertexLayout#MAX_PARTITIONS}
 */
@JsonPropertyOrder({"version", "algorithm", "parameters", "seed", "partitions", "input"})
public record RunDescription(
        String version,
        String algorithm,
        SortedMap<String, String> parameters,
        long seed,
        int partitions,
        List<RunInput> input) {
    /** The parameter that names the duplicates that were dropped; without it duplicates were kept. */
    public static final String DEDUPE = "dedupe";

    /** The parameter with the seed of ids that are hashes of text; without it text ids are numbers from 0. */
    public static final String IDS_SEED = "idsSeed";

    public RunDescription {
        if (partitions < 1 || partitions > VertexLayout.MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    "partitions must be in [1, %d]: %d".formatted(VertexLayout.MAX_PARTITIONS, partitions));
        }
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
        input = List.copyOf(input);
    }

    public RunDescription(
            String version,
            String algorithm,
            Map<String, String> parameters,
            long seed,
            int partitions,
            List<RunInput> input) {
        this(version, algorithm, new TreeMap<>(parameters), seed, partitions, input);
    }
}
