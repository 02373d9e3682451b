package io.cutwater.flink.operator.local;

import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.StateThread;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.flink.checkpoint.assigner.AlgorithmState;
import io.cutwater.flink.checkpoint.assigner.StoredRepartitioning;
import io.cutwater.flink.checkpoint.assigner.Totals;
import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.operator.assigner.BookBuffer;
import io.cutwater.flink.operator.assigner.CheckpointPause;
import io.cutwater.flink.operator.assigner.FlushPace;
import io.cutwater.flink.operator.assigner.ShardBuffers;
import io.cutwater.flink.operator.assigner.VertexAccess;
import io.cutwater.flink.operator.distributed.SpreadTakeOver;
import io.cutwater.flink.operator.repartition.JobRepartitioning;
import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.RepartitioningState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access to vertices in the task's own keyed state, on RocksDB behind a cache. The assigner has parallelism 1, looks
 * nothing up elsewhere, and can keep edges and re-partition them while it runs.
 */
public final class LocalVertices implements VertexAccess<EdgeBatch> {
    private static final Logger LOG = LoggerFactory.getLogger(LocalVertices.class);

    private final AssignOptions options;
    private final AssignerOperator<EdgeBatch> task;
    private final int maxParallelism;
    private final ListState<byte[]> totalsState;
    private final AlgorithmState algorithmState;
    private final StateThread stateThread = new StateThread("assigner state");
    private final KeyedVertexStore store;
    private final @Nullable JobEdges edges;
    private final LocalBook book;
    private final LocalTables tables;
    private final JobRepartitioning repartitioning;
    private final StoredRepartitioning repartitionings;
    private final FlushPace flushPace;
    private @Nullable SpreadTakeOver takeOver; // while the state is that of a distributed job
    /**
     * What has come before the state of a distributed job. It is not bounded: that state is there as soon as the
     * operator that has it runs, and before the first barrier, and both inputs are read in turn.
     */
    private final List<EdgeBatch> earlyBatches = new ArrayList<>();

    private final List<JobCommand> earlyCommands = new ArrayList<>();
    private final CheckpointPause checkpointPause = new CheckpointPause();

    /**
     * Creates an assigner, for parallelism 1, that holds the vertices itself.
     *
     * @param ownBudget share of the edges that a re-partitioning of its own may move; 0 for none of its own
     */
    public static AssignerOperator<EdgeBatch> assigner(AssignOptions options, double ownBudget) {
        return new AssignerOperator<>(options, (task, context) -> new LocalVertices(options, ownBudget, task, context));
    }

    private LocalVertices(
            AssignOptions options,
            double ownBudget,
            AssignerOperator<EdgeBatch> task,
            StateInitializationContext context)
            throws Exception {
        this.options = options;
        this.task = task;
        maxParallelism = task.getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks();
        algorithmState = new AlgorithmState(context.getOperatorStateStore());
        totalsState = context.getOperatorStateStore().getListState(Totals.STATE);
        repartitionings = new StoredRepartitioning(context.getOperatorStateStore());
        Totals totals = totals(repartitionings.restored());
        task.takeOver(totals);
        VertexBuckets buckets = new VertexBuckets(maxParallelism);
        IntConsumer currentKey = stateThread.exclusive(task::setCurrentKey);
        store = new KeyedVertexStore(
                context.getKeyedStateStore().getMapState(KeyedVertexStore.VERTICES), buckets, currentKey, stateThread);
        edges = options.keepsEdges()
                ? new JobEdges(
                        options,
                        KeyedAdjacency.over(
                                task.getKeyedStateBackend(),
                                buckets,
                                task::setCurrentKey,
                                stateThread,
                                options.rowCacheBytes()))
                : null;
        book = new LocalBook(context, options.publishesBook(), rows -> task.emit(AssignerOperator.BOOK_CHANGES, rows));
        tables = new LocalTables(options, store, edges, totals, book.listener(), maxParallelism, task::emit);
        algorithmState.restore(tables.placement());
        takeOver = SpreadTakeOver.restore(context, options, buckets, currentKey, store);
        repartitioning =
                new JobRepartitioning(task, options, ownBudget, tables, null, repartitionings, this::writeAhead);
        flushPace = new FlushPace(task.nowMillis());
    }

