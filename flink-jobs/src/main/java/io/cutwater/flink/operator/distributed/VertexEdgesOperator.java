package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.flink.operator.BeginningState;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Puts the removals of all edges of a vertex before the removal of the vertex, for an assigner whose edges are kept in
 * other tasks, where they are not found by both of their ends. It has parallelism 1 and keeps the ends of each edge
 * once more. The removal of the vertex that follows has the place {@link EdgeBatch#TAKEN_AWAY} if there was an edge.
 *
 * <p>If the job goes on with the state of one task, the tables have the edges so far. Then it gets their ends while it
 * is opened: the job takes no checkpoint before, and after that they are in its own state.
 *
 * <p>A runtime operator, because one element touches the state of many keys; see {@link AssignerOperator}.
 */
public final class VertexEdgesOperator extends AbstractStreamOperator<EdgeBatch>
        implements OneInputStreamOperator<EdgeBatch, EdgeBatch> {
    /** Version (1 byte): the job began with this operator. */
    static final ListStateDescriptor<byte[]> BEGUN = BeginningState.describe("begun");

    private static final byte VERSION = 1;

    private static final int EDGES_AT_A_TIME = 1 << 16;

    private final UpdateSource source;

    // Runtime, created in every attempt.
    private transient BeginningState begun;
    private transient VertexBuckets buckets;
    private transient KeyedAdjacency adjacency;
    private transient StoredEdges edges;

    /** @param source of messages from the vertex tables */
    public VertexEdgesOperator(UpdateSource source) {
        this.source = source;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        begun = new BeginningState(context, BEGUN, VERSION, "edges by vertex");
        buckets = new VertexBuckets(getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks());
        adjacency = KeyedAdjacency.over(getKeyedStateBackend(), buckets, this::setCurrentKey);
        edges = StoredEdges.ofEdgesByBothEnds(adjacency, StoredEdges.COUNTS);
    }

    @Override
    public void open() throws Exception {
        super.open();
        if (begun.isMissing() && !new EdgesOfTables(source, buckets.count()).receive(this::add)) {
            throw BeginningState.missing("--remove-vertices", "it does not know the edges of its vertices");
        }
    }

    private void add(EdgeBatch some) {
        take(some, 0, some.size());
    }

    @Override
    public void processElement(StreamRecord<EdgeBatch> element) {
        EdgeBatch batch = element.getValue();
        int from = 0;
        for (int i = 0; batch.hasRemovals() && i < batch.size(); i++) {
            // Those of a history have been applied.
            if (batch.isVertexRemoval(i) && batch.place(i) != EdgeBatch.TAKEN_AWAY) {
                take(batch, from, i);
                emit(element, part(batch, from, i));
                removeVertex(batch.source(i), element);
                from = i + 1;
            }
        }
        take(batch, from, batch.size());
        output.collect(from == 0 ? element : element.copy(last(batch, from)));
    }

    private void take(EdgeBatch batch, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!batch.isRemoval(i)) {
                edges.add(batch.source(i), batch.target(i), 0, Double.NaN, EdgeBatch.NO_TIMESTAMP, batch.key(i), false);
            } else if (!batch.isVertexRemoval(i)) {
                edges.remove(batch.source(i), batch.target(i), batch.key(i));
            }
        }
    }

    private static EdgeBatch part(EdgeBatch batch, int from, int to) {
        EdgeBatch part = new EdgeBatch().setPass(batch.pass()).setProgress(batch.progress());
        for (int i = from; i < to; i++) {
            part.addFrom(batch, i);
        }
        return part;
    }

    /** The last part has the rejected records. */
    private static EdgeBatch last(EdgeBatch batch, int from) {
        EdgeBatch last = part(batch, from, batch.size());
        batch.rejected().forEach(last::reject);
        return last;
    }

    /** Each batch is another one: what an operator behind this one holds is not written again. */
    private void emit(StreamRecord<EdgeBatch> element, EdgeBatch rows) {
        if (!rows.isEmpty()) {
            output.collect(element.copy(rows));
        }
    }

    private void removeVertex(long vertex, StreamRecord<EdgeBatch> element) {
        EdgeBatch none = part(element.getValue(), 0, 0);
        EdgeBatch incident = new EdgeBatch();
        boolean isKnown = false;
        do {
            incident.clear();
            edges.incident(vertex, EDGES_AT_A_TIME, incident);
            isKnown |= !incident.isEmpty();
            removeAll(incident, element);
        } while (incident.size() >= EDGES_AT_A_TIME);
        none.add(vertex, vertex);
        none.setVertexRemoval(0);
        if (isKnown) {
            none.setPlace(0, EdgeBatch.TAKEN_AWAY);
        }
        emit(element, none);
    }

    private void removeAll(EdgeBatch incident, StreamRecord<EdgeBatch> element) {
        EdgeBatch removals = part(element.getValue(), 0, 0);
        for (int i = 0; i < incident.size(); i++) {
            long source = incident.source(i);
            long target = incident.target(i);
            while (edges.remove(source, target, EdgeBatch.NO_KEY) != KeptEdges.NO_EDGE) {
                removals.add(source, target, Double.NaN, EdgeBatch.NO_TIMESTAMP, edges.key());
                removals.setRemoval(removals.size() - 1);
                if (removals.size() == EdgeBatch.DEFAULT_CAPACITY) {
                    emit(element, removals);
                    removals = part(element.getValue(), 0, 0);
                }
            }
        }
        emit(element, removals);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        adjacency.flush();
        begun.update();
    }
}
