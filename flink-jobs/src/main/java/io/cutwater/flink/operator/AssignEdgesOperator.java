package io.cutwater.flink.operator;

import io.cutwater.flink.checkpoint.AlgorithmState;
import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.RepartitioningCodec;
import io.cutwater.flink.checkpoint.Totals;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.flink.types.CommandEvent;
import io.cutwater.flink.types.JobQuality;
import io.cutwater.flink.types.ShardBatch;
import io.cutwater.flink.types.StreamType;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.RepartitionRequest;
import io.cutwater.state.repartition.live.PlanThread;
import io.cutwater.state.repartition.live.PlanWork;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.repartition.live.Repartitioning;
import io.cutwater.state.repartition.live.RepartitioningState;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * The fused path: vertex table and assigner in one operator of parallelism 1, no lookups and no loop. It partitions
 * edges or vertices: {@link JobAssigner} knows which.
 *
 * <p>A runtime operator and not a process function, because one element is a batch that touches the state of many keys:
 * it sets the key of each access itself, as Flink SQL's own bundle operators do, and it must empty its buffers before a
 * barrier passes. A bounded job has the edges as its one input; a live one has commands as the second, and places edges
 * anew while it runs.
 */
public final class AssignEdgesOperator extends AbstractStreamOperator<ShardBatch>
        implements OneInputStreamOperator<EdgeBatch, ShardBatch>,
                TwoInputStreamOperator<EdgeBatch, CommandEvent, ShardBatch>,
                BoundedOneInput {
    public static final OutputTag<RejectedRecord> DEAD_LETTERS =
            new OutputTag<>("dead-letters", StreamType.REJECTED_RECORD);
    /** Vertices whose replicas or degree changed, at the latest when a checkpoint begins. */
    public static final OutputTag<VertexBatch> BOOK_CHANGES = new OutputTag<>("book-changes", StreamType.VERTEX_BATCH);
    /** Every vertex, once, when a bounded input has ended. */
    public static final OutputTag<VertexBatch> FINAL_BOOK = new OutputTag<>("final-book", StreamType.VERTEX_BATCH);

    public static final OutputTag<JobQuality> QUALITY = new OutputTag<>("quality", StreamType.JOB_QUALITY);

    /** How re-partitionings stand, about once a second while one runs. */
    public static final OutputTag<RepartitionStatus> PLANS = new OutputTag<>("plans", StreamType.REPARTITION_STATUS);

    /** Also what a distributed job takes over from a fused one. */
    static final ListStateDescriptor<byte[]> TOTALS =
            new ListStateDescriptor<>("totals", BytePrimitiveArraySerializer.INSTANCE);

    private static final ListStateDescriptor<byte[]> REPARTITIONING =
            new ListStateDescriptor<>("repartitioning", BytePrimitiveArraySerializer.INSTANCE);

    private final AssignOptions options;
    private final double ownBudget;

    // Runtime, made anew in every attempt.
    private transient ListState<byte[]> totalsState;
    private transient AlgorithmState algorithmState;
    private transient KeyedVertexStore store;
    private transient ListState<byte[]> repartitioningState;
    private transient FusedTables tables;
    private transient Repartitioning repartitioning;
    private transient TurnPace pace;
    private transient @Nullable JobEdges edges;
    private transient FusedBook book;
    private transient long deadLetters;
    private transient long progress;
    private transient int pass;
    private transient FlushPace flushPace;
    private transient CheckpointPause checkpointPause;
    private transient long lastReportMillis;
    private transient boolean isReportDue;
    private transient boolean timerIsSet;
    private transient long heldAtLastTimer;

    /** One that moves edges only if it is told to. */
    public AssignEdgesOperator(AssignOptions options) {
        this(options, 0);
    }

    /** @param ownBudget edges that it may move by itself in a round, as a share of all; 0 for none */
    public AssignEdgesOperator(AssignOptions options, double ownBudget) {
        this.options = options;
        this.ownBudget = ownBudget;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        algorithmState = new AlgorithmState(context.getOperatorStateStore());
        totalsState = context.getOperatorStateStore().getListState(TOTALS);
        repartitioningState = context.getOperatorStateStore().getListState(REPARTITIONING);
        RepartitioningState moves = RepartitioningState.NONE;
        for (byte[] bytes : repartitioningState.get()) {
            moves = RepartitioningCodec.fromBytes(bytes);
        }
        Totals totals = totals(moves);
        deadLetters = totals.deadLetters();
        progress = totals.progress();
        VertexBuckets buckets = new VertexBuckets(maxParallelism());
        store = new KeyedVertexStore(
                context.getKeyedStateStore().getMapState(KeyedVertexStore.VERTICES), buckets, this::setCurrentKey);
        edges = options.keepsEdges()
                ? new JobEdges(
                        options,
                        KeyedAdjacency.over(getKeyedStateBackend(), buckets, this::setCurrentKey),
                        store,
                        buckets)
                : null;
        book = new FusedBook(
                context, options.publishesBook(), rows -> output.collect(BOOK_CHANGES, new StreamRecord<>(rows)));
        StreamRecord<ShardBatch> reused = new StreamRecord<>(null);
        tables = new FusedTables(
                options,
                store,
                edges,
                totals,
                book.listener(),
                maxParallelism(),
                batch -> output.collect(reused.replace(batch)));
        algorithmState.restore(tables.assigner());
        if (edges != null && context.isRestored()) {
            edges.restore();
        }
        repartitioning = new Repartitioning(
                tables,
                this::plan,
                status -> output.collect(PLANS, new StreamRecord<>(status)),
                this::nowMillis,
                moves);
    }

    /** Once a job was re-partitioned its state says how many partitions there are, and not its options. */
    private Totals totals(RepartitioningState moves) throws Exception {
        int partitions = options.partitioner().partitionCount();
        Totals totals = Totals.empty(partitions);
        for (byte[] bytes : totalsState.get()) {
            totals = moves.generation() > 0 ? Totals.fromBytes(bytes) : Totals.fromBytes(bytes, partitions);
            refuseOtherKeeping(totals);
        }
        return totals;
    }

    private void refuseOtherKeeping(Totals totals) {
        if (totals.keepsEdges() != options.keepsEdges()) {
            throw new IllegalStateException(
                    totals.keepsEdges()
                            ? "the checkpoint keeps edges; go on with --keep-edges"
                            : "the checkpoint keeps no edges; go on without --keep-edges, or submit the job anew with it");
        }
    }

    private PlanWork plan(int partitions, int before, double budget) {
        RepartitionRequest request = new RepartitionRequest(
                options.kind(), options.partitioner().withPartitions(partitions), before, budget);
        Configuration settings =
                getContainingTask().getEnvironment().getTaskManagerInfo().getConfiguration();
        return new PlanThread(
                request,
                Path.of(ConfigurationUtils.parseTempDirectories(settings)[0]),
                getRuntimeContext().getJobInfo().getJobId() + "-plan");
    }

    @Override
    public void open() throws Exception {
        super.open();
        flushPace = new FlushPace(nowMillis());
        checkpointPause = new CheckpointPause();
        pace = new TurnPace(getProcessingTimeService(), this::moveOn);
        new AssignMetrics(tables, this::quality, checkpointPause::lastMillis).register(getMetricGroup());
        new RepartitioningMetrics(repartitioning).register(getMetricGroup());
        placeInTime();
        pace.goOn(repartitioning.isRunning());
        JobEdges kept = edges;
        if (kept != null) {
            new TurnPace(getProcessingTimeService(), kept::read).goOn(kept.isReading());
        }
    }

    /** Whether kept edges of the restored checkpoint are still to be read, in turns beside the stream. */
    boolean isReadingKeptEdges() {
        return edges != null && edges.isReading();
    }

    @Override
    public void processElement1(StreamRecord<EdgeBatch> element) {
        processElement(element);
    }

    @Override
    public void processElement2(StreamRecord<CommandEvent> element) {
        CommandEvent event = element.getValue();
        if (event.rejected() != null) {
            output.collect(DEAD_LETTERS, new StreamRecord<>(event.rejected()));
            deadLetters++;
            isReportDue = true;
        } else if (event.command() != null) {
            repartitioning.accept(event.command());
            pace.goOn(repartitioning.isRunning());
        }
    }

    /** Some of what there is to do for a re-partitioning; whether that is not all. */
    private boolean moveOn(BooleanSupplier hasTime) {
        repartitioning.step(hasTime);
        flushPace.writeAhead(tables.vertices(), nowMillis());
        placeInTime(); // the assigner may be another one
        isReportDue = true;
        return repartitioning.isRunning();
    }

    @Override
    public void processElement(StreamRecord<EdgeBatch> element) {
        checkpointPause.end(nowMillis());
        EdgeBatch batch = element.getValue();
        pass = batch.pass();
        progress = Math.max(progress, batch.progress());
        // A later pass meets the same malformed records again.
        if (pass == 0 && !batch.rejected().isEmpty()) {
            batch.rejected().forEach(record -> output.collect(DEAD_LETTERS, new StreamRecord<>(record)));
            deadLetters += batch.rejected().size();
        }
        tables.assigner().accept(batch, tables.shards());
        placeInTime();
        isReportDue = true;
        long now = nowMillis();
        flushPace.writeAhead(tables.vertices(), now);
        if (now - lastReportMillis >= options.reportsEvery().toMillis()) {
            lastReportMillis = now;
            report();
            repartitioning.checkDrift(ownBudget);
            pace.goOn(repartitioning.isRunning());
        }
    }

    private int maxParallelism() {
        return getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks();
    }

    /**
     * Sees to it that no edge waits for longer than the limit when traffic is too low to push it out of the window.
     * Looks twice in that time: what already waited at the look before has waited for half of it to all of it.
     */
    private void placeInTime() {
        if (timerIsSet
                || tables.assigner().heldCount() == 0
                || options.waitLimit().isZero()) {
            return;
        }
        timerIsSet = true;
        heldAtLastTimer = tables.assigner().heldEver();
        getProcessingTimeService()
                .registerTimer(nowMillis() + options.waitLimit().toMillis() / 2, this::placeWhatWaitedBefore);
    }

    private void placeWhatWaitedBefore(long time) {
        timerIsSet = false;
        tables.assigner().placeHeldBefore(heldAtLastTimer, tables.shards());
        isReportDue = true;
        placeInTime();
    }

    private long nowMillis() {
        return getProcessingTimeService().getCurrentProcessingTime();
    }

    private Quality quality() {
        return tables.quality(deadLetters);
    }

    private void report() {
        isReportDue = false;
        JobQuality quality = new JobQuality(quality(), pass, progress, tables.unknownRemovals());
        output.collect(QUALITY, new StreamRecord<>(quality));
    }

    /** What is buffered belongs before the barrier: downstream owns it then, and it is not state. */
    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        long now = nowMillis();
        flushPace.barrier(now);
        checkpointPause.begin(now);
        flush();
        // What is committed together agrees: shards, and a report that counts them all.
        if (isReportDue) {
            report();
        }
    }

    private void flush() throws Exception {
        tables.flush();
        book.flush(store, maxParallelism(), tables.layout());
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        totalsState.update(List.of(tables.totals(deadLetters, progress).toBytes()));
        algorithmState.update(tables.assigner());
        repartitioningState.update(List.of(RepartitioningCodec.toBytes(repartitioning.snapshot())));
        book.snapshot();
    }

    @Override
    public void endInput() throws Exception {
        tables.assigner().placeHeld(tables.shards());
        flush();
        new BookBuffer(false, rows -> output.collect(FINAL_BOOK, new StreamRecord<>(rows)))
                .addAll(store, 0, maxParallelism(), tables.layout());
        report();
    }

    /** The thread that plans ends with the task. */
    @Override
    public void close() throws Exception {
        if (repartitioning != null) {
            repartitioning.close();
        }
        super.close();
    }
}
