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
import io.cutwater.state.table.PartitionLoads;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The placement of the first assigner, or of the only one, over tables in other tasks, for re-partitionings. If there
 * are several, all of them have the same number of partitions, generation and closed partitions, and each moves the
 * edges that are its own.
 */
public final class RemotePlacement implements LivePlacement {
    private static final long UNKNOWN = -1;

    private final Engine engine;
    private final TableRequests requests;
    private final @Nullable OtherAssigners others;
    private final RemoteRefinement refinement;
    private final int assigners;
    private long generation = UNKNOWN;
    private int open;
    private @Nullable RemotePlan plan;
    private @Nullable TableMover mover;

    /** What the assigner places with; another number of partitions makes another placement. */
    public interface Engine {
        Placement placement();

        /** Edges by partition, of this assigner. */
        PartitionLoads loads();

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

        /**
         * Returns whether kept edges may have places that are not the owners of their ends, and several assigners go
         * on, which move edges by these.
         */
        default boolean lacksOwners() {
            return false;
        }

        /** All kept edges have places that are the owners of their ends, because the tables told each other. */
        default void ownersTold() {}
    }

    /**
     * @param requests to the tables
     * @param assigners of the job
     */
    public RemotePlacement(Engine engine, TableRequests requests, int assigners) {
        this.engine = engine;
        this.requests = requests;
        this.assigners = assigners;
        refinement = new RemoteRefinement(engine, requests);
        open = engine.partitions();
        others = assigners == 1 ? null : new OtherAssigners(requests, assigners, open, engine);
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
        return others == null ? engine.placement().quality(0) : others.quality();
    }

    @Override
    public void survey(double change) {
        if (others != null) {
            others.survey(change);
        }
    }

    @Override
    public boolean settle() {
        return requests.isReady() && (others == null || others.settle());
    }

    @Override
    public long movedElsewhere() {
        return others == null ? 0 : others.moved();
    }

    @Override
    public long share(long edgesPerSecond) {
        return edgesPerSecond == Long.MAX_VALUE ? edgesPerSecond : Math.max(1, edgesPerSecond / assigners);
    }

    private void tell(boolean isKnown) {
        if (others != null) {
            others.set(generation, engine.partitions(), open, isKnown);
        }
    }

    @Override
    public boolean isEmptyFrom(int partition) {
        return others == null ? engine.loads().isEmptyFrom(partition) : others.isEmptyFrom(partition);
    }

    @Override
    public void setPartitions(int wanted) {
        refinement.close();
        engine.setPartitions(wanted);
        open = wanted;
        tell(false);
    }

    @Override
    public void restrictTo(int wanted) {
        engine.placement().restrictTo(wanted);
        open = wanted;
        tell(false);
    }

    @Override
    public void setGeneration(long begun) {
        engine.setGeneration(begun);
        boolean isRestored = generation == UNKNOWN; // by every assigner
        generation = begun;
        tell(isRestored);
    }

    @Override
    public boolean hasMovesOfItsOwn() {
        return refinement.hasWork();
    }

    @Override
    public void makeOwnMoves(BooleanSupplier mayGoOn) {
        refinement.step(mayGoOn);
    }

    @Override
    public void stopOwnMoves() {
        refinement.close();
    }

    @Override
    public EdgeScan scan() {
        return Objects.requireNonNull(plan, "a plan begins before its edges are collected");
    }

    /**
     * Begins a plan, which the tables make; see {@link io.cutwater.state.repartition.live.Repartitioning.PlanStarter}.
     */
    public PlanWork plan(int wanted, int before, double budget) {
        refinement.close();
        RemotePlan begun = new RemotePlan(requests, wanted, before, budget, engine);
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
    public EdgeMover mover(Moves moves, long edgesPerSecond) {
        refinement.close();
        TableMover begun = mover(engine, requests, moves, false);
        mover = begun;
        return others == null
                ? begun
                : new TeamMover(begun, others, Objects.requireNonNull(plan).number(), edgesPerSecond);
    }

    /**
     * Returns what makes the moves of an assigner.
     *
     * @param withinCaps whether a move is left out if there is no room for it any more
     */
    static TableMover mover(Engine engine, TableRequests requests, Moves moves, boolean withinCaps) {
        if (!requests.edges().hasPlaces() && requests.areEdgesShared()) {
            return new OwnerMover(requests, moves);
        }
        Placement placement = engine.placement();
        PlacedEdges into = engine.into();
        TableMover.Move move = withinCaps
                ? (source, target, from, to) -> placement.moveWithinCaps(source, target, from, to, into)
                : (source, target, from, to) -> placement.move(source, target, from, to, into);
        return requests.edges().hasPlaces()
                ? new RemoteMover(requests, move, moves)
                : new VertexMover(requests, move, moves);
    }

    /** Takes a reply of a table. */
    public void replied(Views reply) {
        if (others != null) {
            others.replied(reply);
        }
        if (plan != null) {
            plan.replied(reply);
        }
        refinement.replied(reply);
        if (mover != null) {
            mover.replied(reply);
        }
    }
}
