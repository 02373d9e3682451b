package io.cutwater.state.repartition.live;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.DriftCheck;
import io.cutwater.state.repartition.DriftRule;
import io.cutwater.state.repartition.RepartitionPlan;
import java.io.Closeable;
import java.io.IOException;
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
    private static final int MAX_ROUNDS = 10;
    private static final double MILLIS = 1e3;
    /** Prefix of the ids of re-partitionings that the job starts itself. */
    private static final String OWN = "auto-";

    private static final DriftRule RULE = DriftRule.USUAL;
    /** The fewest edges of a graph that the job re-partitions by itself. */
    private static final long FEWEST_EDGES = 1_000;

    private final LivePlacement placement;
    private final PlanStarter plans;
    private final Consumer<RepartitionStatus> statuses;
    private final LongSupplier nowMillis;
    private final Map<String, RepartitionStatus> over = new LinkedHashMap<>();
    private long generation;
    private long ownRounds;
    private DriftCheck lastCheck;
    private int open;
    private @Nullable Round round;
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

    /** A running re-partitioning. */
    private static final class Round {
        final JobCommand.Repartition command;
        final long sinceMillis;
        final int partitions;
        RepartitionStatus status;
        boolean hasBegun;
        int rounds;

        @Nullable EdgeScan scan;

        @Nullable PlanWork work;

        @Nullable MoveSteps moves;

        Round(JobCommand.Repartition command, RepartitionStatus status, boolean hasBegun, long sinceMillis) {
            this.command = command;
            this.sinceMillis = sinceMillis;
            this.hasBegun = hasBegun;
            this.status = status;
            partitions = status.partitions();
        }

        boolean shrinks() {
            return partitions < status.partitionsBefore();
        }
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
        this.plans = plans;
        this.statuses = statuses;
        this.nowMillis = nowMillis;
        generation = state.generation();
        ownRounds = state.ownRounds();
        lastCheck = state.lastCheck();
        open = state.open();
        state.over().forEach(status -> over.put(status.id(), status));
        placement.setGeneration(generation);
        if (open > 0) {
            placement.restrictTo(open);
        }
        RepartitioningState.Running running = state.running();
        if (running != null) {
            round = new Round(running.command(), running.status(), running.hasBegun(), running.sinceMillis());
        }
    }

    /** For a checkpoint. */
    public RepartitioningState snapshot() {
        Round now = round;
        return new RepartitioningState(
                generation,
                open,
                ownRounds,
                lastCheck,
                now == null
                        ? null
                        : new RepartitioningState.Running(now.command, now.status, now.hasBegun, now.sinceMillis),
                new ArrayList<>(over.values()));
    }

    /** Returns whether {@link #step} has work. */
    public boolean isRunning() {
        return round != null;
    }

    /** Returns the generation of the last started plan; 0 for none. */
    public long generation() {
        return generation;
    }

    /** Returns the status of the running re-partitioning; null if none runs. */
    public @Nullable RepartitionStatus status() {
        Round now = round;
        return now == null ? null : now.status;
    }

    /**
     * Starts a command or refuses it with a reason. For a command whose id has ended before, only its status is
     * repeated.
     */
    public void accept(JobCommand command) {
        Round now = round;
        RepartitionStatus last = over.get(command.id());
        if (last != null) {
            statuses.accept(last);
        } else if (command instanceof JobCommand.Repartition repartition) {
            if (now == null) {
                begin(repartition);
            } else if (now.command.id().equals(command.id())) {
                statuses.accept(now.status);
            } else {
                refuse(
                        command.id(),
                        "re-partitioning %s runs; wait for its end, or abort it".formatted(now.command.id()));
            }
        } else if (now != null && now.command.id().equals(command.id())) {
            finish(now, PlanState.ABORTED, "it was asked for");
        } else {
            statuses.accept(RepartitionStatus.refused(
                    command.id(), generation, placement.partitions(), "there is no re-partitioning of that id"));
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
        Quality now = placement.quality();
        if (now.edges() >= FEWEST_EDGES && RULE.isDue(now.edges(), lastCheck, now)) {
            lastCheck = lastCheck.at(now.edges());
            begin(new JobCommand.Repartition(OWN + ++ownRounds, 0, budget, Long.MAX_VALUE, false));
        }
    }

    private void refuse(String id, String reason) {
        end(RepartitionStatus.refused(id, generation, placement.partitions(), reason));
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
        String refusal = placement.refusal();
        if (!refusal.isEmpty()) {
            refuse(command.id(), refusal);
            return;
        }
        int before = placement.partitions();
        int partitions = command.partitions() == 0 ? before : command.partitions();
        Round begun = new Round(
                command,
                RepartitionStatus.collecting(
                        command.id(),
                        generation,
                        before,
                        partitions,
                        placement.quality().ratios()),
                false,
                nowMillis.getAsLong());
        round = begun;
        if (begun.shrinks() && !command.isDryRun()) {
            restrictTo(partitions);
        }
        tell(begun, true);
    }

    private void restrictTo(int partitions) {
        open = partitions == placement.partitions() ? 0 : partitions;
        placement.restrictTo(partitions);
    }

    /**
     * Goes on.
     *
     * @param mayGoOn whether there is time left, asked every few edges
     */
    public void step(BooleanSupplier mayGoOn) {
        Round now = round;
        if (now == null) {
            return;
        }
        PlanState before = now.status.state();
        try {
            if (now.moves != null) {
                move(now, now.moves, mayGoOn);
            } else if (now.work == null) {
                collect(now, mayGoOn);
            } else if (now.scan != null) {
                scan(now, now.scan, now.work, mayGoOn);
            } else {
                awaitPlan(now, now.work);
            }
        } catch (IOException e) {
            finish(now, PlanState.ABORTED, String.valueOf(e.getMessage()));
        }
        if (round == now) {
            tell(now, now.status.state() != before);
        }
    }

    private void collect(Round now, BooleanSupplier mayGoOn) throws IOException {
        double budget = now.command.budget();
        if (now.hasBegun && now.status.edges() > 0) {
            budget -= (double) now.status.edgesMoved() / now.status.edges();
        }
        if (budget <= 0 && !now.shrinks()) {
            close(now);
            finish(now, PlanState.DONE, "");
            return;
        }
        // What is on partitions that go must go, whatever a crash has cost.
        PlanWork work = plans.begin(now.partitions, placement.partitions(), budget > 0 ? budget : now.command.budget());
        now.work = work;
        placement.beginScan();
        now.scan = new EdgeScan(placement);
        now.status = now.status.in(PlanState.COLLECTING);
        scan(now, now.scan, work, mayGoOn);
    }

    private void scan(Round now, EdgeScan scan, PlanWork work, BooleanSupplier mayGoOn) throws IOException {
        work.result(); // says what is wrong, if anything is
        while (work.takesMore() && mayGoOn.getAsBoolean()) {
            EdgeBatch edges = scan.next(mayGoOn);
            if (!edges.isEmpty()) {
                work.add(edges);
            }
            if (scan.isOver()) {
                now.scan = null;
                work.plan();
                now.status = now.status.in(PlanState.PLANNING);
                return;
            }
        }
    }

    private void awaitPlan(Round now, PlanWork work) throws IOException {
        RepartitionPlan plan = work.result();
        if (plan == null) {
            return;
        }
        now.status = now.status.withPlan(
                plan.edges(),
                now.status.edgesMoved() + plan.edgesToMove(),
                plan.expected().ratios());
        boolean isTooLittle = plan.expected().partitions() > now.partitions;
        if (isTooLittle && !now.hasBegun) {
            finish(
                    now,
                    PlanState.REFUSED,
                    "a budget of %s does not empty the partitions that are to go; give more"
                            .formatted(now.command.budget()));
        } else if (now.command.isDryRun()) {
            finish(now, PlanState.PLANNED, "");
        } else if (isOwn(now) && !now.hasBegun && !RULE.moves(plan)) {
            lastCheck = lastCheck.declines();
            finish(now, PlanState.PLANNED, "the plan gains too little to be carried out");
        } else {
            lastCheck = lastCheck.carriesOut(plan);
            beginMoves(now, new MoveSteps(work.moves(), now.command.edgesPerSecond(), nowMillis.getAsLong()));
        }
    }

    private static boolean isOwn(Round now) {
        return now.command.id().startsWith(OWN);
    }

    private void beginMoves(Round now, MoveSteps moves) {
        if (!now.hasBegun) {
            now.hasBegun = true;
            placement.setGeneration(++generation);
            int before = placement.partitions();
            if (now.partitions > before) {
                placement.setPartitions(now.partitions);
                restrictTo(before);
            }
        }
        now.moves = moves;
        now.status = now.status.moving(generation);
    }

    private void move(Round now, MoveSteps moves, BooleanSupplier mayGoOn) throws IOException {
        long moved = moves.step(placement, nowMillis.getAsLong(), mayGoOn);
        now.status = now.status.moved(moved);
        if (!moves.isOver()) {
            return;
        }
        close(now);
        if (now.shrinks() && !placement.isEmptyFrom(now.partitions)) {
            // Edges came to them meanwhile whose place was decided before, or the budget of a plan after a crash was
            // small.
            if (++now.rounds == MAX_ROUNDS) {
                finish(now, PlanState.ABORTED, "edges kept coming to the partitions that were to go");
            }
            return;
        }
        finish(now, PlanState.DONE, "");
    }

    /** Opens what is closed, in whatever phase it was, and says how it ended. */
    private void finish(Round now, PlanState state, String reason) {
        close(now);
        boolean isDone = state == PlanState.DONE;
        if (isDone && now.shrinks()) {
            restrictTo(placement.partitions());
            placement.setPartitions(now.partitions);
        }
        restrictTo(placement.partitions());
        round = null;
        lastCheck = lastCheck.at(placement.quality().edges());
        end(now.status
                .over(
                        state,
                        isDone || state == PlanState.PLANNED ? now.partitions : placement.partitions(),
                        now.hasBegun ? placement.quality().ratios() : Map.of(),
                        reason)
                .after(seconds(now)));
    }

    private static void close(Round now) {
        now.scan = null;
        if (now.moves != null) {
            now.moves.close();
            now.moves = null;
        }
        if (now.work != null) {
            now.work.close();
            now.work = null;
        }
    }

    private void tell(Round now, boolean atOnce) {
        long millis = nowMillis.getAsLong();
        if (atOnce || millis - lastStatusMillis >= STATUS_MILLIS) {
            lastStatusMillis = millis;
            now.status = now.status.after(seconds(now));
            statuses.accept(now.status);
        }
    }

    private double seconds(Round now) {
        return (nowMillis.getAsLong() - now.sinceMillis) / MILLIS;
    }

    /** Ends the planning; the checkpoint knows what ran. */
    @Override
    public void close() {
        if (round != null) {
            close(round);
        }
    }
}
