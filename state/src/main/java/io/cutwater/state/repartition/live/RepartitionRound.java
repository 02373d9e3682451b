package io.cutwater.state.repartition.live;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.DriftRule;
import io.cutwater.state.repartition.Moves;
import io.cutwater.state.repartition.RepartitionPlan;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * One re-partitioning that runs. It goes from phase to phase: {@link Starting}, {@link Collecting}, {@link Planning},
 * {@link Moving}, and {@link Over}; from {@code Moving} back to {@code Starting} while edges are left on partitions
 * that are to go. A checkpoint holds no phase: a restored round starts again with what is left of its budget.
 */
final class RepartitionRound implements Closeable {
    static final DriftRule RULE = DriftRule.USUAL;

    /** Prefix of the ids of re-partitionings that the job starts itself. */
    static final String OWN = "auto-";

    private static final int MAX_PLANS = 10;
    private static final double MILLIS = 1e3;

    private final RoundContext context;
    private final LivePlacement placement;
    private final JobCommand.Repartition command;
    private final long sinceMillis;
    private final int partitions; // that there are to be
    private RepartitionStatus status;
    private boolean hasBegun;
    private int plansMade;
    private Phase phase = new Starting();

    /** A phase of a round, with what it needs. */
    sealed interface Phase permits Starting, Collecting, Planning, Moving, Over {
        /** Does a part of the phase's work, and enters the next phase when it is done. */
        void step(RepartitionRound round, BooleanSupplier mayGoOn) throws IOException;

        /** Releases what the phase holds. */
        default void close() {}
    }

    /** No plan is begun. */
    record Starting() implements Phase {
        @Override
        public void step(RepartitionRound round, BooleanSupplier mayGoOn) throws IOException {
            if (!round.placement.settle()) {
                return; // edges still come to partitions that are closed here
            }
            if (!round.hasBegun) {
                round.status = round.status.from(round.placement.quality().ratios());
            }
            double budget = round.budgetLeft();
            if (budget <= 0 && !round.shrinks()) {
                round.phase = new Over(PlanState.DONE, "");
                return;
            }
            // Edges on partitions that close must move, also if a crash has used up the budget.
            PlanWork work = round.context
                    .plans()
                    .begin(
                            round.partitions,
                            round.placement.partitions(),
                            budget > 0 ? budget : round.command.budget());
            Collecting collecting = new Collecting(round.placement.scan(), work);
            round.phase = collecting;
            round.status = round.status.in(PlanState.COLLECTING);
            collecting.step(round, mayGoOn);
        }
    }

    /** The kept edges are read and handed to the planning. */
    record Collecting(EdgeScan scan, PlanWork work) implements Phase {
        @Override
        public void step(RepartitionRound round, BooleanSupplier mayGoOn) throws IOException {
            work.result(); // says what is wrong, if anything is
            while (work.takesMore() && mayGoOn.getAsBoolean()) {
                EdgeBatch edges = scan.next(mayGoOn);
                if (!edges.isEmpty()) {
                    work.add(edges);
                }
                if (scan.isOver()) {
                    work.plan();
                    round.phase = new Planning(work);
                    round.status = round.status.in(PlanState.PLANNING);
                    return;
                }
                if (edges.isEmpty()) {
                    return; // they come from other tasks
                }
            }
        }

        @Override
        public void close() {
            scan.close();
            work.close();
        }
    }

    /** The plan is made, in another thread. */
    record Planning(PlanWork work) implements Phase {
        @Override
        public void step(RepartitionRound round, BooleanSupplier mayGoOn) throws IOException {
            RepartitionPlan plan = work.result();
            if (plan != null) {
                round.decide(plan, work);
            }
        }

        @Override
        public void close() {
            work.close();
        }
    }

    /** Edges move. */
    record Moving(MoveSteps moves, PlanWork work) implements Phase {
        @Override
        public void step(RepartitionRound round, BooleanSupplier mayGoOn) throws IOException {
            long moved = moves.step(round.context.nowMillis(), mayGoOn);
            round.status = round.status.moved(moved);
            if (moves.isOver()) {
                close();
                round.phase = round.afterMoves();
            }
        }

        @Override
        public void close() {
            moves.close();
            work.close();
        }
    }

    /** The round has ended: what is closed is opened again by {@link RepartitionRound#finish}. */
    record Over(PlanState state, String reason) implements Phase {
        @Override
        public void step(RepartitionRound round, BooleanSupplier mayGoOn) {}
    }

    /** Continues a round of a checkpoint. */
    RepartitionRound(RoundContext context, RepartitioningState.Running running) {
        this.context = context;
        placement = context.placement();
        command = running.command();
        status = running.status();
        hasBegun = running.hasBegun();
        sinceMillis = running.sinceMillis();
        partitions = status.partitions();
        placement.survey(0);
    }

