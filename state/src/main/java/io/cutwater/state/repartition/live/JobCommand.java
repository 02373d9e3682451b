package io.cutwater.state.repartition.live;

import io.cutwater.state.table.VertexLayout;
import java.util.regex.Pattern;

/** A command to a running job. */
public sealed interface JobCommand {
    Pattern ID = Pattern.compile("[a-zA-Z0-9._-]{1,64}");

    /** Returns the id of the re-partitioning: 1 to 64 letters, digits, '.', '_' and '-'. */
    String id();

    /**
     * Re-partitions the job. A job executes each id once.
     *
     * @param partitions wanted k; 0 for the current k
     * @param budget edges that may change their shard, as a share of all, above 0; 1 for all of them
     * @param edgesPerSecond edges that may move per second, at least 1; {@link Long#MAX_VALUE} for no limit
     * @param isDryRun whether it ends with the plan
     */
    record Repartition(String id, int partitions, double budget, long edgesPerSecond, boolean isDryRun)
            implements JobCommand {
        public Repartition {
            checkId(id);
            if (partitions < 0 || partitions > VertexLayout.MAX_PARTITIONS) {
                throw new IllegalArgumentException(
                        "partitions must be 1 to %d: %d".formatted(VertexLayout.MAX_PARTITIONS, partitions));
            }
            if (!(budget > 0 && budget <= 1)) {
                throw new IllegalArgumentException("budget must be above 0 and at most 1: " + budget);
            }
            if (edgesPerSecond < 1) {
                throw new IllegalArgumentException("edgesPerSecond must be at least 1: " + edgesPerSecond);
            }
        }

        /**
         * Returns why a status with the id of this command is not one of it, for users: the id was given to another
         * command. Empty if it may be one of it, and if it was refused or aborted, which says why.
         */
        public String conflict(RepartitionStatus status) {
            if (status.state() == PlanState.REFUSED || status.state() == PlanState.ABORTED) {
                return "";
            }
            if (partitions != 0 && partitions != status.partitions()) {
                return "id %s belongs to a re-partitioning to %d partitions and not to %d, which is %s; give another id"
                        .formatted(
                                id,
                                status.partitions(),
                                partitions,
                                status.state().label());
            }
            boolean hasMoved = status.state() == PlanState.MOVING || status.state() == PlanState.DONE;
            if (isDryRun && hasMoved) {
                return "id %s belongs to a re-partitioning that is %s, and not to a dry run; give another id"
                        .formatted(id, status.state().label());
            }
            boolean wasDryRun = status.state() == PlanState.PLANNED
                    && status.reason().isEmpty(); // else the job has begun it by itself, and the plan gained too little
            return wasDryRun && !isDryRun
                    ? "id %s belongs to a dry run, which has moved nothing; give another id".formatted(id)
                    : "";
        }
    }

    /** Ends the re-partitioning of that id before its time; what has moved stays where it is. */
    record Abort(String id) implements JobCommand {
        public Abort {
            checkId(id);
        }
    }

    private static void checkId(String id) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "id must be 1 to 64 letters, digits, '.', '_' and '-': '%s'".formatted(id));
        }
    }
}
