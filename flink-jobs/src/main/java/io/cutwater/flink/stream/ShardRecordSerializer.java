package io.cutwater.flink.stream;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** One byte for the kind, then the element itself. */
public final class ShardRecordSerializer extends StreamSerializer<ShardRecord> {
    public static final ShardRecordSerializer INSTANCE = new ShardRecordSerializer();

    private static final int EDGES = 0;
    private static final int VERTICES = 1;

    @Override
    public ShardRecord createInstance() {
        return ShardBatchSerializer.INSTANCE.createInstance();
    }

    @Override
    public ShardRecord copy(ShardRecord from) {
        return from instanceof ShardBatch edges ? ShardBatchSerializer.INSTANCE.copy(edges) : from;
    }

    @Override
    public void serialize(ShardRecord record, DataOutputView out) throws IOException {
        if (record instanceof ShardBatch edges) {
            out.writeByte(EDGES);
            ShardBatchSerializer.INSTANCE.serialize(edges, out);
        } else if (record instanceof ShardVertices vertices) {
            out.writeByte(VERTICES);
            ShardVerticesSerializer.INSTANCE.serialize(vertices, out);
        }
    }

    @Override
    public ShardRecord deserialize(ShardRecord reuse, DataInputView in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case EDGES ->
                reuse instanceof ShardBatch edges
                        ? ShardBatchSerializer.INSTANCE.deserialize(edges, in)
                        : ShardBatchSerializer.INSTANCE.deserialize(in);
            case VERTICES -> ShardVerticesSerializer.INSTANCE.deserialize(in);
            default -> throw new IOException("a shard record of unknown kind " + kind);
        };
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<ShardRecord> {
        public Snapshot() {
            super(ShardRecordSerializer::new);
        }
    }
}
