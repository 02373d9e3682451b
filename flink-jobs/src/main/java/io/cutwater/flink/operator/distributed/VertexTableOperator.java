package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.operator.assigner.BookBuffer;
import io.cutwater.flink.operator.assigner.CheckpointPause;
import io.cutwater.flink.operator.assigner.FlushPace;
import io.cutwater.flink.operator.assigner.TurnPace;
import io.cutwater.flink.operator.repartition.JobRepartitioning;
import io.cutwater.flink.types.message.MessageTypes;
import io.cutwater.flink.types.quality.PartQuality;
import io.cutwater.state.feedback.BucketTable;
import io.cutwater.state.feedback.Lookup;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.feedback.bucket.EdgesBySource;
import io.cutwater.state.feedback.move.TableReplies;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.parts.Exchange;
import io.cutwater.state.repartition.RepartitionRequest;
import io.cutwater.state.repartition.live.PlanThread;
import io.cutwater.state.repartition.live.PlanWork;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.List;
import java.util.UUID;
import java.util.function.LongToIntFunction;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * The vertex table of the distributed topology: the buckets of its key groups. It answers lookups, and reads the
 * resulting updates from their topic, beginning at its end when the attempt starts: earlier records belong to earlier
 * attempts, whose updates are sent again if no checkpoint contains them. Checkpoints therefore need no offsets of the
 * topic, and because the topic is not an input of the job graph, it does not keep the job from finishing.
 *
 * <p>It is a runtime operator because one element accesses many keys and because it writes its cache back before a
 * barrier. It needs the mailbox because updates come from another thread.
 */
