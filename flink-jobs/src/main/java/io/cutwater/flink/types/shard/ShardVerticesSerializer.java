package io.cutwater.flink.types.shard;

import io.cutwater.flink.types.StreamSerializer;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes {@link ShardVertices}: shard (4 bytes), length (4 bytes) and bytes of the record. */
final class ShardVerticesSerializer extends StreamSerializer<ShardVertices> {
    static final ShardVerticesSerializer INSTANCE = new ShardVerticesSerializer();

    @Override
    public ShardVertices createInstance() {
        return new ShardVertices(0, new byte[0]);
    }

    @Override
    public ShardVertices copy(ShardVertices from) {
        return from;
    }

    @Override
    public void serialize(ShardVertices vertices, DataOutputView out) throws IOException {
        out.writeInt(vertices.shard());
        out.writeInt(vertices.record().length);
        out.write(vertices.record());
    }

    @Override
    public ShardVertices deserialize(ShardVertices reuse, DataInputView in) throws IOException {
        int shard = in.readInt();
        byte[] record = new byte[in.readInt()];
        in.readFully(record);
        return new ShardVertices(shard, record);
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<ShardVertices> {
        public Snapshot() {
            super(ShardVerticesSerializer::new);
        }
    }
}
