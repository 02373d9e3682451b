package io.cutwater.flink.types.graph;

import io.cutwater.flink.types.StreamType;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;

/** Types of streams of edges, vertices and malformed records. */
public final class GraphTypes {
    public static final StreamType<EdgeBatch> EDGE_BATCH =
            new StreamType<>(EdgeBatch.class, EdgeBatchSerializer.INSTANCE);
    public static final StreamType<VertexBatch> VERTEX_BATCH =
            new StreamType<>(VertexBatch.class, VertexBatchSerializer.INSTANCE);
    public static final StreamType<RejectedRecord> REJECTED_RECORD =
            new StreamType<>(RejectedRecord.class, RejectedRecordSerializer.INSTANCE);

    private GraphTypes() {}
}
