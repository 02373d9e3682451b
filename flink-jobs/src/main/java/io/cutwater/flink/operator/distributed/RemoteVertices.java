package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.assigner.Totals;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.operator.assigner.BookBuffer;
import io.cutwater.flink.operator.assigner.FlushPace;
import io.cutwater.flink.operator.assigner.ShardBuffers;
import io.cutwater.flink.operator.assigner.VertexAccess;
import io.cutwater.flink.operator.repartition.JobFollower;
import io.cutwater.flink.operator.repartition.JobRepartitioning;
import io.cutwater.flink.types.quality.PartQuality;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.feedback.Resumption;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.ViewJoin;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.feedback.WriteBack;
import io.cutwater.state.feedback.bucket.RemoteEdges;
import io.cutwater.state.feedback.move.FollowingAssigner;
import io.cutwater.state.feedback.move.RemotePlacement;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.repartition.live.RepartitioningState;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.jspecify.annotations.Nullable;

/**
 * Access to vertices in tables in other tasks: a cache of their records. It joins each batch with the answers of the
 * tables for what the cache lacks, and sends back what the engine changed: new replicas, or whole records if it is the
 * only one and the rule changes more ({@link WriteBack}); then it also publishes the book, so that the book that is
 * committed with the shards has the same degrees. Edges are kept in the tables, too ({@link RemoteEdges}), and
 * assigners move them ({@link RemotePlacement}).
 *
 * <p>Its state is in {@link RemoteState}, and what it places edges with in {@link RemoteEngine}.
 */
public final class RemoteVertices implements VertexAccess<NumberedBatch>, ViewJoin.Output {
    /** An assigner that places so many edges in 20 ms is busy. */
    private static final int BUSY_EDGES = 256;

    private final AssignerOperator<NumberedBatch> task;
    private final AssignOptions options;
    private final int number;
    private final boolean hasOwners;
    private final RemoteState state;
    private final RemoteEngine engine;
    private final @Nullable WriteBack writeBack; // that of the engine
    private final ViewJoin join;
    private final GatherTurns sending;
    private final BookBuffer bookChanges;
    private final FlushPace flushPace;
    private final UnconfirmedAge unconfirmedAge;
    private final TakenOver left = new TakenOver();
    private final List<JobCommand> early = new ArrayList<>();
    private final @Nullable RemotePlacement moves; // of the first assigner, if edges are kept
    private final @Nullable JobRepartitioning repartitioning; // then, too
    private @Nullable JobFollower follower; // if another assigner is the first
    private boolean hasTakenMoves;
    private boolean isExact;

    /**
     * Creates an assigner whose vertices are in tables in other tasks.
     *
     * @param ownBudget share of the edges that a re-partitioning of its own may move; 0 for none of its own
     */
    public static AssignerOperator<NumberedBatch> assigner(
            AssignOptions options, SpreadOptions spread, double ownBudget) {
        spread.requireAssignersFor(options);
        return new AssignerOperator<>(
                options, (task, context) -> new RemoteVertices(options, spread, ownBudget, task, context));
    }

    private RemoteVertices(
            AssignOptions options,
            SpreadOptions spread,
            double ownBudget,
            AssignerOperator<NumberedBatch> task,
            StateInitializationContext context)
            throws Exception {
        this.task = task;
        this.options = options;
        TaskInfo info = task.getRuntimeContext().getTaskInfo();
        SpreadOptions.requireTasks("assign batches", spread.assigners(), info);
        number = info.getIndexOfThisSubtask();
        hasOwners = options.kind().hasOwners();
        state = new RemoteState(options, spread, number, context);
        task.takeOver(state.totals());
        isExact = state.isExact();
        flushPace = new FlushPace(task.nowMillis());
        unconfirmedAge = new UnconfirmedAge(state.newUpdates(), spread.buckets());
        bookChanges = new BookBuffer(false, rows -> task.emit(AssignerOperator.BOOK_CHANGES, rows));
        VertexTable.Listener listener = options.publishesBook() ? bookChanges::add : VertexTable.Listener.NONE;
        engine = new RemoteEngine(task, options, spread, state.totals(), listener, this::layOut);
        writeBack = engine.writeBack();
        state.restore(engine);
        if (state.lacksOwners()) {
            engine.loseOwners();
        }
        if (state.takesOver()) {
            left.add(state.algorithm().pieces(), state.algorithm().buffered());
        }
        join = join(spread);
        sending = new GatherTurns(task.getProcessingTimeService(), 0, join::unsentEdges, BUSY_EDGES, join::send);
        if (options.keepsEdges() && number == 0) {
            moves = new RemotePlacement(engine, join.requests(), spread.assigners());
            repartitioning = new JobRepartitioning(
                    task, options, ownBudget, moves, moves::plan, state.repartitionings(), this::sendSoon);
        } else {
            moves = null;
            repartitioning = null;
        }
        follower = options.keepsEdges() && number > 0 ? follower() : null;
    }

