package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.types.message.MessageTypes;
import io.cutwater.state.feedback.Lookup;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.ask.AskWindow;
import io.cutwater.state.feedback.ask.LookupMaker;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.EdgeRuns;
import io.cutwater.state.table.RecordExchange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
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
 * Numbers the batches, sends each to an assigner, and asks the vertex tables for the records of the vertices that the
 * assigner's cache lacks. Each assigner has a task of this operator, in its own slot, unless earlier passes must end
 * before the edges are placed: then one task asks for all. Numbers start at 0 in every attempt, because no batch is
 * partly joined at a barrier.
 *
 * <p>Several assigners report the batches that they have placed through the topic of updates, and the operator waits
 * while too many are in flight: see {@link AskWindow}. It is a runtime operator because it waits in its mailbox.
 */
public final class AskViewsOperator extends AbstractStreamOperator<NumberedBatch>
        implements OneInputStreamOperator<EdgeBatch, NumberedBatch>, BoundedOneInput {
    public static final OutputTag<Lookup> LOOKUPS = new OutputTag<>("lookups", MessageTypes.LOOKUP);

    static final ListStateDescriptor<Long> EDGES =
            new ListStateDescriptor<>("edges-asked-for", LongSerializer.INSTANCE);

    private static final int PIECES = 64;

    private final AssignOptions options;
    private final SpreadOptions spread;
    private final UpdateSource source;
    private final MailboxExecutor mailbox;

    // Runtime, created in every attempt.
    private transient ListState<Long> edgesState;
    private transient LookupMaker lookups;
    private transient AskWindow window;
    private transient double shareOfRuns;
    private transient EdgeRuns runs;
    private transient @Nullable UpdateThread placed;
    private transient int placingPass;
    private transient long run;

    AskViewsOperator(
            StreamOperatorParameters<NumberedBatch> parameters,
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
        edgesState = context.getOperatorStateStore().getListState(EDGES);
        long edges = 0;
        for (long before : edgesState.get()) {
            edges += before;
        }
        placingPass = spread.placingPass(options);
        int askers = spread.askers(options);
        SpreadOptions.requireTasks("ask for views", askers, getRuntimeContext().getTaskInfo());
        // The edges of the first assigner are a graph that all know.
        long soloEdges = spread.soloEdges(options);
        boolean isFirst = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0;
        window = new AskWindow(
                askers,
                spread.assigners(),
                options.keepsEdges() ? AskWindow.YOUNG : 0,
                Math.max(edges, soloEdges / askers),
                isFirst ? soloEdges : 0);
        shareOfRuns = spread.shareOfRuns(options);
        runs = new EdgeRuns();
    }

    @Override
    public void open() throws Exception {
        super.open();
        run = UUID.randomUUID().getMostSignificantBits();
        new LoopMetrics(getMetricGroup()).register(window);
        int own = spread.assigners() / spread.askers(options);
        int first = own * getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        // The bound is that of the caches of all assigners together.
        int cached = RecordExchange.verticesWithin(options.cacheBytes() / spread.assigners(), options.layout());
        boolean countsEdges = !spread.writesBack(options) && !options.keepsEdges();
        lookups = new LookupMaker(
                spread.buckets(),
                spread.tables(),
                first,
                own,
                placingPass,
                cached,
                countsEdges,
                spread.tellsSlots(options),
                run);
        if (isWindowed()) {
            // The assigners' word goes where bucket 0 goes.
            placed = new UpdateThread("placed batches", source.open(0, 1, spread.buckets()), mailbox, this::notePlaced);
            tellReader(placed);
            placed.start();
        }
    }

    private void tellReader(UpdateThread placed) {
        placed.setWanted(window.isHalfFull());
    }

    /** One assigner needs no window: its overlay makes up for any staleness. */
    private boolean isWindowed() {
        return spread.assigners() > 1;
    }

    private void notePlaced(List<VertexUpdate> updates, long sentMillis) {
        for (VertexUpdate update : updates) {
            if (update.isPlaced() && update.run() == run) {
                window.placed(update.placedBatch());
            }
        }
        tellReader(Objects.requireNonNull(placed));
    }

    @Override
    public void processElement(StreamRecord<EdgeBatch> element) throws Exception {
        EdgeBatch batch = element.getValue();
        if (!isWindowed() || batch.pass() < placingPass) {
            ask(batch);
            return;
        }
        if (shareOfRuns > 0) {
            runs.observe(batch);
            window.setShareOfRuns(runs.areFound() ? shareOfRuns : 0);
        }
        int from = 0;
        do {
            int size = Math.min(window.batchSize(), batch.size() - from);
            while (!window.hasRoomFor(size)) {
                mailbox.yield();
            }
            NumberedBatch asked = ask(from == 0 && size == batch.size() ? batch : piece(batch, from, size));
            window.ask(asked.number(), size);
            tellReader(Objects.requireNonNull(placed));
            from += size;
        } while (from < batch.size());
    }

    /** The last piece has the batch's progress and its rejected records. */
    private static EdgeBatch piece(EdgeBatch batch, int from, int size) {
        EdgeBatch piece = new EdgeBatch(size).setPass(batch.pass());
        for (int i = from; i < from + size; i++) {
            piece.addFrom(batch, i);
        }
        if (from + size == batch.size()) {
            piece.setProgress(batch.progress());
            batch.rejected().forEach(piece::reject);
        }
        return piece;
    }

    private NumberedBatch ask(EdgeBatch batch) {
        NumberedBatch numbered = lookups.ask(batch, this::send);
        output.collect(new StreamRecord<>(numbered));
        return numbered;
    }

    private void send(Lookup lookup) {
        output.collect(LOOKUPS, new StreamRecord<>(lookup));
    }

    /** Sends what the tables have not counted: degrees are theirs, and no state of this operator. */
    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        lookups.flush(this::send);
    }

    @Override
    public void endInput() {
        lookups.flush(this::send);
    }

    /** In pieces, so that another number of tasks shares them. */
    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        long piece = window.edges() / PIECES;
        List<Long> pieces = new ArrayList<>(Collections.nCopies(PIECES - 1, piece));
        pieces.add(window.edges() - (PIECES - 1) * piece);
        edgesState.update(pieces);
    }

    @Override
    public void close() throws Exception {
        if (placed != null) {
            placed.close();
        }
        super.close();
    }
}
