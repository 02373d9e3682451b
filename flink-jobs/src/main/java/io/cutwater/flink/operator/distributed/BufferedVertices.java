package io.cutwater.flink.operator.distributed;

import io.cutwater.kafka.vertex.VertexUpdateCodec;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.WriteBack;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * The records of the vertices of buffered edges in the state of an assigner, whose cache is the only place that has
 * them. They have the bytes of {@link VertexUpdateCodec} with records.
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

    /** Loads the records into an empty cache. */
    void restore(WriteBack cache) throws Exception {
        for (byte[] bytes : state.get()) {
            VertexUpdate buffered = VertexUpdateCodec.decode(bytes);
            byte[][] records = Objects.requireNonNull(buffered.records());
            for (int i = 0; i < records.length; i++) {
                cache.restore(buffered.added().vertex(i), records[i]);
            }
        }
    }

    /**
     * Updates the state.
     *
     * @param edges that are buffered
     * @param assigner its number
     * @param lineage of its updates
     */
    void update(WriteBack cache, EdgeBatch edges, int assigner, long lineage) throws Exception {
        long[] vertices = VertexSet.of(edges).toArray();
        List<byte[]> pieces = new ArrayList<>();
        for (int from = 0; from < vertices.length; from += VERTICES_PER_PIECE) {
            int size = Math.min(VERTICES_PER_PIECE, vertices.length - from);
            VertexBatch ids = new VertexBatch(size);
            byte[][] records = new byte[size][];
            for (int i = 0; i < size; i++) {
                ids.add(vertices[from + i], 0, VertexTable.NO_MASTER);
                records[i] = cache.encode(vertices[from + i]);
            }
            pieces.add(VertexUpdateCodec.encode(new VertexUpdate(0, assigner, lineage, 0, ANY, ids, records)));
        }
        state.update(pieces);
    }
}
