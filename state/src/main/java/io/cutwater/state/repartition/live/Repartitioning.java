package io.cutwater.state.repartition.live;

import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.DriftRule;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Re-partitionings of a running job, one at a time: reads the kept edges, plans, and moves edges, in steps of a few
 * milliseconds between which the stream continues.
 *
 * <p>A plan is not kept. After a crash in any phase, the edges are read again with their current places and planned
 * again with the remaining budget. This needs nothing of the previous plan: the state has the places of moved edges.
 *
 * <p>Additional partitions are created before the first edge moves and stay closed to the live rule until the last edge
 * has moved. Removed partitions are closed from the beginning and removed once they are empty.
 */
public final class Repartitioning implements Closeable {
    private static final int REMEMBERED = 256;
    private static final long STATUS_MILLIS = 1000;

    /** The fewest edges of a graph that the job re-partitions by itself. */
    private static final long FEWEST_EDGES = 1_000;

    /** Share of the edges of one task that has changed when the quality of all is asked for again. */
    private static final double SURVEYED_CHANGE = 0.01;

    private final RoundContext context;
    private final LivePlacement placement;
    private final Consumer<RepartitionStatus> statuses;
    private final Map<String, RepartitionStatus> over = new LinkedHashMap<>();
    private long ownRounds;
    private @Nullable RepartitionRound round;
    private long lastStatusMillis;

    /** Begins a planning. */
    @FunctionalInterface
    public interface PlanStarter {
        /**
         * @param partitions k of the plan
         * @param partitionsBefore current k
         * @param budget edges that may move, as a share of all, above 0 and at most 1
         */
        PlanWork begin(int partitions, int partitionsBefore, double budget);
    }

    /**
     * @param state what a checkpoint had, {@link RepartitioningState#NONE} for nothing; the placement has its number of
     *     partitions
     * @param statuses receives how a re-partitioning stands, about once a second
     * @param nowMillis the time of day
     */
    public Repartitioning(
            LivePlacement placement,
            PlanStarter plans,
            Consumer<RepartitionStatus> statuses,
            LongSupplier nowMillis,
            RepartitioningState state) {
        this.placement = placement;
        this.statuses = statuses;
        context = new RoundContext(placement, plans, nowMillis, state);
        ownRounds = state.ownRounds();
        state.over().forEach(status -> over.put(status.id(), status));
        RepartitioningState.Running running = state.running();
        if (running != null) {
            round = new RepartitionRound(context, running);
        }
    }

    /** Returns the state for a checkpoint. */
    public RepartitioningState snapshot() {
        RepartitionRound now = round;
        return new RepartitioningState(
                context.generation(),
                context.open(),
                placement.partitions(),
                ownRounds,
                context.lastCheck(),
                now == null ? null : now.snapshot(),
                new ArrayList<>(over.values()));
    }

    /** Returns whether a re-partitioning runs. */
    public boolean isRunning() {
        return round != null;
    }

    /**
     * Returns whether {@link #step} has work: one runs, or other tasks have yet to be told of its end, or the placement
     * has moves of its own.
     */
    public boolean hasWork() {
        return round != null || !placement.settle() || placement.hasMovesOfItsOwn();
    }

    /** Returns the generation of the last started plan; 0 for none. */
    public long generation() {
        return context.generation();
    }

    /** Returns the status of the running re-partitioning; null if none runs. */
    public @Nullable RepartitionStatus status() {
        RepartitionRound now = round;
        return now == null ? null : now.status();
    }

    /** Returns the last status of the last re-partitioning that moved all that it planned; null for none. */
    public @Nullable RepartitionStatus lastDone() {
        RepartitionStatus last = null;
        for (RepartitionStatus status : over.values()) {
            last = status.state() == PlanState.DONE ? status : last;
        }
        return last;
    }