public final class VertexTableOperator extends AbstractStreamOperator<Views>
        implements OneInputStreamOperator<Lookup, Views>, BoundedOneInput {
    public static final OutputTag<VertexBatch> BOOK_CHANGES = AssignerOperator.BOOK_CHANGES;
    public static final OutputTag<VertexBatch> FINAL_BOOK = AssignerOperator.FINAL_BOOK;
    public static final OutputTag<PartQuality> PART_QUALITY = AssignerOperator.PART_QUALITY;

    /** Messages to other tables while they plan. */
    public static final OutputTag<VertexUpdate> PEERS =
            new OutputTag<>("vertex-table-peers", MessageTypes.VERTEX_UPDATE);

    /** A table in which so many vertices change in 20 ms is busy: more will soon change anyway. */
    private static final int BUSY_CHANGES = 64;

    private final AssignOptions options;
    private final SpreadOptions spread;
    private final UpdateSource source;
    private final MailboxExecutor mailbox;

    // Runtime, created in every attempt.
    private transient FusedState fused;
    private transient int firstBucket;
    private transient KeyedVertexStore store;
    private transient VertexTable vertices;
    private transient TableLedgers ledgers;
    private transient BucketTable table;
    private transient @Nullable TableEdges kept;
    private transient @Nullable LeftEdges left; // if vertices can be removed
    private transient @Nullable TableReplies replies;
    private transient @Nullable TurnPace planPace;
    private transient UpdateThread updates;
    private transient BookBuffer bookChanges;
    private transient FlushPace flushPace;
    private transient CheckpointPause checkpointPause;
    private transient volatile long loopLagMillis;
    private transient boolean hasGreeted;
    private transient TableQuality quality;
    private transient GatherTurns news;

    VertexTableOperator(
            StreamOperatorParameters<Views> parameters,
            AssignOptions options,
            SpreadOptions spread,
            UpdateSource source) {
        super(parameters);
        this.options = options;
        this.spread = spread;
        this.source = source;
        mailbox = parameters.getMailboxExecutor();
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        boolean writesBack = spread.writesBack(options);
        fused = new FusedState(context.getOperatorStateStore());
        int keyGroups = getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks();
        if (keyGroups != spread.buckets()) {
            throw new IllegalStateException(
                    "the vertex table has %d key groups, but lookups use %d buckets; resume with --max-parallelism %d"
                            .formatted(keyGroups, spread.buckets(), keyGroups));
        }
        VertexBuckets buckets = new VertexBuckets(keyGroups);
        store = new KeyedVertexStore(
                context.getKeyedStateStore().getMapState(KeyedVertexStore.VERTICES), buckets, this::setCurrentKey);
        TaskInfo task = getRuntimeContext().getTaskInfo();
        SpreadOptions.requireTasks("vertex table", spread.tables(), task);
        KeyGroupRange range = KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                keyGroups, task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask());
        firstBucket = range.getStartKeyGroup();
        VertexLayout restored = options.layout()
                .withPartitions(fused.partitions(options.partitioner().partitionCount()));
        ledgers = new TableLedgers(context, buckets, this::setCurrentKey, restored, options.keepsEdges(), range);
        VertexLayout layout = restored.withPartitions(ledgers.restore(
                store,
                options.kind().hasOwners() && !writesBack,
                options.kind().hasOwners() && options.keepsEdges(),
                context.isRestored()));
        boolean isOfOneTask = options.removesVertices() && context.isRestored() && !ledgers.areStored();
        bookChanges = new BookBuffer(true, rows -> output.collect(BOOK_CHANGES, new StreamRecord<>(rows)));
        VertexTable.Listener listener =
                options.publishesBook() && !writesBack ? bookChanges::add : VertexTable.Listener.NONE;
        // The bound is that of all tables together.
        long cacheBytes = Math.max(1, options.cacheBytes() / spread.tables());
        vertices = new VertexTable(layout, store, cacheBytes, ledgers.createdVertices(), listener);
        // The high half of a random UUID: 60 random bits, and one UUID is made in every attempt.
        long run = UUID.randomUUID().getMostSignificantBits();
        int placingPass = spread.placingPass(options);
        if (!options.keepsEdges()) {
            table = spread.catchesUp(options)
                    ? BucketTable.catchingUp(
                            vertices, ledgers.all(), firstBucket, keyGroups, spread.assigners(), placingPass, run)
                    : new BucketTable(
                            vertices, ledgers.all(), firstBucket, keyGroups, spread.assigners(), placingPass, run);
            return;
        }
        kept = new TableEdges(
                options, spread, KeyedAdjacency.over(getKeyedStateBackend(), buckets, this::setCurrentKey));
        table = BucketTable.withEdges(vertices, kept.edges(), ledgers.all(), firstBucket, spread.assigners(), run);
        if (options.removesVertices()) {
            left = new LeftEdges(
                    isOfOneTask,
                    kept.edges(),
                    kept.adjacency(),
                    store,
                    task.getIndexOfThisSubtask(),
                    firstBucket,
                    ledgers.count());
        }
        replies = new TableReplies(
                vertices,
                kept.edges(),
                store::vertices,
                firstBucket,
                ledgers.count(),
                spread.assigners(),
                table,
                run,
                this::plan,
                this::sendToPeer);
    }

    private PlanWork plan(int partitions, int before, double budget, Exchange exchange, LongToIntFunction owner) {
        table.makeRoom(Math.max(partitions, before)); // before any edge moves to a new one
        return new PlanThread(
                new RepartitionRequest(options.partitioner().withPartitions(partitions), before, budget),
                JobRepartitioning.temporaryFolder(this),
                "%s-%d".formatted(JobRepartitioning.planName(this), exchange.part()),
                exchange,
                owner);
    }

    /** Called by the thread that plans. */
    private void sendToPeer(VertexUpdate message) {
        mailbox.execute(() -> sendToPeers(message), "send a message to another vertex table");
    }

    private void sendToPeers(VertexUpdate message) {
        output.collect(PEERS, new StreamRecord<>(message));
    }

    @Override
    public void open() throws Exception {
        super.open();
        quality = new TableQuality(
                table,
                options,
                spread.assigners() + getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(),
                report -> output.collect(PART_QUALITY, new StreamRecord<>(report)));
        flushPace = new FlushPace(nowMillis());
        checkpointPause = new CheckpointPause();
        // One turn after that of busy assigners. Edges wait for the owners that tables decide on.
        int busyFrom = options.kind().hasOwners() ? Integer.MAX_VALUE : BUSY_CHANGES;
        news = new GatherTurns(getProcessingTimeService(), 1, table::changedVertices, busyFrom, this::tellNews);
        // Before the greeting, without which no assigner sends anything.
        UpdateSource.Reader reader = source.open(firstBucket, firstBucket + ledgers.count(), spread.buckets());
        updates = new UpdateThread(
                "vertex updates of " + getRuntimeContext().getTaskInfo().getTaskNameWithSubtasks(),
                reader,
                mailbox,
                this::apply);
        new LoopMetrics(getMetricGroup())
                .register(vertices, table, reader, () -> loopLagMillis, updates::waiting, checkpointPause::lastMillis);
        updates.start();
        TableReplies sent = replies;
        if (sent != null) {
            planPace = new TurnPace(getProcessingTimeService(), hasTime -> sent.work(hasTime, this::answer));
        }
        // If there is neither element nor barrier yet, an assigner has updates to send again all the same.
        mailbox.execute(this::greetOnce, "greet the assigners");
    }

    private void greetOnce() {
        LeftEdges due = left;
        if (!hasGreeted && (due == null || !due.areDue())) {
            hasGreeted = true;
            table.greet(assigner -> fused.part(assigner, this::assigner), this::answer);
            quality.report();
        }
    }

    private int assigner(long source) {
        return spread.sharesEdges(options) ? EdgesBySource.assigner(source, spread.buckets(), spread.assigners()) : 0;
    }

    /** Waits for the updates of earlier attempts, which the assigners send again as soon as they are greeted. */
    private void catchUp() throws Exception {
        while (!table.isCaughtUp()) {
            mailbox.yield();
        }
        table.tellRestored(this::totals, this::answer);
    }

    /** Returns what the only assigner cannot know of the vertices that several have changed. */
    private byte[] totals() {
        ReplicaCounts counts = table.counts();
        if (!options.kind().hasOwners()) {
            return TableTotals.toBytes(counts, null);
        }
        try {
            vertices.flush();
            return TableTotals.toBytes(counts, ledgers.owners(store, counts.partitionCount()));
        } catch (Exception e) {
            throw new IllegalStateException("the vertices of a restored table cannot be counted: " + e.getMessage(), e);
        }
    }

    private void answer(Views views) {
        output.collect(new StreamRecord<>(views));
    }

    @Override
    public void processElement(StreamRecord<Lookup> element) throws Exception {
        long now = nowMillis();
        checkpointPause.end(now);
        greetOnce();
        catchUp();
        table.look(element.getValue(), this::answer);
        flushPace.writeAhead(vertices, now);
    }

    private long nowMillis() {
        return getProcessingTimeService().getCurrentProcessingTime();
    }

    private void apply(List<VertexUpdate> received, long sentMillis) {
        long now = nowMillis();
        checkpointPause.end(now);
        received.forEach(this::apply);
        // The clocks of two machines may differ.
        loopLagMillis = Math.max(0, now - sentMillis);
        flushPace.writeAhead(vertices, now);
        news.begin();
        quality.changed();
        if (hasGreeted) {
            quality.reportInTime(now);
        }
    }

    private void apply(VertexUpdate update) {
        TableReplies edges = replies;
        TurnPace pace = planPace;
        LeftEdges ofOneTask = left;
        if (update.asksForEnds()) {
            if (ofOneTask != null && update.loop() == source.loop()) {
                ofOneTask.answer(update.run(), fused.buffered(), this::sendToPeers);
                greetOnce();
            }
        } else if (update.isPeer()) {
            if (edges != null) {
                edges.receive(update);
            }
        } else if (update.isOfEnds()) {
            return; // for the operator that has asked, which reads where bucket 0 goes
        } else if (!update.isRequest()) {
            table.apply(update);
        } else if (edges != null && pace != null) {
            edges.reply(update, this::answer);
            pace.goOn(edges.isWorking());
        }
    }

    private void tellNews() {
        if (hasGreeted) {
            table.tellRestored(this::totals, this::answer);
            table.tellNews(this::answer);
        }
    }

    /** Empties the buffers before the barrier, because they are not part of the state. */
    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        greetOnce();
        catchUp();
        table.tellNews(this::answer); // what assigners count goes with the checkpoint in which it is counted here
        long now = nowMillis();
        flushPace.barrier(now);
        checkpointPause.begin(now);
        flush();
        quality.reportChanges();
    }

    private void flush() throws Exception {
        vertices.flush();
        if (kept != null) {
            kept.flush();
        }
        for (int i = 0; i < ledgers.count(); i++) {
            // The one task has published every vertex, and so does the only assigner.
            boolean isDue = ledgers.all()[i].takeBookDue() && !spread.writesBack(options);
            if (isDue && options.publishesBook()) {
                bookChanges.addAll(store, firstBucket + i, firstBucket + i + 1, vertices.layout());
            }
        }
        bookChanges.flush();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        ledgers.snapshot();
        // Handed over with a greeting, which is before this barrier.
        fused.clear();
    }

    /** Waits for updates in flight until every assigner has reported its end. */
    @Override
    public void endInput() throws Exception {
        greetOnce();
        while (!table.hasEnded()) {
            mailbox.yield();
        }
        table.end();
        flush();
        boolean placesLag = !spread.writesBack(options);
        new BookBuffer(placesLag, rows -> output.collect(FINAL_BOOK, new StreamRecord<>(rows)))
                .addAll(store, firstBucket, firstBucket + ledgers.count(), vertices.layout());
        quality.report();
    }

    @Override
    public void close() throws Exception {
        if (updates != null) {
            updates.close();
        }
        if (replies != null) {
            replies.close();
        }
        super.close();
    }
}
