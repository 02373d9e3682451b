package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.assigner.AlgorithmState;
import io.cutwater.flink.checkpoint.assigner.AssignerState;
import io.cutwater.flink.checkpoint.assigner.StoredRepartitioning;
import io.cutwater.flink.checkpoint.assigner.Totals;
import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.operator.assigner.BookBuffer;
import io.cutwater.flink.operator.assigner.FlushPace;
import io.cutwater.flink.operator.assigner.ShardBuffers;
import io.cutwater.flink.operator.assigner.VertexAccess;
import io.cutwater.flink.operator.repartition.JobFollower;
import io.cutwater.flink.operator.repartition.JobRepartitioning;
import io.cutwater.flink.types.quality.PartQuality;
import io.cutwater.state.feedback.Lineage;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.feedback.Resumption;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.ViewJoin;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.feedback.WriteBack;
import io.cutwater.state.feedback.bucket.EdgesBySource;
import io.cutwater.state.feedback.bucket.RemoteEdges;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.feedback.move.FollowingAssigner;
import io.cutwater.state.feedback.move.RemotePlacement;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.repartition.live.RepartitioningState;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.TeamLoads;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongPredicate;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.jspecify.annotations.Nullable;

/**
 * Access to vertices in tables in other tasks: a cache of their records. It joins each batch with the answers of the
 * tables for what the cache lacks, and sends back what the engine changed: new replicas, or whole records if it is the
 * only one and the rule changes more ({@link WriteBack}); then it also publishes the book, so that the book that is
 * committed with the shards has the same degrees. Edges are kept in the tables, too ({@link RemoteEdges}), and
 * assigners move them ({@link RemotePlacement}).
 *
 * <p>Its state is one list element for each lineage, in no order: the placement that gets a lineage when the number of
 * assigners changes goes on with it. The state of the rule and the buffered edges are in lists, too. Whoever writes
 * whole records adds those of the vertices of buffered edges, because these are in the cache only.
 */
public final class RemoteVertices implements VertexAccess<NumberedBatch>, ViewJoin.Output, RemotePlacement.Engine {
    static final ListStateDescriptor<byte[]> LINEAGES =
            new ListStateDescriptor<>("lineages", BytePrimitiveArraySerializer.INSTANCE);
    /** Has an element if one assigner has sent whole records where several send changes. */
    static final ListStateDescriptor<byte[]> WHOLE_RECORDS =
            new ListStateDescriptor<>("whole-records", BytePrimitiveArraySerializer.INSTANCE);

    /** Has an element if edges of owned vertices may be kept without owners that are true, until there is a plan. */
    static final ListStateDescriptor<byte[]> WITHOUT_OWNERS =
            new ListStateDescriptor<>("edges-without-owners", BytePrimitiveArraySerializer.INSTANCE);

    private static final byte[] YES = {1};

    /** An assigner that places so many edges in 20 ms is busy. */
    private static final int BUSY_EDGES = 256;