    /**
     * Starts a command or refuses it with a reason. For a command whose id has ended before, only its status is
     * repeated, unless that is of another command.
     */
    public void accept(JobCommand command) {
        RepartitionRound now = round;
        RepartitionStatus last = over.get(command.id());
        if (last != null) {
            String conflict = command instanceof JobCommand.Repartition again ? again.conflict(last) : "";
            statuses.accept(
                    conflict.isEmpty()
                            ? last
                            : RepartitionStatus.refused(
                                    command.id(), context.generation(), placement.partitions(), conflict));
        } else if (command instanceof JobCommand.Repartition repartition) {
            if (now == null) {
                begin(repartition);
            } else if (now.id().equals(command.id())) {
                statuses.accept(now.status());
            } else {
                refuse(command.id(), "re-partitioning %s runs; wait for its end, or abort it".formatted(now.id()));
            }
        } else if (now != null && now.id().equals(command.id())) {
            finish(now, PlanState.ABORTED, "it was asked for");
        } else {
            statuses.accept(RepartitionStatus.refused(
                    command.id(),
                    context.generation(),
                    placement.partitions(),
                    "there is no re-partitioning of that id"));
        }
    }

    /**
     * Begins a round of the job's own if the graph has changed enough, see {@link DriftRule}.
     *
     * @param budget edges that may move in it, as a share of all; 0 if the job moves none by itself
     */
    public void checkDrift(double budget) {
        if (budget == 0 || round != null) {
            return;
        }
        if (!placement.settle()) {
            return;
        }
        Quality now = placement.quality(); // of the last survey, if there are several tasks
        if (now.edges() >= FEWEST_EDGES && RepartitionRound.RULE.isDue(now.edges(), context.lastCheck(), now)) {
            context.check(context.lastCheck().at(now.edges()));
            begin(new JobCommand.Repartition(RepartitionRound.OWN + ++ownRounds, 0, budget, Long.MAX_VALUE, false));
        } else {
            placement.survey(SURVEYED_CHANGE);
        }
    }

    private void refuse(String id, String reason) {
        end(RepartitionStatus.refused(id, context.generation(), placement.partitions(), reason));
    }

    /** The last word on a re-partitioning. */
    private void end(RepartitionStatus status) {
        over.put(status.id(), status);
        if (over.size() > REMEMBERED) {
            over.remove(over.keySet().iterator().next());
        }
        statuses.accept(status);
    }

    private void begin(JobCommand.Repartition command) {
        int wanted = command.partitions() == 0 ? placement.partitions() : command.partitions();
        String refusal = placement.refusal(wanted);
        if (!refusal.isEmpty()) {
            refuse(command.id(), refusal);
            return;
        }
        RepartitionRound begun = RepartitionRound.begin(context, command);
        round = begun;
        tell(begun, true);
    }

    /**
     * Does a part of the work of the running re-partitioning; if none runs, of the moves of the placement's own.
     *
     * @param mayGoOn whether there is time left, asked every few edges
     */
    public void step(BooleanSupplier mayGoOn) {
        RepartitionRound now = round;
        if (now == null) {
            placement.makeOwnMoves(mayGoOn);
            return;
        }
        PlanState before = now.status().state();
        now.step(mayGoOn);
        if (now.phase() instanceof RepartitionRound.Over outcome) {
            finish(now, outcome.state(), outcome.reason());
        } else {
            tell(now, now.status().state() != before);
        }
    }

    private void finish(RepartitionRound now, PlanState state, String reason) {
        round = null;
        end(now.finish(state, reason));
    }

    private void tell(RepartitionRound now, boolean atOnce) {
        long millis = context.nowMillis();
        if (atOnce || millis - lastStatusMillis >= STATUS_MILLIS) {
            lastStatusMillis = millis;
            statuses.accept(now.statusNow());
        }
    }

    /** Ends the planning; the checkpoint knows what ran. */
    @Override
    public void close() {
        placement.stopOwnMoves();
        if (round != null) {
            round.close();
        }
    }
}
