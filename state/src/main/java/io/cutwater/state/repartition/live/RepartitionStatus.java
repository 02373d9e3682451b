package io.cutwater.state.repartition.live;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The status of a re-partitioning. Ratios have the names of the report and are empty until they are known.
 *
 * @param id that of its command
 * @param generation of the plan that it begins, or that it found if it changes nothing
 * @param partitionsBefore how many there were
 * @param partitions how many there are to be, or are
 * @param edges that the job keeps, 0 as long as they are not counted
 * @param edgesToMove edges that are to change their shard, those that have done so among them
 * @param edgesMoved edges that have changed their shard
 * @param budget edges that may move, as a share of all; 0 if it is not known
 * @param before quality before the first edge moved
 * @param expected quality with all moves of the plan made, of the edges that it knows
 * @param after quality at the end
 * @param reason why it was refused or aborted; else empty
 * @param seconds since the job took it up
 */
public record RepartitionStatus(
        String id,
        long generation,
        PlanState state,
        int partitionsBefore,
        int partitions,
        long edges,
        long edgesToMove,
        long edgesMoved,
        double budget,
        Map<String, Double> before,
        Map<String, Double> expected,
        Map<String, Double> after,
        String reason,
        double seconds) {
    public RepartitionStatus {
        before = Collections.unmodifiableMap(new TreeMap<>(before));
        expected = Collections.unmodifiableMap(new TreeMap<>(expected));
        after = Collections.unmodifiableMap(new TreeMap<>(after));
    }

    /** Returns the status of a refused command. */
    public static RepartitionStatus refused(String id, long generation, int partitions, String reason) {
        return new RepartitionStatus(
                id,
                generation,
                PlanState.REFUSED,
                partitions,
                partitions,
                0,
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                Map.of(),
                reason,
                0);
    }

    /** Returns the status of a re-partitioning that begins. */
    public static RepartitionStatus collecting(
            String id,
            long generation,
            int partitionsBefore,
            int partitions,
            double budget,
            Map<String, Double> before) {
        return new RepartitionStatus(
                id,
                generation,
                PlanState.COLLECTING,
                partitionsBefore,
                partitions,
                0,
                0,
                0,
                budget,
                before,
                Map.of(),
                Map.of(),
                "",
                0);
    }

    /** Returns a copy with another quality before the first edge moved. */
    RepartitionStatus from(Map<String, Double> ratios) {
        return new RepartitionStatus(
                id,
                generation,
                state,
                partitionsBefore,
                partitions,
                edges,
                edgesToMove,
                edgesMoved,
                budget,
                ratios,
                expected,
                after,
                reason,
                seconds);
    }

    /** Returns a copy in another state. */
    RepartitionStatus in(PlanState now) {
        return new RepartitionStatus(
                id,
                generation,
                now,
                partitionsBefore,
                partitions,
                edges,
                edgesToMove,
                edgesMoved,
                budget,
                before,
                expected,
                after,
                reason,
                seconds);
    }

    /** Returns a copy with the figures of a plan. */
    public RepartitionStatus withPlan(long kept, long toMove, Map<String, Double> expectation) {
        return new RepartitionStatus(
                id,
                generation,
                state,
                partitionsBefore,
                partitions,
                kept,
                toMove,
                edgesMoved,
                budget,
                before,
                expectation,
                after,
                reason,
                seconds);
    }

    /** Returns a copy in the moving state, with its generation. */
    public RepartitionStatus moving(long begun) {
        return new RepartitionStatus(
                id,
                begun,
                PlanState.MOVING,
                partitionsBefore,
                partitions,
                edges,
                edgesToMove,
                edgesMoved,
                budget,
                before,
                expected,
                after,
                reason,
                seconds);
    }

    /** Returns a copy with more moved edges. */
    public RepartitionStatus moved(long more) {
        return new RepartitionStatus(
                id,
                generation,
                state,
                partitionsBefore,
                partitions,
                edges,
                edgesToMove,
                edgesMoved + more,
                budget,
                before,
                expected,
                after,
                reason,
                seconds);
    }

    /** Returns a copy with another time. */
    RepartitionStatus after(double now) {
        return new RepartitionStatus(
                id,
                generation,
                state,
                partitionsBefore,
                partitions,
                edges,
                edgesToMove,
                edgesMoved,
                budget,
                before,
                expected,
                after,
                reason,
                now);
    }

    /** Returns a copy in a final state. */
    RepartitionStatus over(PlanState end, int left, Map<String, Double> ratios, String why) {
        return new RepartitionStatus(
                id,
                generation,
                end,
                partitionsBefore,
                left,
                edges,
                edgesToMove,
                edgesMoved,
                budget,
                before,
                expected,
                ratios,
                why,
                seconds);
    }
}
