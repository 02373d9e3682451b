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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kept edges as builds before {@link AdjacencyLists} wrote them: a map with an entry for each row, key = bucket,
 * namespace = the vertex, user key = neighbour, direction and number of the row.
 */
final class SingleRows {
    private static final Logger LOG = LoggerFactory.getLogger(SingleRows.class);
    private static final MapStateDescriptor<RowKey, byte[]> ROWS =
            new MapStateDescriptor<>("kept-edges", RowKeySerializer.INSTANCE, BytePrimitiveArraySerializer.INSTANCE);

    private SingleRows() {}

    /** Moves all rows that a backend has in this format; without any it does nothing. */
    static void moveTo(
            KeyedAdjacency adjacency, KeyedStateBackend<Integer> backend, VertexBuckets buckets, IntConsumer currentKey)
            throws Exception {
        // Read to the end first: a backend in memory must not change meanwhile.
        long[] vertices;
        try (Stream<Long> stored =
                backend.<Long>getKeysAndNamespaces(ROWS.getName()).map(keyAndVertex -> keyAndVertex.f1)) {
            vertices = stored.mapToLong(Long::longValue).distinct().toArray();
        }
        if (vertices.length == 0) {
            return;
        }
        LOG.info("writing the kept edges of {} vertices in the format of this build", vertices.length);
        // Every map state of a backend is one of these; the namespace is not part of the public interface.
        @SuppressWarnings("unchecked")
        InternalMapState<Integer, Long, RowKey, byte[]> rows = (InternalMapState<Integer, Long, RowKey, byte[]>)
                backend.getOrCreateKeyedState(LongSerializer.INSTANCE, ROWS);
        for (long vertex : vertices) {
            currentKey.accept(buckets.key(buckets.bucket(vertex)));
            rows.setCurrentNamespace(vertex);
            move(vertex, rows.entries(), adjacency);
            currentKey.accept(buckets.key(buckets.bucket(vertex)));
            rows.setCurrentNamespace(vertex);
            rows.clear();
        }
        adjacency.flush();
    }

    private static void move(long vertex, Iterable<Map.Entry<RowKey, byte[]>> rows, AdjacencyStore to) {
        rows.forEach(entry -> {
            RowKey key = entry.getKey();
            to.append(vertex, key.neighbour(), key.isOutgoing(), key.number(), entry.getValue());
        });
    }
}
