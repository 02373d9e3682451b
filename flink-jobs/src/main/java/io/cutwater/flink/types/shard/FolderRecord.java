package io.cutwater.flink.types.shard;

import io.cutwater.flink.types.StreamType;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;

/** An element for the output folder. All kinds are in one stream, because one writer owns the folder. */
public sealed interface FolderRecord {
    StreamType<FolderRecord> TYPE = new StreamType<>(FolderRecord.class, FolderRecordSerializer.INSTANCE);

    /** Edges of one shard. */
    record Edges(ShardBatch batch) implements FolderRecord {}

    /** Rows of the partition book. */
    record Vertices(VertexBatch batch) implements FolderRecord {}

    /** A dead letter. */
    record Rejected(RejectedRecord record) implements FolderRecord {}
}
