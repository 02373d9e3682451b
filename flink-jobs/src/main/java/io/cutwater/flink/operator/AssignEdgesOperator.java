package io.cutwater.flink.operator;

import io.cutwater.flink.checkpoint.AlgorithmState;
import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.Totals;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.flink.stream.JobQuality;
import io.cutwater.flink.stream.ShardBatch;
import io.cutwater.flink.stream.StreamType;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.partition.StreamAssigner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexListener;
import io.cutwater.state.table.VertexTable;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * The fused path: vertex table and assigner in one operator of parallelism 1, no lookups and no loop. It partitions
 * edges or vertices: {@link JobAssigner} knows which.
 *
 * <p>A runtime operator and not a process function, because one element is a batch that touches the state of many keys:
 * it sets the key of each access itself, as Flink SQL's own bundle operators do, and it must empty its buffers before a
 * barrier passes.
 */
public final class AssignEdgesOperator extends AbstractStreamOperator<ShardBatch>
        implements OneInputStreamOperator<EdgeBatch, ShardBatch>, BoundedOneInput {
    public static final OutputTag<RejectedRecord> DEAD_LETTERS =
            new OutputTag<>("dead-letters", StreamType.REJECTED_RECORD);
    /** Vertices whose replicas changed, at the latest when a checkpoint begins. */
    public static final OutputTag<VertexBatch> BOOK_CHANGES = new OutputTag<>("book-changes", StreamType.VERTEX_BATCH);
    /** Every vertex, once, when a bounded input has ended. */
    public static final OutputTag<VertexBatch> FINAL_BOOK = new OutputTag<>("final-book", StreamType.VERTEX_BATCH);

    public static final OutputTag<JobQuality> QUALITY = new OutputTag<>("quality", StreamType.JOB_QUALITY);

    /** Also what a distributed job takes over from a fused one. */
    static final ListStateDescriptor<byte[]> TOTALS =
            new ListStateDescriptor<>("totals", BytePrimitiveArraySerializer.INSTANCE);

    private final AssignOptions options;

    // Runtime, made anew in every attempt.
    private transient ListState<byte[]> totalsState;
    private transient AlgorithmState algorithmState;
    private transient KeyedVertexStore store;
    private transient @Nullable JobEdges edges;
    private transient VertexLayout layout;
    private transient VertexTable vertices;
    private transient PartitionLoads loads;
    private transient JobAssigner job;
    private transient StreamAssigner assigner;
    private transient ShardBuffers shards;
    private transient BookBuffer bookChanges;
    private transient long deadLetters;
    private transient long unknownRemovalsBefore;
    private transient long progress;
    private transient int pass;
    private transient FlushPace flushPace;
    private transient CheckpointPause checkpointPause;
    private transient long lastReportMillis;
    private transient boolean isReportDue;
    private transient boolean timerIsSet;
    private transient long heldAtLastTimer;

    public AssignEdgesOperator(AssignOptions options) {
        this.options = options;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        layout = JobAssigner.layout(options);
        algorithmState = new AlgorithmState(context.getOperatorStateStore());
        totalsState = context.getOperatorStateStore().getListState(TOTALS);
        Totals totals = Totals.empty(options.partitioner().partitionCount());
        for (byte[] bytes : totalsState.get()) {
            totals = Totals.fromBytes(bytes, options.partitioner().partitionCount());
            refuseOtherKeeping(totals);
        }
        loads = totals.loads();
        deadLetters = totals.deadLetters();
        progress = totals.progress();
        unknownRemovalsBefore = totals.unknownRemovals();
        VertexBuckets buckets = new VertexBuckets(maxParallelism());
        store = new KeyedVertexStore(
                context.getKeyedStateStore().getMapState(KeyedVertexStore.VERTICES), buckets, this::setCurrentKey);
        if (options.keepsEdges()) {
            edges = new JobEdges(options, KeyedAdjacency.over(getKeyedStateBackend(), buckets, this::setCurrentKey));
        }
        bookChanges = new BookBuffer(rows -> output.collect(BOOK_CHANGES, new StreamRecord<>(rows)));
        VertexListener listener = options.publishesBook() ? bookChanges::add : VertexListener.NONE;
        vertices = new VertexTable(layout, store, options.cacheBytes(), totals.createdVertices(), listener);
        job = JobAssigner.over(options, vertices, loads, edges == null ? null : edges.kept());
        assigner = job.stream();
        algorithmState.restore(assigner);
        if (edges != null && context.isRestored()) {
            edges.restore(store, maxParallelism());
        }
    }

    private void refuseOtherKeeping(Totals totals) {
        if (totals.keepsEdges() != options.keepsEdges()) {
            throw new IllegalStateException(
                    totals.keepsEdges()
                            ? "the checkpoint keeps edges; go on with --keep-edges"
                            : "the checkpoint keeps no edges; go on without --keep-edges, or submit the job anew with it");
        }
    }

    @Override
    public void open() throws Exception {
        super.open();
        StreamRecord<ShardBatch> reused = new StreamRecord<>(null);
        shards = new ShardBuffers(
                options.partitioner().partitionCount(), batch -> output.collect(reused.replace(batch)));
        flushPace = new FlushPace(nowMillis());
        checkpointPause = new CheckpointPause();
        new AssignMetrics(vertices, assigner, this::quality, this::unknownRemovals, checkpointPause::lastMillis)
                .register(getMetricGroup());
        placeInTime();
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
        assigner.accept(batch, shards);
        placeInTime();
        isReportDue = true;
        long now = nowMillis();
        flushPace.writeAhead(vertices, now);
        if (now - lastReportMillis >= options.reportsEvery().toMillis()) {
            lastReportMillis = now;
            report();
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
        if (timerIsSet || assigner.heldCount() == 0 || options.waitLimit().isZero()) {
            return;
        }
        timerIsSet = true;
        heldAtLastTimer = assigner.heldEver();
        getProcessingTimeService()
                .registerTimer(nowMillis() + options.waitLimit().toMillis() / 2, this::placeWhatWaitedBefore);
    }

    private void placeWhatWaitedBefore(long time) {
        timerIsSet = false;
        assigner.placeHeldBefore(heldAtLastTimer, shards);
        isReportDue = true;
        placeInTime();
    }

    private long nowMillis() {
        return getProcessingTimeService().getCurrentProcessingTime();
    }

    private Quality quality() {
        return job.quality().apply(deadLetters);
    }

    private long unknownRemovals() {
        return unknownRemovalsBefore + assigner.unknownRemovals();
    }

    private void report() {
        isReportDue = false;
        JobQuality quality = new JobQuality(quality(), pass, progress, unknownRemovals());
        output.collect(QUALITY, new StreamRecord<>(quality));
    }

    /** What is buffered belongs before the barrier: downstream owns it then, and it is not state. */
    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        long now = nowMillis();
        flushPace.barrier(now);
        checkpointPause.begin(now);
        flush();
        // What is committed together agrees: shards, and a report that counts them all.
        if (isReportDue) {
            report();
        }
    }

    private void flush() {
        shards.flush();
        vertices.flush();
        if (edges != null) {
            edges.flush();
        }
        bookChanges.flush();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        Totals totals = new Totals(
                loads, vertices.vertexCount(), deadLetters, progress, unknownRemovals(), options.keepsEdges());
        totalsState.update(List.of(totals.toBytes()));
        algorithmState.update(assigner);
    }

    @Override
    public void endInput() throws Exception {
        assigner.placeHeld(shards);
        flush();
        new BookBuffer(rows -> output.collect(FINAL_BOOK, new StreamRecord<>(rows)))
                .addAll(store, 0, maxParallelism(), layout);
        report();
    }
}
