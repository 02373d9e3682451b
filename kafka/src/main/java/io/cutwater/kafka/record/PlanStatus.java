package io.cutwater.kafka.record;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a re-partitioning stands, see {@link PlanStatusJson}. Ratios have the names of the report; they are empty as long
 * as they are not known.
 *
 * @param id that of its command
 * @param generation of the plan that it begins, or that it found if it changes nothing
 * @param partitionsBefore how many there were
 * @param partitions how many there are to be, or are
 * @param edges that the job keeps, 0 as long as they are not counted
 * @param edgesToMove edges that are to change their shard, those that have done so among them
 * @param edgesMoved edges that have changed their shard
 * @param before quality before the first edge moved
 * @param expected quality with all moves of the plan made, of the edges that it knows
 * @param after quality at the end
 * @param reason why it was refused or aborted; else empty
 * @param seconds since the job took it up
 */
public record PlanStatus(
        String id,
        long generation,
        PlanState state,
        int partitionsBefore,
        int partitions,
        long edges,
        long edgesToMove,
        long edgesMoved,
        Map<String, Double> before,
        Map<String, Double> expected,
        Map<String, Double> after,
        String reason,
        double seconds) {
    public PlanStatus {
        before = Collections.unmodifiableMap(new TreeMap<>(before));
        expected = Collections.unmodifiableMap(new TreeMap<>(expected));
        after = Collections.unmodifiableMap(new TreeMap<>(after));
    }

    /** Of a command that the job does not carry out. */
    public static PlanStatus refused(String id, long generation, int partitions, String reason) {
        return new PlanStatus(
                id,
                generation,
                PlanState.REFUSED,
                partitions,
                partitions,
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                Map.of(),
                reason,
                0);
    }
}
