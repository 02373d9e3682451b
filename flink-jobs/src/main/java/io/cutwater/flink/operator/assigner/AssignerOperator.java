package io.cutwater.flink.operator.assigner;

import io.cutwater.flink.checkpoint.assigner.Totals;
import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.flink.types.graph.VertexEvent;
import io.cutwater.flink.types.message.AssignerMessage;
import io.cutwater.flink.types.message.CommandEvent;
import io.cutwater.flink.types.message.MessageTypes;
import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.flink.types.quality.PartQuality;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.repartition.live.RepartitionStatus;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.slf4j.MDC;

/**
 * The assigner: places the edges of its first input and executes the commands of its second. It counts records, reports
 * quality and limits how long an edge waits. {@link VertexAccess} finds the records of vertices, in this task's own
 * state or in tables in other tasks.
 *
 * <p>A runtime operator and not a process function, because one element is a batch that touches the state of many keys:
 * it sets the key of each access itself, as Flink SQL's own bundle operators do, and it must empty its buffers before a
 * barrier passes.
 *
 * @param <E> batches of edges as the access to the vertices needs them
 */
public final class AssignerOperator<E> extends AbstractStreamOperator<ShardBatch>
        implements TwoInputStreamOperator<E, AssignerMessage, ShardBatch>, BoundedMultiInput {
    public static final OutputTag<RejectedRecord> DEAD_LETTERS =
            new OutputTag<>("dead-letters", GraphTypes.REJECTED_RECORD);
    /** Vertices whose replicas or degree changed, at the latest when a checkpoint begins. */
    public static final OutputTag<VertexBatch> BOOK_CHANGES = new OutputTag<>("book-changes", GraphTypes.VERTEX_BATCH);
    /** Every vertex, once, when a bounded input has ended. */
    public static final OutputTag<VertexBatch> FINAL_BOOK = new OutputTag<>("final-book", GraphTypes.VERTEX_BATCH);
    /** Quality of the whole graph, from an assigner that holds all vertices. */
    public static final OutputTag<JobQuality> QUALITY = new OutputTag<>("quality", JobQuality.TYPE);
    /** This task's part of the quality, if the vertices are in other tasks. */
    public static final OutputTag<PartQuality> PART_QUALITY = new OutputTag<>("part-quality", PartQuality.TYPE);
    /** Changes of vertices that are in other tasks. */
    public static final OutputTag<VertexUpdate> UPDATES = new OutputTag<>("vertex-updates", MessageTypes.VERTEX_UPDATE);
    /** Status of re-partitionings, about once a second while one runs. */
    public static final OutputTag<RepartitionStatus> PLANS = new OutputTag<>("plans", MessageTypes.REPARTITION_STATUS);

    /** Removed vertices, whose data are to be forgotten. */
    public static final OutputTag<VertexEvent> FORGOTTEN = new OutputTag<>("forgotten-vertices", VertexEvent.TYPE);

    private final AssignOptions options;
    private final VertexAccess.Factory<E> factory;

    // Runtime, created in every attempt.
    private transient VertexAccess<E> access;
    private transient WaitLimit waitLimit;
    private transient StreamRecord<ShardBatch> reused;
    private transient long deadLetters;
    private transient long progress;
    private transient int pass;
    private transient long lastReportMillis;
    private transient boolean isReportDue;

    /** @param factory creates the access to the vertices in each attempt */
    public AssignerOperator(AssignOptions options, VertexAccess.Factory<E> factory) {
        this.options = options;
        this.factory = factory;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        reused = new StreamRecord<>(null);
        access = factory.restore(this, context);
    }

    @Override
    public void open() throws Exception {
        super.open();
        // For the events that this task's thread logs. The name of a live job ends with that of its topic of edges.
        String job = getRuntimeContext().getJobInfo().getJobName();
        MDC.put("graph", job.substring(job.lastIndexOf(' ') + 1));
        waitLimit = new WaitLimit(
                getProcessingTimeService(),
                options.waitLimit(),
                options.checkpointInterval(),
                access::placement,
                this::placeHeld);
        access.open(getMetricGroup());
        QualityMetrics.registerInterval(
                getMetricGroup(), getContainingTask().getEnvironment().getJobConfiguration());
        waitLimit.watch();
        getProcessingTimeService().registerTimer(nowMillis(), time -> placeCut()); // of the restored checkpoint
    }

    /** The state of other keys may be in use by another thread; each access sets its key. */
    @Override
    public void setKeyContextElement1(StreamRecord record) {}

    @Override
    public void setKeyContextElement2(StreamRecord record) {}

    @Override
    public void processElement1(StreamRecord<E> element) {
        placeCut();
        access.accept(element.getValue());
    }

    @Override
    public void processElement2(StreamRecord<AssignerMessage> element) {
        placeCut();
        AssignerMessage message = element.getValue();
        CommandEvent event = message.command();
        if (message.views() != null) {
            access.answer(message.views());
        } else if (event != null && event.rejected() != null) {
            emit(DEAD_LETTERS, event.rejected());
            deadLetters++;
            isReportDue = true;
        } else if (event != null && event.command() != null) {
            access.command(event.command());
        }
    }

    /** Places the edges of a batch. The access calls this when the records of their vertices are at hand. */
    public void place(EdgeBatch batch) {
        count(batch);
        access.placement().accept(batch, access.shards());
        for (int i = 0; batch.hasRemovals() && i < batch.size(); i++) {
            if (batch.isVertexRemoval(i)) {
                emit(FORGOTTEN, new VertexEvent(batch.source(i), null, null));
            }
        }
        waitLimit.watch();
        reportInTime();
    }

    /** Counts a batch of a preparation pass whose edges are observed elsewhere. */
    public void skip(EdgeBatch batch) {
        count(batch);
        reportInTime();
    }

    private void count(EdgeBatch batch) {
        pass = batch.pass();
        progress = Math.max(progress, batch.progress());
        // A later pass meets the same malformed records again.
        if (pass == 0 && !batch.rejected().isEmpty()) {
            batch.rejected().forEach(record -> emit(DEAD_LETTERS, record));
            deadLetters += batch.rejected().size();
        }
        isReportDue = true;
    }

    private void placeHeld(long number) {
        if (!access.hasStarted()) {
            return; // the next time
        }
        access.placement().placeHeldBefore(number, access.shards());
        access.placedHeld();
        isReportDue = true;
    }

    /** Places what the last checkpoint has cut off, before anything else is done. */
    private void placeCut() {
        long before = access.placement().placedEdges();
        access.placement().placeCut(access.shards());
        if (access.placement().placedEdges() != before) {
            access.placedHeld();
            isReportDue = true;
        }
    }

    private void reportInTime() {
        long now = nowMillis();
        if (now - lastReportMillis >= options.reportsEvery().toMillis()) {
            lastReportMillis = now;
            report();
            access.checkDrift();
        }
    }

    private void report() {
        isReportDue = false;
        access.report(deadLetters, progress, pass);
    }

    /** Marks the next report as due, because edges have moved or wait again. */
    public void changed() {
        isReportDue = true;
        waitLimit.watch();
    }

    /** Adds the counts of an earlier attempt, or of another task whose state was moved to this one. */
    public void takeOver(Totals totals) {
        deadLetters += totals.deadLetters();
        progress = Math.max(progress, totals.progress());
    }

    public long deadLetters() {
        return deadLetters;
    }

    public long nowMillis() {
        return getProcessingTimeService().getCurrentProcessingTime();
    }

    public void emit(ShardBatch batch) {
        output.collect(reused.replace(batch));
    }

    public <T> void emit(OutputTag<T> tag, T value) {
        output.collect(tag, new StreamRecord<>(value));
    }

    /** Empties the buffers: what they hold belongs before the barrier, and is not state. */
    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        placeCut();
        waitLimit.beforeCheckpoint();
        access.beforeBarrier();
        // Shards and the report that counts them are committed together, so they must agree.
        if (isReportDue) {
            report();
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        access.snapshot(deadLetters, progress);
        // Also if no element comes; the barrier goes first.
        getProcessingTimeService().registerTimer(nowMillis(), time -> placeCut());
    }

    @Override
    public void endInput(int input) throws Exception {
        if (access.end(input)) {
            report();
        }
    }

    @Override
    public void close() throws Exception {
        if (access != null) {
            access.close();
        }
        super.close();
    }
}
