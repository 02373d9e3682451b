package io.cutwater.flink.operator.distributed;

import io.cutwater.kafka.vertex.VertexUpdateCodec;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.function.ObjLongConsumer;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * The records of the vertices of buffered edges in the state of an assigner. The cache of the only one is the only
 * place that has them; one of several would ask the tables for them only when another edge comes to the vertex. They
 * have the bytes of {@link VertexUpdateCodec} with records; instead of a bucket those of one of several assigners have
 * the number of partitions, which all may not change at the same time.
 */
final class BufferedVertices {
    private static final ListStateDescriptor<byte[]> STATE =
            new ListStateDescriptor<>("buffered-vertices", BytePrimitiveArraySerializer.INSTANCE);

    private static final int VERTICES_PER_PIECE = 16 * 1024;
    private static final int ANY = 1;

    private final ListState<byte[]> state;

    BufferedVertices(StateInitializationContext context) throws Exception {
        state = context.getOperatorStateStore().getListState(STATE);
    }

    /**
     * Loads the records into a cache. If the number of assigners has changed, they may be those of others.
     *
     * @param partitions as in {@link #update}; records for another number are left out
     */
    void restore(ObjLongConsumer<byte[]> cache, int partitions) throws Exception {
        for (byte[] bytes : state.get()) {
            VertexUpdate buffered = VertexUpdateCodec.decode(bytes);
            if (buffered.bucket() != partitions) {
                continue;
            }
            byte[][] records = Objects.requireNonNull(buffered.records());
            for (int i = 0; i < records.length; i++) {
                cache.accept(records[i], buffered.added().vertex(i));
            }
        }
    }

    /** Removes all records from the state. */
    void clear() throws Exception {
        state.update(List.of());
    }

    /**
     * Updates the state.
     *
     * @param cache returns the bytes of the record of a vertex
     * @param edges that are buffered
     * @param assigner its number
     * @param lineage of its updates
     * @param partitions 0 if there is one assigner
     */
    void update(LongFunction<byte[]> cache, EdgeBatch edges, int assigner, long lineage, int partitions)
            throws Exception {
        long[] vertices = VertexSet.of(edges).toArray();
        List<byte[]> pieces = new ArrayList<>();
        for (int from = 0; from < vertices.length; from += VERTICES_PER_PIECE) {
            int size = Math.min(VERTICES_PER_PIECE, vertices.length - from);
            VertexBatch ids = new VertexBatch(size);
            byte[][] records = new byte[size][];
            for (int i = 0; i < size; i++) {
                ids.add(vertices[from + i], 0, VertexTable.NO_MASTER);
                records[i] = cache.apply(vertices[from + i]);
            }
            pieces.add(VertexUpdateCodec.encode(new VertexUpdate(0, assigner, lineage, partitions, ANY, ids, records)));
        }
        state.update(pieces);
    }
}