    private final AssignerOperator<NumberedBatch> task;
    private final int number;
    private final int assigners;
    private final ListState<byte[]> lineagesState;
    private final ListState<byte[]> wholeRecordsState;
    private final ListState<byte[]> withoutOwnersState;
    private boolean lacksOwners;
    private final BufferedVertices bufferedVertices;
    private final AlgorithmState algorithmState;
    private final AssignOptions options;
    private PartitionLoads loads;
    private final @Nullable WriteBack writeBack;
    private final VertexTable cache;
    private final @Nullable RemoteEdges edges;
    private final BookBuffer bookChanges;
    private final FlushPace flushPace;
    private Placement placement;
    private final ViewJoin join;
    private ShardBuffers shards;
    private long generation;
    private final long newUpdates;
    private final UnconfirmedAge unconfirmedAge;
    private final LongPredicate isOfSource;
    private boolean isExact;
    private final SpreadOptions spread;
    private final List<Lineage> lineages;
    private final List<byte[]> algorithmOfOthers = new ArrayList<>();
    private final EdgeBatch bufferedByOthers = new EdgeBatch(1);
    private boolean takesOver;
    private final List<byte[]> tableCounts = new ArrayList<>();
    private final List<JobCommand> early = new ArrayList<>();
    private final boolean keepsEdges;
    private final boolean hasOwners;
    private final @Nullable RemotePlacement moves;
    private final @Nullable JobRepartitioning repartitioning;
    private final StoredRepartitioning repartitionings;
    private boolean hasTakenMoves;
    private @Nullable JobFollower follower; // if another assigner is the first
    private long unknownRemovalsBefore;
    private long refinedBefore;
    private final GatherTurns sending;

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
        TaskInfo info = task.getRuntimeContext().getTaskInfo();
        SpreadOptions.requireTasks("assign batches", spread.assigners(), info);
        number = info.getIndexOfThisSubtask();
        assigners = spread.assigners();
        this.options = options;
        boolean isShared = spread.sharesEdges(options);
        repartitionings = new StoredRepartitioning(context.getOperatorStateStore());
        RepartitioningState restored = repartitionings.restored();
        int k = options.partitioner().partitionCount();
        lineagesState = context.getOperatorStateStore().getListState(LINEAGES);
        List<AssignerState> states = new ArrayList<>();
        for (byte[] bytes : lineagesState.get()) {
            // After a re-partitioning the state, not the options, says how many partitions there are.
            states.add(
                    restored.generation() > 0
                            ? AssignerState.fromBytes(bytes, spread.buckets())
                            : AssignerState.fromBytes(bytes, k, spread.buckets()));
        }
        loads = new PartitionLoads(
                restored.partitions() > 0
                        ? restored.partitions()
                        : states.isEmpty() ? k : states.get(0).totals().loads().partitionCount());
        boolean allExact = spread.assigners() == 1;
        boolean anyExact = false;
        this.spread = spread;
        lineages = new ArrayList<>();
        for (AssignerState state : states) {
            lineages.add(state.lineage());
            allExact &= state.isExact();
            anyExact |= state.isExact();
            state.totals().requireKeeping(options.keepsEdges());
            takeOver(state.totals());
        }
        boolean areSeveral = !states.isEmpty() && !allExact; // as far as this assigner sees
        wholeRecordsState = context.getOperatorStateStore().getUnionListState(WHOLE_RECORDS);
        boolean wereWhole = wholeRecordsState.get().iterator().hasNext();
        boolean writesBack = spread.writesBack(options);
        takesOver = writesBack && areSeveral && !wereWhole;
        boolean isOtherForm = takesOver || !writesBack && wereWhole;
        isExact = assigners == 1 && !areSeveral;
        if (takesOver) { // the tables tell
            loads = new PartitionLoads(loads.edges(), new long[loads.partitionCount()], 0);
        }
        requireFormOf(wereWhole, anyExact, spread, options);
        withoutOwnersState = context.getOperatorStateStore().getUnionListState(WITHOUT_OWNERS);
        lacksOwners = wereWhole || withoutOwnersState.get().iterator().hasNext();
        isOfSource = source -> EdgesBySource.assigner(source, spread.buckets(), spread.assigners()) == number;
        if (lineages.isEmpty()) {
            // The high half of a random UUID: 60 random bits, of which a job needs a few in its life.
            lineages.add(new Lineage(UUID.randomUUID().getMostSignificantBits(), spread.buckets()));
        }
        newUpdates = lineages.get(0).id();
        unconfirmedAge = new UnconfirmedAge(spread.buckets());
        bufferedVertices = new BufferedVertices(context);
        algorithmState = options.keepsEdges()
                ? AlgorithmState.bySource(context.getOperatorStateStore(), isOfSource, assigners == 1)
                : new AlgorithmState(context.getOperatorStateStore());
        if (takesOver) {
            algorithmOfOthers.addAll(algorithmState.pieces());
            bufferedByOthers.addAll(algorithmState.buffered());
        }
        Resumption resumption = isOtherForm
                ? new Resumption(
                        lineages, true, takesOver, algorithmState.buffered(), spread.degreeChange(options, false))
                : Resumption.of(lineages, spread.catchesUp(options));
        flushPace = new FlushPace(task.nowMillis());
        bookChanges = new BookBuffer(false, rows -> task.emit(AssignerOperator.BOOK_CHANGES, rows));
        VertexTable.Listener listener = options.publishesBook() ? bookChanges::add : VertexTable.Listener.NONE;
        keepsEdges = options.keepsEdges();
        hasOwners = options.kind().hasOwners();
        RemoteEdges edges = !keepsEdges
                ? null
                : isShared
                        ? RemoteEdges.ofOneOfSeveral(!options.kind().hasOwners(), spread.buckets())
                        : new RemoteEdges(!options.kind().hasOwners(), spread.buckets());
        AssignOptions now = options.withPartitions(loads.partitionCount());
        writeBack = writesBack ? new WriteBack(now.layout(), listener, edges) : null;
        cache = writeBack == null ? new VertexTable(now.layout()) : writeBack.cache();
        this.edges = edges;
        placement = now.placement(cache, loads, edges);
        if (writeBack == null) {
            placement.shareVertices(number, assigners);
            algorithmState.restore(placement);
            if (!hasOwners) { // owners are those that the tables tell
                restoreRecords(cache, placement.heldEdges());
            }
            int placingPass = spread.placingPass(options);
            long soloEdges = assigners == 1 ? ViewJoin.ONLY_ONE : number == 0 ? spread.soloEdges(options) : 0;
            join = edges != null
                    ? ViewJoin.ofOneOfSeveral(number, cache, edges, spread.buckets(), resumption, this)
                    : new ViewJoin(number, cache, placingPass, spread.buckets(), resumption, soloEdges, this);
        } else {
            WriteBack only = writeBack;
            if (!takesOver) {
                bufferedVertices.restore((record, vertex) -> only.restore(vertex, record), 0);
                algorithmState.restore(placement); // whose vertices come first
            }
            join = new ViewJoin(writeBack, spread.buckets(), resumption, this);
        }
        sending = new GatherTurns(task.getProcessingTimeService(), 0, join::unsentEdges, BUSY_EDGES, join::send);
        shards = new ShardBuffers(options.kind(), loads.partitionCount(), task::emit);
        if (keepsEdges && number == 0) {
            moves = new RemotePlacement(this, join.requests(), spread.assigners());
            repartitioning = new JobRepartitioning(
                    task, options, ownBudget, moves, moves::plan, repartitionings, this::sendSoon);
        } else {
            moves = null;
            repartitioning = null;
        }
        follower = keepsEdges && number > 0 ? follower() : null;
    }

    /** Goes on with what the first assigner had. */
    private JobFollower follower() {
        RepartitioningState restored = repartitionings.restored();
        placement.restrictTo(restored.open() == 0 ? loads.partitionCount() : restored.open());
        setGeneration(restored.generation());
        FollowingAssigner assigner =
                new FollowingAssigner(this, join.requests(), task::nowMillis, restored.generation());
        return new JobFollower(task, repartitionings, assigner, this::sendSoon);
    }

    /**
     * Loads the records of the vertices of buffered edges, as far as this assigner or one before it has stored them.
     */
    private void restoreRecords(VertexTable cache, EdgeBatch buffered) throws Exception {
        VertexSet vertices = VertexSet.of(buffered);
        bufferedVertices.restore(
                (record, vertex) -> {
                    if (vertices.find(vertex) != SlotIndex.NO_SLOT && !RecordExchange.has(cache, vertex)) {
                        RecordExchange.load(cache, vertex, record);
                    }
                },
                loads.partitionCount());
    }

    /**
     * @throws SuppressRestartsException if the checkpoint is of one assigner of an earlier build, which has not told
     *     all that it has sent whole records, and several go on
     */
    private static void requireFormOf(
            boolean wereWhole, boolean anyExact, SpreadOptions spread, AssignOptions options) {
        if (SpreadOptions.storesDependOnAssigners(options) && spread.assigners() > 1 && anyExact && !wereWhole) {
            throw FinalFailure.of("the savepoint of one assigner is of an earlier build; resume it with"
                    + " --assigners 1, and what the job stops with then with more");
        }
    }

    /** Takes over the buffered edges of several assigners, and what the tables have counted. */
    @Override
    public void started() {
        if (takesOver) {
            List<byte[]> owners = new ArrayList<>();
            for (byte[] counts : tableCounts) {
                TableTotals ofTable = TableTotals.fromBytes(counts);
                loads.addAll(ofTable.loads().first(loads.partitionCount()));
                ofTable.owners().ifPresent(owners::add);
            }
            tableCounts.clear();
            placement.restoreParts(algorithmOfOthers);
            if (hasOwners && writeBack != null) {
                placement.recountOwners(owners);
            }
            algorithmOfOthers.clear();
            int open = repartitionings.restored().open();
            if (open > 0) {
                placement.restrictTo(open); // again: before, the loads were not all here
            }
            takesOver = false;
            isExact |= writeBack != null;
            task.place(bufferedByOthers);
            bufferedByOthers.clear();
        }
        sendSoon(); // also what has waited for too long before
        early.forEach(this::command);
        early.clear();
    }

    private void takeOver(Totals totals) {
        loads.addAll(totals.loads().first(loads.partitionCount())); // another one may not have heard of the last change
        unknownRemovalsBefore += totals.unknownRemovals();
        task.takeOver(totals);
    }

    @Override
    public void open(MetricGroup metrics) {
        new LoopMetrics(metrics)
                .register(
                        () -> placement.placedEdges(),
                        () -> refinedBefore + placement.refinedEdges(),
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
            tableCounts.add(fused);
        } else if (fused != null) {
            takeOver(FusedState.Part.fromBytes(fused));
        }
        for (int i = 0; i < views.lineageCount(); i++) {
            if (views.lineage(i) == newUpdates) {
                unconfirmedAge.confirmed(views.confirmedBucket(i), views.confirmed(i));
            }
        }
        join.onViews(views);
    }

    /** Takes over a part of the state of a job of one task, before it starts. */
    private void takeOver(FusedState.Part part) {
        takeOver(part.repartitionings());
        Totals totals = part.totals();
        if (totals != null) {
            totals.requireKeeping(keepsEdges);
            totals.requireRemovingVertices(options.removesVertices());
            PartitionLoads ofAll = totals.loads();
            if (ofAll.partitionCount() != loads.partitionCount()) {
                throw FinalFailure.of(
                        "the checkpoint has %d partitions, the job was started with %d: resume it with --partitions %d"
                                .formatted(ofAll.partitionCount(), loads.partitionCount(), ofAll.partitionCount()));
            }
            loads.addAll(
                    writeBack == null ? ofAll : new PartitionLoads(ofAll.edges(), new long[ofAll.partitionCount()], 0));
            unknownRemovalsBefore += totals.unknownRemovals();
            task.takeOver(totals);
        }
        lacksOwners = true;
        algorithmOfOthers.addAll(part.algorithm());
        bufferedByOthers.addAll(part.buffered());
        takesOver = true;
        isExact &= writeBack == null; // else the tables tell
        boolean catchesUp = spread.catchesUp(options);
        join.resume(new Resumption(
                lineages, catchesUp, writeBack != null, bufferedByOthers, spread.degreeChange(options, true)));
    }

    private void takeOver(RepartitioningState left) {
        if (hasTakenMoves || left.equals(RepartitioningState.NONE)) {
            return; // each table has them
        }
        hasTakenMoves = true;
        repartitionings.takeOver(left);
        if (left.generation() > 0 && left.partitions() != loads.partitionCount()) {
            if (moves == null) {
                setPartitions(left.partitions());
            } else {
                moves.setPartitions(left.partitions()); // which the first of several assigners tells the others
            }
        }
        if (repartitioning != null) {
            repartitioning.takeOver(left);
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
                    RepartitionStatus.refused(command.id(), 0, loads.partitionCount(), JobRepartitioning.NO_EDGES));
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
        return placement;
    }

    @Override
    public ShardBuffers shards() {
        return shards;
    }

    @Override
    public PlacedEdges into() {
        return shards;
    }

    @Override
    public PartitionLoads loads() {
        return loads;
    }

    @Override
    public int partitions() {
        return loads.partitionCount();
    }

    @Override
    public void setPartitions(int partitions) {
        placement.dropPlan();
        shards.flush();
        List<byte[]> algorithm = placement.snapshot();
        EdgeBatch held = placement.heldEdges();
        join.setPartitions(partitions); // what has changed is on its way, and the cache takes over the rest
        unknownRemovalsBefore = unknownRemovals();
        refinedBefore += placement.refinedEdges();
        AssignOptions now = options.withPartitions(partitions);
        // Of several assigners each has a part of the loads, which together are 0 on partitions that go.
        loads = writeBack == null ? loads.first(partitions) : loads.resized(partitions);
        placement = now.placement(cache, loads, edges);
        if (writeBack == null) {
            placement.shareVertices(number, assigners);
        }
        placement.restore(algorithm, held);
        shards = new ShardBuffers(options.kind(), partitions, task::emit);
        shards.setGeneration(generation);
    }

    @Override
    public void setGeneration(long begun) {
        generation = begun;
        shards.setGeneration(begun);
    }

    @Override
    public String refusal() {
        return JobRepartitioning.refusal(placement, options);
    }

    @Override
    public boolean lacksOwners() {
        return lacksOwners && hasOwners && writeBack == null;
    }

    @Override
    public void ownersTold() {
        lacksOwners = false;
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
        if (placement.chosenMoves() > 0 && !lacksOwners()) {
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
            placement.mastered(vertex, shards);
            placedHeld();
            task.changed();
        }
    }

    @Override
    public boolean release(long vertex) {
        return placement.release(vertex);
    }

    @Override
    public void disown(int owner) {
        placement.disown(owner);
    }

    @Override
    public void moved(long vertex, int from, int to, EdgeBatch moved) {
        placement.ownerMoved(vertex, from, to, moved, shards);
        placedHeld();
        task.changed();
    }

    @Override
    public long[] takeLeft() {
        return placement.takeLeft();
    }

    @Override
    public @Nullable TeamLoads teamLoads() {
        return placement.teamLoads();
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
        placement.placeHeld(shards);
    }

    @Override
    public int bufferedCount() {
        return placement.heldCount();
    }

    @Override
    public EdgeBatch buffered() {
        return placement.heldEdges();
    }

    @Override
    public void publish(VertexUpdate update) {
        if (update.isNumbered() && update.lineage() == newUpdates) {
            unconfirmedAge.sent(update.bucket(), update.sequence(), task.nowMillis());
        }
        task.emit(AssignerOperator.UPDATES, update);
    }

    @Override
    public void report(long deadLetters, long progress, int pass) {
        Quality quality = placement.quality(deadLetters);
        task.emit(
                AssignerOperator.PART_QUALITY,
                new PartQuality(number, isExact, quality, pass, progress, unknownRemovals()));
    }

    private long unknownRemovals() {
        return unknownRemovalsBefore + placement.unknownRemovals();
    }

    @Override
    public void beforeBarrier() {
        flushPace.barrier(task.nowMillis());
        join.flush();
        flushOutput();
    }

    private void flushOutput() {
        shards.flush();
        bookChanges.flush();
    }

    @Override
    public void snapshot(long deadLetters, long progress) throws Exception {
        join.requireNothingHalfJoined();
        Totals totals = new Totals(loads, 0, deadLetters, progress, unknownRemovals(), keepsEdges);
        List<byte[]> states = new ArrayList<>();
        for (Lineage lineage : join.lineages()) {
            states.add(new AssignerState(isExact, totals, lineage).toBytes());
            totals = new Totals(new PartitionLoads(loads.partitionCount()), 0, 0, 0, 0, keepsEdges);
        }
        lineagesState.update(states);
        wholeRecordsState.update(writeBack == null ? List.of() : List.of(YES));
        boolean tellsOthers = lacksOwners() && number == 0 && keepsEdges;
        withoutOwnersState.update(tellsOthers ? List.of(YES) : List.of());
        algorithmState.update(placement);
        WriteBack only = writeBack;
        if (only != null) {
            bufferedVertices.update(only::encode, placement.heldEdges(), number, newUpdates, 0);
        } else if (!hasOwners) {
            bufferedVertices.update(
                    vertex -> RecordExchange.encode(cache, vertex),
                    placement.heldEdges(),
                    number,
                    newUpdates,
                    loads.partitionCount());
        }
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
        placement.dropPlan();
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
