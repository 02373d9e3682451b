package io.cutwater.flink.operator;

import io.cutwater.flink.connector.input.Expiry;
import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.state.graph.EdgeBatch;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Passes edges on, and removes each of them when its time has passed: the graph is a sliding window.
 *
 * <p>Which copy of an edge a removal takes away is decided late, when the time of the copies passes: the copy that
 * comes first in the {@link ExpiryQueue} and came before the removal is the one, and is not removed again. So a removal
 * costs a row of state until its time passes, and an edge only its place in the queue. An edge with a key is removed if
 * no later record has had its key, and one of a vertex that was removed since is gone.
 *
 * <p>It has parallelism 1, because the window is one queue. A runtime operator, because it emits at times of its own.
 */
public final class ExpireEdgesOperator extends AbstractStreamOperator<EdgeBatch>
        implements OneInputStreamOperator<EdgeBatch, EdgeBatch> {
    static final long TICK_MILLIS = 100;

    /** Edges that may leave in a tick at least, so that a short rush does not stop the stream. */
    static final int EDGES_PER_TICK = EdgeBatch.DEFAULT_CAPACITY;

    /** The one key of the operator, to which {@code keyBy} sends all batches. */
    private static final int KEY = 0;

    private static final MapStateDescriptor<Long, byte[]> CHUNKS = states("chunks");
    private static final MapStateDescriptor<Long, byte[]> REMOVED_EDGES = states("removed-edges");

    /** User key = key of an edge, value = position of the newest row with it. */
    private static final MapStateDescriptor<Long, Long> NEWEST_OF_KEY =
            new MapStateDescriptor<>("newest-of-key", LongSerializer.INSTANCE, LongSerializer.INSTANCE);

    /** User key = vertex, value = position of its last removal. */
    private static final MapStateDescriptor<Long, Long> REMOVED_VERTICES =
            new MapStateDescriptor<>("removed-vertices", LongSerializer.INSTANCE, LongSerializer.INSTANCE);

    /** Version (1 byte), 8 bytes each of {@link #numbers}, and the slices of the queue. */
    private static final ListStateDescriptor<byte[]> WINDOW = BeginningState.describe("window");

    private static final byte VERSION = 1;

    private final long ttlMillis;
    private final Expiry expiry;

    private long position;
    private long lastArrival = Long.MIN_VALUE;
    private long pendingRemovals;
    private long vertexRemovals;
    private long windowEdges;
    private long expiredEdges;
    private long lateEdges;
    private long overdueMillis;
    private long arrivedEdges;
    private int pass;
    private long progress;

    // Runtime, created in every attempt.
    private transient ExpiryQueue queue;
    private transient RemovedEdges removedEdges;
    private transient MapState<Long, Long> newestOfKey;
    private transient MapState<Long, Long> removedVertices;
    private transient BeginningState window;
    private transient EdgeBatch passed;
    private transient EdgeBatch removals;

    public ExpireEdgesOperator(Expiry expiry) {
        this.expiry = expiry;
        ttlMillis = expiry.ttl().toMillis();
    }

    private static MapStateDescriptor<Long, byte[]> states(String name) {
        return new MapStateDescriptor<>(name, LongSerializer.INSTANCE, BytePrimitiveArraySerializer.INSTANCE);
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        KeyedStateStore states = context.getKeyedStateStore();
        queue = new ExpiryQueue(states.getMapState(CHUNKS), ttlMillis);
        removedEdges = new RemovedEdges(states.getMapState(REMOVED_EDGES));
        newestOfKey = states.getMapState(NEWEST_OF_KEY);
        removedVertices = states.getMapState(REMOVED_VERTICES);
        window = new BeginningState(context, WINDOW, VERSION, "a window of edges");
        ByteBuffer stored = window.required("--ttl", "it does not know when its edges came");
        if (stored != null) {
            restore(stored);
        }
    }

    private void restore(ByteBuffer stored) {
        long ttlBefore = stored.getLong();
        if (ttlBefore != ttlMillis) {
            throw FinalFailure.of(
                    "the job began with --ttl %dms, by which its state is ordered; give that, or submit a new job with another --topic-prefix"
                            .formatted(ttlBefore));
        }
        position = stored.getLong();
        lastArrival = stored.getLong();
        pendingRemovals = stored.getLong();
        vertexRemovals = stored.getLong();
        windowEdges = stored.getLong();
        expiredEdges = stored.getLong();
        lateEdges = stored.getLong();
        queue.restore(stored);
    }

    private long[] numbers() {
        return new long[] {
            ttlMillis, position, lastArrival, pendingRemovals, vertexRemovals, windowEdges, expiredEdges, lateEdges
        };
    }

    @Override
    public void open() throws Exception {
        super.open();
        passed = new EdgeBatch();
        removals = new EdgeBatch();
        MetricGroup metrics = getMetricGroup().addGroup("cutwater");
        metrics.gauge("windowEdges", (Gauge<Long>) () -> windowEdges);
        metrics.gauge("expiredEdges", (Gauge<Long>) () -> expiredEdges);
        metrics.gauge("lateEdges", (Gauge<Long>) () -> lateEdges);
        metrics.gauge("overdueMillis", (Gauge<Long>) () -> overdueMillis);
        setTimer();
    }

    private void setTimer() {
        long now = getProcessingTimeService().getCurrentProcessingTime();
        getProcessingTimeService().registerTimer(now + TICK_MILLIS, time -> {
            setCurrentKey(KEY);
            expire();
            setTimer();
        });
    }

    /** Returns the time, which never goes back, as the queue needs it. */
    private long now() {
        lastArrival = Math.max(lastArrival, getProcessingTimeService().getCurrentProcessingTime());
        return lastArrival;
    }

    @Override
    public void processElement(StreamRecord<EdgeBatch> element) throws Exception {
        EdgeBatch batch = element.getValue();
        pass = batch.pass();
        progress = batch.progress();
        arrivedEdges += batch.size();
        long now = now();
        boolean mayBeLate = expiry.unit() != null && batch.hasTimestamps();
        if (!mayBeLate) {
            for (int i = 0; i < batch.size(); i++) {
                enter(batch, i, now, now);
            }
            output.collect(element);
            return;
        }
        passed.startLike(batch);
        for (int i = 0; i < batch.size(); i++) {
            long time = time(batch.timestamp(i), now);
            if (time > now - ttlMillis || batch.isRemoval(i)) {
                passed.addFrom(batch, i);
                enter(batch, i, time, now);
            } else {
                comeLate(batch, i);
            }
        }
        if (passed.hasAny()) {
            output.collect(element.replace(passed));
        }
    }

    private long time(long timestamp, long now) {
        return timestamp == EdgeBatch.NO_TIMESTAMP || expiry.unit() == null
                ? now
                : Math.min(now, expiry.unit().toMillis(timestamp));
    }

    private void enter(EdgeBatch batch, int i, long time, long now) throws Exception {
        long row = position++;
        long source = batch.source(i);
        long target = batch.target(i);
        boolean isRemoval = batch.isRemoval(i);
        if (batch.hasKeys() && !batch.isVertexRemoval(i)) {
            if (isRemoval) {
                newestOfKey.remove(batch.key(i));
            } else {
                newestOfKey.put(batch.key(i), row);
                queue.add(time, ExpiryQueue.KEY, row, batch.key(i), 0);
                windowEdges++;
            }
        } else if (batch.isVertexRemoval(i)) {
            removedVertices.put(source, row);
            vertexRemovals++;
            queue.add(now, ExpiryQueue.VERTEX, row, source, source);
        } else if (isRemoval) {
            removedEdges.add(source, target, row);
            pendingRemovals++;
            queue.add(now, ExpiryQueue.REMOVAL, row, source, target);
        } else {
            queue.add(time, ExpiryQueue.EDGE, row, source, target);
            windowEdges++;
        }
    }

    /** Leaves an edge out whose time has passed; if it replaces the edge of its key, that one is removed. */
    private void comeLate(EdgeBatch batch, int i) throws Exception {
        lateEdges++;
        if (batch.hasKeys() && newestOfKey.contains(batch.key(i))) {
            newestOfKey.remove(batch.key(i));
            passed.add(batch.source(i), batch.target(i));
            passed.setKey(passed.size() - 1, batch.key(i));
            passed.setRemoval(passed.size() - 1);
        }
    }

    /** Removes what is due, but not more than twice what has come since the last time, or {@link #EDGES_PER_TICK}. */
    private void expire() throws Exception {
        long limit = Math.max(EDGES_PER_TICK, 2 * arrivedEdges);
        arrivedEdges = 0;
        long due = now() - ttlMillis;
        removals.clear();
        removals.setPass(pass).setProgress(progress);
        queue.poll(due, limit, this::leave);
        if (!removals.isEmpty()) {
            output.collect(new StreamRecord<>(removals));
        }
        long oldest = queue.oldest();
        overdueMillis = oldest > due ? 0 : due - oldest;
    }

    private void leave(int kind, long row, long first, long second) throws Exception {
        if (kind == ExpiryQueue.REMOVAL) {
            pendingRemovals -= removedEdges.take(first, second, row) ? 1 : 0;
            return;
        }
        if (kind == ExpiryQueue.VERTEX) {
            vertexRemovals--;
            if (!isRemovedAfter(first, row)) {
                removedVertices.remove(first);
            }
            return;
        }
        windowEdges--;
        if (kind == ExpiryQueue.KEY) {
            Long newest = newestOfKey.get(first);
            if (newest == null || newest != row) {
                return;
            }
            newestOfKey.remove(first);
            remove(0, 0);
            removals.setKey(removals.size() - 1, first);
        } else if (vertexRemovals > 0 && (isRemovedAfter(first, row) || isRemovedAfter(second, row))) {
            return; // it went with the vertex
        } else if (pendingRemovals > 0 && removedEdges.takeAfter(first, second, row)) {
            pendingRemovals--;
        } else {
            remove(first, second);
        }
    }

    private boolean isRemovedAfter(long vertex, long row) throws Exception {
        Long removal = removedVertices.get(vertex);
        return removal != null && removal > row;
    }

    private void remove(long source, long target) {
        expiredEdges++;
        removals.add(source, target);
        removals.setRemoval(removals.size() - 1);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        setCurrentKey(KEY);
        window.update(queue.snapshot(), numbers());
    }
}
