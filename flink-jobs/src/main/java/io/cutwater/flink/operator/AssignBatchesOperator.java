package io.cutwater.flink.operator;

import io.cutwater.flink.checkpoint.AssignerState;
import io.cutwater.flink.checkpoint.Totals;
import io.cutwater.flink.types.PartQuality;
import io.cutwater.flink.types.ShardBatch;
import io.cutwater.flink.types.StreamType;
import io.cutwater.state.algorithm.EdgePartitioners;
import io.cutwater.state.feedback.BatchAssigner;
import io.cutwater.state.feedback.Lineage;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * The assigner of the distributed topology: joins batches with their views and places their edges.
 *
 * <p>A runtime operator, because it must empty its buffers before a barrier passes. Its state is one list element for
 * each lineage, in no order: whoever gets a lineage when the number of assigners changes goes on with it.
 */
public final class AssignBatchesOperator extends AbstractStreamOperator<ShardBatch>
        implements TwoInputStreamOperator<NumberedBatch, Views, ShardBatch>, BoundedMultiInput, BatchAssigner.Output {
    public static final OutputTag<RejectedRecord> DEAD_LETTERS = AssignEdgesOperator.DEAD_LETTERS;
    public static final OutputTag<PartQuality> PART_QUALITY = VertexTableOperator.PART_QUALITY;
    public static final OutputTag<VertexUpdate> UPDATES = new OutputTag<>("vertex-updates", StreamType.VERTEX_UPDATE);

    private static final ListStateDescriptor<byte[]> LINEAGES =
            new ListStateDescriptor<>("lineages", BytePrimitiveArraySerializer.INSTANCE);
    private static final int BATCHES = 1;

    private final AssignOptions options;
    private final SpreadOptions spread;

    // Runtime, made anew in every attempt.
    private transient ListState<byte[]> lineagesState;
    private transient PartitionLoads loads;
    private transient BatchAssigner assigner;
    private transient ShardBuffers shards;
    private transient long newUpdates;
    private transient UnconfirmedAge unconfirmedAge;
    private transient boolean isExact;
    private transient long deadLetters;
    private transient long progress;
    private transient int pass;
    private transient long lastReportMillis;
    private transient boolean isReportDue;

    public AssignBatchesOperator(AssignOptions options, SpreadOptions spread) {
        this.options = options;
        this.spread = spread;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        SpreadOptions.requireTasks(
                "assign batches", spread.assigners(), getRuntimeContext().getTaskInfo());
        int k = options.partitioner().partitionCount();
        lineagesState = context.getOperatorStateStore().getListState(LINEAGES);
        loads = new PartitionLoads(k);
        isExact = spread.assigners() == 1;
        List<Lineage> lineages = new ArrayList<>();
        for (byte[] bytes : lineagesState.get()) {
            AssignerState state = AssignerState.fromBytes(bytes, k, spread.buckets());
            lineages.add(state.lineage());
            isExact &= state.isExact();
            takeOver(state.totals());
        }
        if (lineages.isEmpty()) {
            // The high half of a random UUID: 60 random bits, of which a job needs a few in its life.
            lineages.add(new Lineage(UUID.randomUUID().getMostSignificantBits(), spread.buckets()));
        }
        newUpdates = lineages.get(0).id();
        unconfirmedAge = new UnconfirmedAge(spread.buckets());
        EdgePartitioner partitioner = EdgePartitioners.create(options.partitioner());
        assigner = new BatchAssigner(
                number(),
                partitioner,
                partitioner.layout(k),
                loads,
                spread.buckets(),
                lineages,
                spread.assigners() > 1,
                this);
    }

    private int number() {
        return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    private void takeOver(Totals totals) {
        loads.addAll(totals.loads());
        deadLetters += totals.deadLetters();
        progress = Math.max(progress, totals.progress());
    }

    @Override
    public void open() throws Exception {
        super.open();
        StreamRecord<ShardBatch> reused = new StreamRecord<>(null);
        shards = new ShardBuffers(
                options.partitioner().partitionCount(), batch -> output.collect(reused.replace(batch)));
        new LoopMetrics(getMetricGroup()).register(loads, assigner, () -> unconfirmedAge.millis(nowMillis()));
        isReportDue = true;
    }

    @Override
    public void processElement1(StreamRecord<NumberedBatch> element) {
        assigner.onBatch(element.getValue());
    }

    @Override
    public void processElement2(StreamRecord<Views> element) {
        Views views = element.getValue();
        byte[] fused = views.handover();
        if (fused != null) {
            Totals totals = Totals.fromBytes(fused, loads.partitionCount());
            if (totals.keepsEdges()) {
                throw new IllegalStateException(
                        "the checkpoint keeps edges in the one task that decided; go on with --keep-edges and without"
                                + " --parallelism and --assigners");
            }
            takeOver(totals);
        }
        for (int i = 0; i < views.lineageCount(); i++) {
            if (views.lineage(i) == newUpdates) {
                unconfirmedAge.confirmed(views.bucket(), views.confirmed(i));
            }
        }
        assigner.onViews(views);
    }

    private long nowMillis() {
        return getProcessingTimeService().getCurrentProcessingTime();
    }

    @Override
    public void observed(EdgeBatch batch) {
        count(batch);
    }

    @Override
    public void placed(EdgeBatch batch, int[] partitions) {
        shards.placed(batch, partitions);
        count(batch);
    }

    private void count(EdgeBatch batch) {
        pass = batch.pass();
        progress = Math.max(progress, batch.progress());
        // A later pass meets the same malformed records again.
        if (pass == 0 && !batch.rejected().isEmpty()) {
            batch.rejected().forEach(record -> output.collect(DEAD_LETTERS, new StreamRecord<>(record)));
            deadLetters += batch.rejected().size();
        }
        isReportDue = true;
        long now = nowMillis();
        if (now - lastReportMillis >= options.reportsEvery().toMillis()) {
            lastReportMillis = now;
            report();
        }
    }

    private void report() {
        isReportDue = false;
        Quality quality = Quality.of(loads, deadLetters);
        output.collect(PART_QUALITY, new StreamRecord<>(new PartQuality(number(), isExact, quality, pass, progress)));
    }

    @Override
    public void publish(VertexUpdate update) {
        boolean isCounted = !update.isPlaced() && !update.isEnd();
        if (isCounted && update.lineage() == newUpdates) {
            unconfirmedAge.sent(update.bucket(), update.sequence(), nowMillis());
        }
        output.collect(UPDATES, new StreamRecord<>(update));
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        shards.flush();
        // What is committed together agrees: shards, and a report that counts them all.
        if (isReportDue) {
            report();
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        assigner.requireNothingHalfJoined();
        Totals totals = new Totals(loads, 0, deadLetters, progress);
        List<byte[]> states = new ArrayList<>();
        for (Lineage lineage : assigner.lineages()) {
            states.add(new AssignerState(isExact, totals, lineage).toBytes());
            totals = Totals.empty(loads.partitionCount());
        }
        lineagesState.update(states);
    }

    @Override
    public void endInput(int input) {
        if (input == BATCHES) {
            assigner.endBatches();
            return;
        }
        if (!assigner.hasEnded()) {
            throw new IllegalStateException(
                    "the vertex tables have ended before this assigner; please report this as a defect");
        }
        shards.flush();
        report();
    }
}