    private ViewJoin join(SpreadOptions spread) {
        Resumption resumption = state.resumption();
        VertexTable cache = engine.cache();
        RemoteEdges edges = engine.edges();
        if (writeBack != null) {
            return new ViewJoin(writeBack, spread.buckets(), resumption, this);
        }
        if (edges != null) {
            return ViewJoin.ofOneOfSeveral(number, cache, edges, spread.buckets(), resumption, this);
        }
        long soloEdges = spread.assigners() == 1 ? ViewJoin.ONLY_ONE : number == 0 ? spread.soloEdges(options) : 0;
        int placingPass = spread.placingPass(options);
        return new ViewJoin(number, cache, placingPass, spread.buckets(), resumption, soloEdges, this);
    }

    /** Goes on with what the first assigner had. */
    private JobFollower follower() {
        RepartitioningState restored = state.repartitionings().restored();
        engine.placement().restrictTo(restored.open() == 0 ? engine.partitions() : restored.open());
        engine.setGeneration(restored.generation());
        FollowingAssigner assigner =
                new FollowingAssigner(engine, join.requests(), task::nowMillis, restored.generation());
        return new JobFollower(task, state.repartitionings(), assigner, this::sendSoon);
    }

    private void layOut(int partitions) {
        join.setPartitions(partitions);
    }

    /** Takes over the buffered edges of several assigners, and what the tables have counted. */
    @Override
    public void started() {
        if (left.isDue()) {
            left.restore(engine, hasOwners && writeBack != null);
            int open = state.repartitionings().restored().open();
            if (open > 0) {
                engine.placement().restrictTo(open); // again: before, the loads were not all here
            }
            isExact |= writeBack != null;
            task.place(left.buffered());
            left.buffered().clear();
        }
        sendSoon(); // also what has waited for too long before
        early.forEach(this::command);
        early.clear();
    }

    @Override
    public void open(MetricGroup metrics) {
        new LoopMetrics(metrics)
                .register(
                        () -> engine.placement().placedEdges(),
                        engine::refinedEdges,
                        join,
                        () -> unconfirmedAge.millis(task.nowMillis()));
        task.changed();
        if (repartitioning != null) {
            repartitioning.open(metrics);
        }
    }

    @Override
    public void accept(NumberedBatch batch) {
        join.onBatch(batch);
    }

    @Override
    public void answer(Views views) {
        byte[] fused = views.isReply() ? null : views.handover();
        if (fused != null && views.isRestored()) {
            left.add(TableTotals.fromBytes(fused));
        } else if (fused != null) {
            takeOver(FusedState.Part.fromBytes(fused));
        }
        unconfirmedAge.confirmed(views);
        join.onViews(views);
    }

    /** Takes over a part of the state of a job of one task, before it starts. */
    private void takeOver(FusedState.Part part) {
        takeOver(part.repartitionings());
        Totals totals = part.totals();
        if (totals != null) {
            totals.requireKeeping(options.keepsEdges());
            totals.requireRemovingVertices(options.removesVertices());
            totals.requirePartitions(engine.partitions());
            engine.takeOver(writeBack == null ? totals : totals.withoutReplicas()); // else the tables tell
            task.takeOver(totals);
        }
        engine.loseOwners();
        left.add(part.algorithm(), part.buffered());
        isExact &= writeBack == null;
        join.resume(state.afterOneTask(left.buffered()));
    }