    /** Begins a round; partitions that are to go are closed at once. */
    static RepartitionRound begin(RoundContext context, JobCommand.Repartition command) {
        LivePlacement placement = context.placement();
        int before = placement.partitions();
        int partitions = command.partitions() == 0 ? before : command.partitions();
        Quality quality = placement.quality();
        RepartitionStatus status = RepartitionStatus.collecting(
                command.id(),
                context.generation(),
                before,
                partitions,
                command.budget(),
                quality.edges() == 0 ? Map.of() : quality.ratios());
        RepartitionRound round = new RepartitionRound(
                context, new RepartitioningState.Running(command, status, false, context.nowMillis()));
        if (round.shrinks() && !command.isDryRun()) {
            context.restrictTo(partitions);
        }
        return round;
    }

    RepartitioningState.Running snapshot() {
        return new RepartitioningState.Running(command, status, hasBegun, sinceMillis);
    }

    String id() {
        return command.id();
    }

    RepartitionStatus status() {
        return hasBegun ? status.moved(placement.movedElsewhere()) : status;
    }

    /** Returns the status with the time that the round has taken. */
    RepartitionStatus statusNow() {
        status = status.after(seconds());
        return status();
    }

    /** Returns the phase that it is in. */
    Phase phase() {
        return phase;
    }

    private boolean shrinks() {
        return partitions < status.partitionsBefore();
    }

    private double budgetLeft() {
        double moved = hasBegun && status.edges() > 0 ? (double) status().edgesMoved() / status.edges() : 0;
        return command.budget() - moved;
    }

    /** Does a part of its work; a failure ends it. */
    void step(BooleanSupplier mayGoOn) {
        try {
            phase.step(this, mayGoOn);
        } catch (IOException e) {
            end(PlanState.ABORTED, String.valueOf(e.getMessage()));
        }
    }

    private void end(PlanState state, String reason) {
        close();
        phase = new Over(state, reason);
    }

    private void decide(RepartitionPlan plan, PlanWork work) throws IOException {
        status = status.withPlan(
                plan.edges(),
                status().edgesMoved() + plan.edgesToMove(),
                plan.expected().ratios());
        boolean isTooLittle = plan.expected().partitions() > partitions;
        if (isTooLittle && !hasBegun) {
            end(
                    PlanState.REFUSED,
                    "a budget of %s does not empty the partitions that are to go; give more"
                            .formatted(command.budget()));
        } else if (command.isDryRun()) {
            end(PlanState.PLANNED, "");
        } else if (command.id().startsWith(OWN) && !hasBegun && !RULE.moves(plan)) {
            context.check(context.lastCheck().declines());
            end(PlanState.PLANNED, "the plan gains too little to be carried out");
        } else {
            context.check(context.lastCheck().carriesOut(plan));
            beginMoves(work);
        }
    }

    private void beginMoves(PlanWork work) throws IOException {
        Moves moves = work.moves();
        if (!hasBegun) {
            hasBegun = true;
            context.beginGeneration();
            int before = placement.partitions();
            if (partitions > before) {
                placement.setPartitions(partitions);
                context.restrictTo(before);
            }
        }
        long edgesPerSecond = placement.share(command.edgesPerSecond());
        EdgeMover mover = placement.mover(moves, edgesPerSecond);
        phase = new Moving(new MoveSteps(mover, moves, edgesPerSecond, context.nowMillis()), work);
        status = status.moving(context.generation());
    }

    private Phase afterMoves() {
        if (!shrinks() || placement.isEmptyFrom(partitions)) {
            return new Over(PlanState.DONE, "");
        }
        if (placement.quality().isEmptyFrom(partitions)) {
            return phase; // a vertex has its owner there, and its edges are buffered: they are placed soon, or go
        }
        // Edges came meanwhile whose place was decided before, or the budget of a plan after a crash was small.
        return ++plansMade == MAX_PLANS
                ? new Over(PlanState.ABORTED, "edges kept coming to the partitions that were to go")
                : new Starting();
    }

    /** Opens what is closed, in whatever phase it was; returns how the round ended. */
    RepartitionStatus finish(PlanState state, String reason) {
        close();
        boolean isDone = state == PlanState.DONE;
        if (isDone && shrinks()) {
            context.restrictTo(placement.partitions());
            placement.setPartitions(partitions);
        }
        context.restrictTo(placement.partitions());
        context.check(context.lastCheck().at(placement.quality().edges()));
        return status().over(
                        state,
                        isDone || state == PlanState.PLANNED ? partitions : placement.partitions(),
                        hasBegun ? placement.quality().ratios() : Map.of(),
                        reason)
                .after(seconds());
    }

    private double seconds() {
        return (context.nowMillis() - sinceMillis) / MILLIS;
    }

    /** Ends the planning, and releases its files. */
    @Override
    public void close() {
        phase.close();
        phase = new Starting();
    }
}