    /** Reads the totals. After a re-partitioning the state, not the options, says how many partitions there are. */
    private Totals totals(RepartitioningState moves) throws Exception {
        int partitions = options.partitioner().partitionCount();
        Totals totals = Totals.empty(partitions);
        for (byte[] bytes : totalsState.get()) {
            totals = moves.generation() > 0 ? Totals.fromBytes(bytes) : Totals.fromBytes(bytes, partitions);
            totals.requireKeeping(options.keepsEdges());
            totals.requireRemovingVertices(options.removesVertices());
        }
        return totals;
    }

    @Override
    public void open(MetricGroup metrics) {
        new AssignMetrics(tables, () -> tables.quality(task.deadLetters()), checkpointPause::lastMillis)
                .register(metrics);
        repartitioning.open(metrics);
    }

    /** Goes on with what a distributed job has left, and with what has come before that. */
    private void goOn(SpreadTakeOver.Result left) throws Exception {
        tables.begin(left.totals());
        task.takeOver(left.totals());
        if (left.areOfOne()) {
            tables.placement().restore(left.algorithm(), left.buffered());
        } else {
            tables.placement().restoreParts(left.algorithm());
        }
        if (!left.owners().isEmpty()) {
            tables.placement().recountOwners(left.owners());
        }
        repartitionings.takeOver(left.moves());
        repartitioning.takeOver(left.moves());
        if (!left.areOfOne()) {
            task.place(left.buffered());
        }
        task.changed();
        earlyBatches.forEach(this::accept);
        earlyBatches.clear();
        earlyCommands.forEach(this::command);
        earlyCommands.clear();
    }

    @Override
    public void accept(EdgeBatch batch) {
        if (takeOver != null) {
            earlyBatches.add(batch);
            return;
        }
        checkpointPause.end(task.nowMillis());
        task.place(batch);
        writeAhead();
    }

    private void writeAhead() {
        flushPace.writeAhead(tables.vertices(), task.nowMillis());
    }

    @Override
    public void answer(Views views) {
        SpreadTakeOver due = takeOver;
        byte[] piece = views.handover();
        if (due == null || piece == null) {
            throw new IllegalStateException(
                    "an assigner without lookups received an answer; please report this as a defect");
        }
        if (due.add(piece)) {
            takeOver = null;
            long begun = task.nowMillis();
            int early = earlyBatches.stream().mapToInt(EdgeBatch::size).sum();
            try {
                goOn(due.apply(book.listener(), edges == null ? null : edges.adjacency()));
                LOG.info(
                        "one task goes on with the state of several, which took {} ms; {} edges have come before",
                        task.nowMillis() - begun,
                        early);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("the state of a distributed job cannot be read: " + e.getMessage(), e);
            }
        }
    }

    @Override
    public void command(JobCommand command) {
        if (takeOver != null) {
            earlyCommands.add(command);
        } else {
            repartitioning.accept(command);
        }
    }

    @Override
    public void checkDrift() {
        repartitioning.checkDrift();
    }

    @Override
    public Placement placement() {
        return tables.placement();
    }

    @Override
    public ShardBuffers shards() {
        return tables.shards();
    }

    @Override
    public void report(long deadLetters, long progress, int pass) {
        task.emit(
                AssignerOperator.QUALITY,
                new JobQuality(tables.quality(deadLetters), pass, progress, tables.unknownRemovals()));
    }

    @Override
    public void beforeBarrier() throws Exception {
        if (takeOver != null) {
            throw FinalFailure.of("the savepoint has the vertices of a distributed job, but not what its assigners have"
                    + " left; resume it with all of its state");
        }
        long now = task.nowMillis();
        flushPace.barrier(now);
        checkpointPause.begin(now);
        flush();
    }

    private void flush() throws Exception {
        tables.flush();
        stateThread.await();
        book.flush(store, maxParallelism, tables.layout());
    }

    @Override
    public void snapshot(long deadLetters, long progress) throws Exception {
        totalsState.update(List.of(tables.totals(deadLetters, progress).toBytes()));
        algorithmState.update(tables.placement());
        repartitioning.snapshot();
        book.snapshot();
    }

    @Override
    public boolean end(int input) throws Exception {
        if (input != EDGES) {
            return false;
        }
        tables.placement().placeHeld(tables.shards());
        flush();
        new BookBuffer(false, rows -> task.emit(AssignerOperator.FINAL_BOOK, rows))
                .addAll(store, 0, maxParallelism, tables.layout());
        return true;
    }

    /** Stops the planning threads. */
    @Override
    public void close() {
        tables.placement().dropPlan();
        repartitioning.stop();
        stateThread.close();
    }
}
