package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.TableRequests;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.Moves;
import io.cutwater.state.repartition.live.EdgeMover;
import io.cutwater.state.repartition.live.EdgeScan;
import io.cutwater.state.repartition.live.LivePlacement;
import io.cutwater.state.repartition.live.PlanWork;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The placement of the only assigner over tables in other tasks, for re-partitionings. The number of partitions is that
 * of every table and stays.
 */
public final class RemotePlacement implements LivePlacement {
    private final Placement placement;
    private final int partitions;
    private final TableRequests requests;
    private final PlacedEdges into;
    private final LongConsumer generations;
    private final String refusal;
    private @Nullable RemotePlan plan;
    private @Nullable TableMover mover;

    /**
     * @param partitions k of the placement
     * @param requests to the tables
     * @param into receives what moves
     * @param generations is told of each generation of plans that begins
     * @param refusal the reason why nothing can be moved; empty if it can
     */
    public RemotePlacement(
            Placement placement,
            int partitions,
            TableRequests requests,
            PlacedEdges into,
            LongConsumer generations,
            String refusal) {
        this.placement = placement;
        this.partitions = partitions;
        this.requests = requests;
        this.into = into;
        this.generations = generations;
        this.refusal = refusal;
    }

    @Override
    public String refusal(int wanted) {
        if (!refusal.isEmpty()) {
            return refusal;
        }
        return wanted == partitions
                ? ""
                : ("a job of several tasks keeps its %d partitions; re-partition it with --replan, or submit a job"
                                + " without --parallelism")
                        .formatted(partitions);
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public Quality quality() {
        return placement.quality(0);
    }

    @Override
    public boolean isEmptyFrom(int partition) {
        return quality().isEmptyFrom(partition);
    }

    @Override
    public void setPartitions(int wanted) {
        if (wanted != partitions) {
            throw new IllegalStateException(
                    "%d partitions cannot become %d; please report this as a defect".formatted(partitions, wanted));
        }
    }

    @Override
    public void restrictTo(int open) {
        placement.restrictTo(open);
    }

    @Override
    public void setGeneration(long generation) {
        generations.accept(generation);
    }

    @Override
    public EdgeScan scan() {
        return Objects.requireNonNull(plan, "a plan begins before its edges are collected");
    }

    /**
     * Begins a plan, which the tables make; see {@link io.cutwater.state.repartition.live.Repartitioning.PlanStarter}.
     */
    public PlanWork plan(int wanted, int before, double budget) {
        RemotePlan begun = new RemotePlan(requests, wanted, before, budget);
        plan = begun;
        return begun;
    }

    /** Asks the tables for nothing any more, because the task ends. */
    public void abandon() {
        if (plan != null) {
            plan.abandon();
        }
    }

    @Override
    public EdgeMover mover(Moves moves) {
        TableMover begun = requests.edges().hasPlaces()
                ? new RemoteMover(requests, placement, into, moves)
                : new VertexMover(requests, placement, into, moves);
        mover = begun;
        return begun;
    }

    /** Takes a reply of a table. */
    public void replied(Views reply) {
        if (plan != null) {
            plan.replied(reply);
        }
        if (mover != null) {
            mover.replied(reply);
        }
    }
}
