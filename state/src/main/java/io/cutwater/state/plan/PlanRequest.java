package io.cutwater.state.plan;

import io.cutwater.state.table.VertexLayout;
import org.jspecify.annotations.Nullable;

/**
 * The request for a plan.
 *
 * @param partitionCount k, 1 to {@value io.cutwater.state.table.VertexLayout#MAX_PARTITIONS}
 * @param maxSize vertices that a partition may hold
 * @param maxVolume volume (sum of degrees) that a partition may hold
 * @param maxTraining training vertices that a partition may hold; {@link Long#MAX_VALUE} if it does not matter
 * @param seed of every random choice
 * @param present the partition where each cluster lives now, −1 for nowhere; null if none lives anywhere
 * @param moveCost what moving volume (ends of edges) off its present partition costs for each, in cut edges; 0 for
 *     nothing
 * @param rooms what the partitions can take beside what they hold; null if they are empty
 */
public record PlanRequest(
        int partitionCount,
        long maxSize,
        long maxVolume,
        long maxTraining,
        long seed,
        int @Nullable [] present,
        double moveCost,
        @Nullable PlanRooms rooms) {

    public PlanRequest {
        if (partitionCount < 1 || partitionCount > VertexLayout.MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    "partitions must be in [1, %d]: %d".formatted(VertexLayout.MAX_PARTITIONS, partitionCount));
        }
        if (!(moveCost >= 0) || Double.isInfinite(moveCost)) {
            throw new IllegalArgumentException("the cost of a move must be a number of edges from 0 on: " + moveCost);
        }
    }

    /** A first plan, with nothing to move. */
    public PlanRequest(int partitionCount, long maxSize, long maxVolume, long seed) {
        this(partitionCount, maxSize, maxVolume, Long.MAX_VALUE, seed, null, 0, null);
    }

    /** Returns a copy with a cap on training vertices. */
    public PlanRequest withMaxTraining(long maxTraining) {
        return new PlanRequest(partitionCount, maxSize, maxVolume, maxTraining, seed, present, moveCost, rooms);
    }

    /** Returns a copy for clusters that come to partitions which hold something already. */
    public PlanRequest withRooms(PlanRooms rooms) {
        return new PlanRequest(partitionCount, maxSize, maxVolume, maxTraining, seed, present, moveCost, rooms);
    }

    /** Returns a copy with a present plan and the cost of leaving it. */
    public PlanRequest withPresent(int[] present, double moveCost) {
        return new PlanRequest(partitionCount, maxSize, maxVolume, maxTraining, seed, present, moveCost, rooms);
    }
}
