package io.cutwater.flink.checkpoint;

import io.cutwater.state.store.AdjacencyStore;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.jspecify.annotations.Nullable;

/**
 * Kept edges in Flink's keyed state: key = bucket of the vertex, as in {@link KeyedVertexStore}, namespace = the
 * vertex, user key = neighbour, direction and number of the row.
 *
 * <p>The namespace makes the rows of a vertex one range of RocksDB's keys: a map state can be iterated as a whole, that
 * is over everything with its key and namespace, but not from one user key to another. Flink's windows are namespaces
 * for the same reason.
 *
 * <p>Written rows gather in memory and go to the backend some thousand at a time, in the order of its keys;
 * {@link #flush} writes the rest before a checkpoint.
 */
public final class KeyedAdjacency implements AdjacencyStore {
    private static final MapStateDescriptor<RowKey, byte[]> ROWS =
            new MapStateDescriptor<>("kept-edges", RowKeySerializer.INSTANCE, BytePrimitiveArraySerializer.INSTANCE);

    private static final int PENDING = 1 << 15;
    private static final int NONE = -1;

    private final KeyedStateBackend<Integer> backend;
    private final InternalMapState<Integer, Long, RowKey, byte[]> state;
    private final VertexBuckets buckets;
    private final IntConsumer currentKey;
    private final PendingRows pending;
    private int selectedBucket;
    private boolean isShowing;

    private KeyedAdjacency(
            KeyedStateBackend<Integer> backend,
            InternalMapState<Integer, Long, RowKey, byte[]> state,
            VertexBuckets buckets,
            IntConsumer currentKey) {
        this.backend = backend;
        this.state = state;
        this.buckets = buckets;
        this.currentKey = currentKey;
        pending = new PendingRows(buckets, PENDING);
    }

    /** @param currentKey sets the key of the next access to the backend */
    public static KeyedAdjacency over(KeyedStateBackend<Integer> backend, VertexBuckets buckets, IntConsumer currentKey)
            throws Exception {
        // Every map state of a backend is one of these; the namespace is not part of the public interface.
        @SuppressWarnings("unchecked")
        InternalMapState<Integer, Long, RowKey, byte[]> state = (InternalMapState<Integer, Long, RowKey, byte[]>)
                backend.getOrCreateKeyedState(LongSerializer.INSTANCE, ROWS);
        return new KeyedAdjacency(backend, state, buckets, currentKey);
    }

    @Override
    public byte @Nullable [] read(long vertex, long neighbour, boolean isOutgoing, int number) {
        int position = pending.find(vertex, neighbour, isOutgoing, number);
        if (position >= 0) {
            return pending.row(position);
        }
        select(vertex);
        try {
            return state.get(new RowKey(neighbour, isOutgoing, number));
        } catch (Exception e) {
            throw new IllegalStateException(
                    "cannot read the edges between %d and %d from the state backend".formatted(vertex, neighbour), e);
        }
    }

    @Override
    public void write(long vertex, long neighbour, boolean isOutgoing, int number, byte @Nullable [] row) {
        // While rows are being iterated the backend must not change.
        if (pending.size() >= PENDING && !isShowing) {
            flush();
        }
        pending.put(vertex, neighbour, isOutgoing, number, row);
    }

    /** Writes the rows that the backend does not have yet. */
    public void flush() {
        if (pending.size() == 0) {
            return;
        }
        selectedBucket = NONE;
        try {
            pending.forEach(this::store);
        } catch (Exception e) {
            throw new IllegalStateException(
                    "cannot write %d rows of edges to the state backend; is its disk full?".formatted(pending.size()),
                    e);
        }
        pending.clear();
    }

    private void store(long vertex, RowKey key, byte @Nullable [] row) throws Exception {
        int bucket = buckets.bucket(vertex);
        // Rows come in the order of their buckets, and setting a key hashes it again.
        if (bucket != selectedBucket) {
            currentKey.accept(buckets.key(bucket));
            selectedBucket = bucket;
        }
        state.setCurrentNamespace(vertex);
        if (row == null) {
            state.remove(key);
        } else {
            state.put(key, row);
        }
    }

    private void select(long vertex) {
        currentKey.accept(buckets.key(buckets.bucket(vertex)));
        state.setCurrentNamespace(vertex);
    }

    /** Returns the vertices that the backend has rows of now, one after the other; close it after use. */
    public Stream<Long> storedVertices() {
        return backend.<Long>getKeysAndNamespaces(ROWS.getName()).map(keyAndVertex -> keyAndVertex.f1);
    }

    @Override
    public void forEach(long vertex, RowConsumer consumer) {
        if (isShowing) {
            throw new IllegalStateException("the edges of a vertex are shown already");
        }
        flush();
        forEachStored(vertex, consumer);
    }

    /**
     * Passes the rows of a vertex that the backend has to the consumer; rows written since the last {@link #flush} may
     * be missing.
     */
    public void forEachStored(long vertex, RowConsumer consumer) {
        isShowing = true;
        try {
            rows(vertex).forEach(entry -> {
                RowKey key = entry.getKey();
                consumer.accept(vertex, key.neighbour(), key.isOutgoing(), entry.getValue());
            });
        } finally {
            isShowing = false;
        }
    }

    private Iterable<Map.Entry<RowKey, byte[]>> rows(long vertex) {
        select(vertex);
        try {
            return state.entries();
        } catch (Exception e) {
            throw new IllegalStateException(
                    "cannot read the edges of vertex %d from the state backend".formatted(vertex), e);
        }
    }
}
