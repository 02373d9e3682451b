package io.cutwater.flink.types.shard;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.flink.types.graph.RejectedRecordSerializer;
import io.cutwater.flink.types.graph.VertexBatchSerializer;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes a {@link FolderRecord}: one byte for the kind, then the element. */
final class FolderRecordSerializer extends StreamSerializer<FolderRecord> {
    static final FolderRecordSerializer INSTANCE = new FolderRecordSerializer();

    private static final int EDGES = 0;
    private static final int VERTICES = 1;
    private static final int REJECTED = 2;

    @Override
    public FolderRecord createInstance() {
        return new FolderRecord.Edges(ShardBatchSerializer.INSTANCE.createInstance());
    }

    @Override
    public FolderRecord copy(FolderRecord from) {
        if (from instanceof FolderRecord.Edges edges) {
            return new FolderRecord.Edges(ShardBatchSerializer.INSTANCE.copy(edges.batch()));
        }
        if (from instanceof FolderRecord.Vertices vertices) {
            return new FolderRecord.Vertices(VertexBatchSerializer.INSTANCE.copy(vertices.batch()));
        }
        return from;
    }

    @Override
    public void serialize(FolderRecord record, DataOutputView out) throws IOException {
        if (record instanceof FolderRecord.Edges edges) {
            out.writeByte(EDGES);
            ShardBatchSerializer.INSTANCE.serialize(edges.batch(), out);
        } else if (record instanceof FolderRecord.Vertices vertices) {
            out.writeByte(VERTICES);
            VertexBatchSerializer.INSTANCE.serialize(vertices.batch(), out);
        } else if (record instanceof FolderRecord.Rejected rejected) {
            out.writeByte(REJECTED);
            RejectedRecordSerializer.INSTANCE.serialize(rejected.record(), out);
        }
    }

    @Override
    public FolderRecord deserialize(FolderRecord reuse, DataInputView in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case EDGES ->
                reuse instanceof FolderRecord.Edges edges
                        ? new FolderRecord.Edges(ShardBatchSerializer.INSTANCE.deserialize(edges.batch(), in))
                        : new FolderRecord.Edges(ShardBatchSerializer.INSTANCE.deserialize(in));
            case VERTICES -> new FolderRecord.Vertices(VertexBatchSerializer.INSTANCE.deserialize(in));
            case REJECTED -> new FolderRecord.Rejected(RejectedRecordSerializer.INSTANCE.deserialize(in));
            default -> throw new IOException("a folder record of unknown kind " + kind);
        };
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<FolderRecord> {
        public Snapshot() {
            super(FolderRecordSerializer::new);
        }
    }
}