    private void takeOver(RepartitioningState past) {
        if (hasTakenMoves || past.equals(RepartitioningState.NONE)) {
            return; // each table has them
        }
        hasTakenMoves = true;
        state.repartitionings().takeOver(past);
        if (past.generation() > 0 && past.partitions() != engine.partitions()) {
            if (moves == null) {
                engine.setPartitions(past.partitions());
            } else {
                moves.setPartitions(past.partitions()); // which the first of several assigners tells the others
            }
        }
        if (repartitioning != null) {
            repartitioning.takeOver(past);
        }
        if (follower != null) {
            follower.stop();
            follower = follower();
        }
    }

    @Override
    public void replied(Views reply) {
        if (follower != null) {
            follower.replied(reply);
        } else {
            Objects.requireNonNull(moves, "a reply to an assigner that asks for nothing")
                    .replied(reply);
        }
    }

    @Override
    public void command(JobCommand command) {
        if (!join.isStarted()) {
            early.add(command); // a job of one task may have left something
        } else if (repartitioning != null) {
            repartitioning.accept(command);
        } else {
            task.emit(
                    AssignerOperator.PLANS,
                    RepartitionStatus.refused(command.id(), 0, engine.partitions(), JobRepartitioning.NO_EDGES));
        }
    }

    @Override
    public void checkDrift() {
        if (repartitioning != null) {
            repartitioning.checkDrift();
        }
    }

    @Override
    public boolean hasStarted() {
        return join.isStarted();
    }

    @Override
    public Placement placement() {
        return engine.placement();
    }

    @Override
    public ShardBuffers shards() {
        return engine.shards();
    }

    @Override
    public void observed(EdgeBatch batch) {
        task.skip(batch);
    }

    @Override
    public void joined(EdgeBatch batch) {
        task.place(batch);
        if (writeBack != null) {
            flushPace.writeAhead(writeBack.cache(), task.nowMillis());
        }
        if (engine.placement().chosenMoves() > 0 && !engine.lacksOwners()) {
            makeOwnMoves();
        }
        sendSoon();
    }

    private void makeOwnMoves() {
        if (repartitioning != null) {
            repartitioning.makeOwnMoves();
        } else if (follower != null) {
            follower.makeOwnMoves();
        }
    }

    @Override
    public void mastered(long vertex) {
        if (hasOwners) {
            placement().mastered(vertex, shards());
            placedHeld();
            task.changed();
        }
    }

    @Override
    public void moved(long vertex, int from, int to, EdgeBatch moved) {
        placement().ownerMoved(vertex, from, to, moved, shards());
        placedHeld();
        task.changed();
    }

    @Override
    public void placedHeld() {
        sendSoon();
    }

    private void sendSoon() {
        sending.begin();
    }

    @Override
    public void exhausted() {
        stopMoves();
        placement().placeHeld(shards());
    }

    @Override
    public void publish(VertexUpdate update) {
        unconfirmedAge.sent(update, task.nowMillis());
        task.emit(AssignerOperator.UPDATES, update);
    }

    @Override
    public void report(long deadLetters, long progress, int pass) {
        Quality quality = placement().quality(deadLetters);
        task.emit(
                AssignerOperator.PART_QUALITY,
                new PartQuality(number, isExact, quality, pass, progress, engine.unknownRemovals()));
    }

    @Override
    public void beforeBarrier() {
        flushPace.barrier(task.nowMillis());
        join.flush();
        flushOutput();
    }

    private void flushOutput() {
        shards().flush();
        bookChanges.flush();
    }

    @Override
    public void snapshot(long deadLetters, long progress) throws Exception {
        join.requireNothingHalfJoined();
        state.update(engine, join.lineages(), isExact, deadLetters, progress);
        if (repartitioning != null) {
            repartitioning.snapshot();
        }
        if (follower != null) {
            follower.snapshot();
        }
    }

    @Override
    public boolean end(int input) {
        if (input == EDGES) {
            join.endBatches();
            return false;
        }
        if (!join.hasEnded()) {
            throw new IllegalStateException(
                    "the vertex tables have ended before this placement; please report this as a defect");
        }
        flushOutput();
        return true;
    }

    /** Stops the planning threads. */
    @Override
    public void close() {
        placement().dropPlan();
        if (moves != null) {
            moves.abandon();
        }
        stopMoves();
    }

    private void stopMoves() {
        if (repartitioning != null) {
            repartitioning.stop();
        }
        if (follower != null) {
            follower.stop();
        }
    }
}
