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
import org.jspecify.annotations.Nullable;

/**
 * The placement of the only assigner over tables in other tasks, for re-partitionings. The number of partitions is that
 * of every table and stays.
 */
public final class RemotePlacement implements LivePlacement {
    private final Engine engine;
    private final TableRequests requests;
    private @Nullable RemotePlan plan;
    private @Nullable TableMover mover;

    /** What the assigner places with; another number of partitions makes another placement. */
    public interface Engine {
        Placement placement();

        /** Receives what moves. */
        PlacedEdges into();

        /** k. */
        int partitions();

        /** See {@link LivePlacement#setPartitions}. */
        void setPartitions(int partitions);

        /** See {@link LivePlacement#setGeneration}. */
        void setGeneration(long generation);

        /** Returns the reason why nothing can be moved; empty if it can. */
        String refusal();
    }

    /** @param requests to the tables */
    public RemotePlacement(Engine engine, TableRequests requests) {
        this.engine = engine;
        this.requests = requests;
    }

    @Override
    public String refusal(int wanted) {
        return engine.refusal();
    }

    @Override
    public int partitions() {
        return engine.partitions();
    }

    @Override
    public Quality quality() {
        return engine.placement().quality(0);
    }

    @Override
    public boolean isEmptyFrom(int partition) {
        return quality().isEmptyFrom(partition);
    }

    @Override
    public void setPartitions(int wanted) {
        engine.setPartitions(wanted);
    }

    @Override
    public void restrictTo(int open) {
        engine.placement().restrictTo(open);
    }

    @Override
    public void setGeneration(long generation) {
        engine.setGeneration(generation);
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
                ? new RemoteMover(requests, engine.placement(), engine.into(), moves)
                : new VertexMover(requests, engine.placement(), engine.into(), moves);
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
